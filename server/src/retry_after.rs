//! When another service wants to be asked again.

use std::time::Duration;

use reqwest::header::{HeaderMap, RETRY_AFTER};

/// `Retry-After` in seconds (RFC 9110, 10.2.3). One with a date hangs on two clocks, and is none to us.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?;
    seconds.trim().parse().map(Duration::from_secs).ok()
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;

    use super::*;

    #[test]
    fn seconds_are_read_and_nothing_else() {
        for (text, asked) in [
            ("120", Some(120)),
            (" 0 ", Some(0)),
            ("18446744073709551615", Some(u64::MAX)),
            ("18446744073709551616", None),
            ("-1", None),
            ("1.5", None),
            ("Fri, 31 Dec 1999 23:59:59 GMT", None),
            ("", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, HeaderValue::from_static(text));
            let asked = asked.map(Duration::from_secs);
            assert_eq!(retry_after(&headers), asked, "{text}");
        }
        assert_eq!(retry_after(&HeaderMap::new()), None);
    }
}
