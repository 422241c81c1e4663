//! Numbers and times as people read them.

use wasm_bindgen::JsValue;

/// Seconds as `820 ms`, `3.4 s`, `2 min 05 s` or `1 h 12 min`.
pub(crate) fn duration(seconds: f64) -> String {
    let seconds = seconds.max(0.0);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a duration is positive and small"
    )]
    let whole = seconds.round() as u64;
    match whole {
        0..60 if seconds < 0.9995 => format!("{:.0} ms", seconds * 1000.0),
        0..60 => format!("{seconds:.1} s"),
        60..3600 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{} h {:02} min", whole / 3600, whole % 3600 / 60),
    }
}

/// How long before `now_ms` an RFC 3339 time was.
pub(crate) fn ago(time: &str, now_ms: f64) -> String {
    let then_ms = js_sys::Date::parse(time);
    if then_ms.is_nan() {
        return time.to_owned();
    }
    let seconds = (now_ms - then_ms) / 1000.0;
    span(seconds).map_or_else(|| "just now".to_owned(), |span| format!("{span} ago"))
}

/// How long after `now_ms` an RFC 3339 time will be.
pub(crate) fn ahead(time: &str, now_ms: f64) -> String {
    let then_ms = js_sys::Date::parse(time);
    if then_ms.is_nan() {
        return time.to_owned();
    }
    let seconds = (then_ms - now_ms) / 1000.0;
    span(seconds).map_or_else(|| "any moment".to_owned(), |span| format!("in {span}"))
}

/// A time in its largest unit, such as `3 days`; none when it is less than a minute.
fn span(seconds: f64) -> Option<String> {
    const DAY: f64 = 86_400.0;
    // Each with how many of it make the next one.
    const UNITS: [(f64, f64, &str); 5] = [
        (60.0, 60.0, "minute"),
        (3600.0, 24.0, "hour"),
        (DAY, 30.0, "day"),
        (30.0 * DAY, 12.0, "month"),
        (365.0 * DAY, f64::INFINITY, "year"),
    ];
    if seconds < 45.0 {
        return None;
    }
    // What is rounded up to a whole larger unit is told in that one.
    let rounded = |size: f64| (seconds / size).round().max(1.0);
    let (count, unit) = UNITS
        .into_iter()
        .map(|(size, most, unit)| (rounded(size), most, unit))
        .find(|(count, most, _)| count < most)
        .map(|(count, _, unit)| (count, unit))?;
    let plural = if count > 1.0 { "s" } else { "" };
    Some(format!("{count} {unit}{plural}"))
}

/// An RFC 3339 time in the reader's own zone and language.
pub(crate) fn absolute(time: &str) -> String {
    let date = js_sys::Date::new(&JsValue::from_str(time));
    if date.get_time().is_nan() {
        return time.to_owned();
    }
    date.to_locale_string("default", &JsValue::UNDEFINED).into()
}

/// A whole number in groups of three, as the service's sentences have it: `1,204,331`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 2);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A percentage that never rounds a change to nothing.
pub(crate) fn percent(value: f64) -> String {
    if value > 0.0 && value < 0.01 {
        "< 0.01 %".to_owned()
    } else {
        format!("{value:.2} %")
    }
}

/// `1 page`, `2 pages`.
pub(crate) fn counted(number: u64, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", grouped(number))
}

/// The first few pages by their paths, and how many more there are: `/a, /b, /c and 12 more`.
pub(crate) fn few_of(urls: &[String]) -> String {
    const FEW: usize = 3;
    let first: Vec<String> = (urls.iter().take(FEW))
        .map(|url| short(&path_of(url)))
        .collect();
    let first = first.join(", ");
    match urls.len().saturating_sub(FEW) {
        0 => first,
        more => format!("{first} and {} more", grouped(more as u64)),
    }
}

/// A name as notices and announcements have it. A page without one is called by its address, of which the first and the last part
/// tell most.
pub(crate) fn short(label: &str) -> String {
    const MOST: usize = 80;
    const LAST: usize = 30;
    let count = label.chars().count();
    if count <= MOST {
        return label.to_owned();
    }
    let first = label.chars().take(MOST - 1 - LAST);
    let last = label.chars().skip(count - LAST);
    first.chain(['…']).chain(last).collect()
}

/// The part of an address that tells pages of one site apart.
pub(crate) fn path_of(url: &str) -> String {
    let after_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
    after_scheme
        .find('/')
        .map_or_else(|| "/".to_owned(), |at| after_scheme[at..].to_owned())
}

/// An origin without its scheme.
pub(crate) fn host_of(origin: &str) -> String {
    origin
        .split_once("://")
        .map_or(origin, |(_, rest)| rest)
        .trim_end_matches('/')
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        let cases = [
            (0.02, "20 ms"),
            (0.999, "999 ms"),
            (3.42, "3.4 s"),
            (125.0, "2 min 05 s"),
            (4320.0, "1 h 12 min"),
        ];
        for (seconds, text) in cases {
            assert_eq!(duration(seconds), text);
        }
    }

    #[test]
    fn spans() {
        for (seconds, text) in [
            (-5.0, None),
            (44.0, None),
            (50.0, Some("1 minute")),
            (3569.0, Some("59 minutes")),
            (3599.0, Some("1 hour")),
            (86_399.0, Some("1 day")),
            (29.6 * 86_400.0, Some("1 month")),
            (364.0 * 86_400.0, Some("1 year")),
            (800.0 * 86_400.0, Some("2 years")),
            (86_400.0, Some("1 day")),
            (7.0 * 86_400.0, Some("7 days")),
        ] {
            assert_eq!(span(seconds).as_deref(), text);
        }
    }

    #[test]
    fn numbers() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(1_204_331), "1,204,331");
        assert_eq!(percent(0.001), "< 0.01 %");
        assert_eq!(percent(0.0), "0.00 %");
        assert_eq!(counted(1, "page"), "1 page");
    }

    #[test]
    fn parts_of_addresses() {
        assert_eq!(path_of("https://a.example/b?c=1"), "/b?c=1");
        assert_eq!(path_of("https://a.example"), "/");
        assert_eq!(host_of("https://a.example/"), "a.example");
        let urls = ["a", "b", "c", "d", "e"].map(|path| format!("https://a.example/{path}"));
        assert_eq!(few_of(&urls[..2]), "/a, /b");
        assert_eq!(few_of(&urls), "/a, /b, /c and 2 more");
    }

    #[test]
    fn long_names_keep_their_ends() {
        let as_long_as_may_be = "ü".repeat(80);
        assert_eq!(short(&as_long_as_may_be), as_long_as_may_be);
        assert_eq!(short("/prices"), "/prices");
        let address = format!("/search?q={}&page=2", "ж".repeat(2_000));
        let shortened = short(&address);
        assert_eq!(shortened.chars().count(), 80);
        assert!(
            shortened.starts_with("/search?q=ж") && shortened.ends_with("ж&page=2"),
            "{shortened}"
        );
        assert_eq!(shortened.matches('…').count(), 1);
        let urls = [format!("https://a.example{address}")];
        assert_eq!(few_of(&urls), shortened);
    }
}
