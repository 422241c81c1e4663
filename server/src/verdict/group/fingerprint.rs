//! What stays the same of a change on another page, and at another width.
//!
//! Its kind, the shape of its selector, its texts, and its styles: each by its property, with both values where these are
//! the same everywhere. Of lengths, which hang on the width of the page, only the way that they went counts. What came,
//! went, moved or was hidden is known by what it says, and what moved by the way and by what it stands beside now. Where
//! things lie, and what they displaced, is no part of it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use pentimento_api::result::ChangeType;
use pentimento_document::{Finding, Pulled};

/// Stands between the parts: no text holds it.
const SEPARATOR: &str = "\u{1f}";

/// Styles that stand for what no capture records: the box is of another size. Which of both shows it hangs on the width.
const SIZES: [&str; 2] = ["height", "width"];

pub(super) fn fingerprint(finding: &Finding) -> String {
    let styles: BTreeSet<String> = (finding.style.iter())
        .map(|(property, values)| style_shape(property, values))
        .collect();
    let styles: Vec<String> = styles.into_iter().collect();
    let is_moved = matches!(finding.kind, ChangeType::Move | ChangeType::MoveWithEdit);
    let mut parts = vec![
        format!("{:?}", finding.kind),
        selector_shape(&finding.element),
        finding.attribute.unwrap_or_default().to_owned(),
        words(finding.before.as_ref()),
        words(finding.after.as_ref()),
        styles.join(";"),
        words(
            finding
                .text
                .as_ref()
                .filter(|_| is_known_by_its_text(finding)),
        ),
        words(finding.beside.as_ref().filter(|_| is_moved)),
        way(finding.shift.filter(|_| is_moved)).to_owned(),
    ];
    // Where it broke something, one decision does not settle what it is elsewhere.
    parts.extend(breaks(finding).map(str::to_owned));
    parts.join(SEPARATOR)
}

/// What a change broke in its element.
fn breaks(finding: &Finding) -> impl Iterator<Item = &'static str> {
    let flaws = &finding.flaws;
    let known = [
        flaws.broken.is_some().then_some("broken"),
        flaws.pale_text.is_some().then_some("unreadable"),
        matches!(flaws.pulled, Pulled::Over(_) | Pulled::OffPage).then_some("covers"),
    ];
    known.into_iter().flatten()
}

/// Whether a change of the same kind in the same place of another page is another one when something else stands there.
fn is_known_by_its_text(finding: &Finding) -> bool {
    use ChangeType::{Delete, ImageChange, Insert, Move, MoveWithEdit};
    let is_of_the_whole = matches!(
        finding.kind,
        Delete | ImageChange | Insert | Move | MoveWithEdit
    );
    is_of_the_whole || finding.hides()
}

/// A text with single spaces.
fn words(text: Option<&String>) -> String {
    let words = text.map(String::as_str).unwrap_or_default();
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether something went on in the order of the page, or back: in a row that is to the side, on a narrow page downwards.
fn way(shift: Option<(i64, i64)>) -> &'static str {
    match shift {
        Some((0, 0)) | None => "",
        Some((right, 0)) if right > 0 => "on",
        Some((_, down)) if down > 0 => "on",
        Some(_) => "back",
    }
}

/// A style's property, with its values or the way that its lengths went.
fn style_shape(property: &str, [from, to]: &[String; 2]) -> String {
    if SIZES.contains(&property) {
        return "size".to_owned();
    }
    let (was, is) = (Value::read(from), Value::read(to));
    let mut shape = format!("{property}:{}>{}", was.shape, is.shape);
    let pairs = was.lengths.iter().zip(&is.lengths);
    let way = pairs
        .map(|(was, is)| is.total_cmp(was))
        .find(|way| way.is_ne());
    if let Some(way) = way {
        let _ = write!(shape, "{}", if way.is_gt() { '+' } else { '-' });
    }
    shape
}

/// A style's value.
struct Value {
    /// The value with the same sign for each of its lengths.
    shape: String,
    lengths: Vec<f64>,
}

impl Value {
    fn read(text: &str) -> Self {
        let mut value = Self {
            shape: String::with_capacity(text.len()),
            lengths: Vec::new(),
        };
        let mut rest = text;
        while let Some(next) = rest.chars().next() {
            let taken = if let Some((length, taken)) = length(rest) {
                value.lengths.push(length);
                value.shape.push('#');
                taken
            } else {
                // The digits of a word or of a plain number are no beginning of a length.
                let word = rest.find(|c: char| !is_of_a_word(c)).unwrap_or(rest.len());
                let taken = word.max(next.len_utf8());
                value.shape.push_str(&rest[..taken]);
                taken
            };
            rest = &rest[taken..];
        }
        value
    }
}

fn is_of_a_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '.' | '-' | '+' | '_')
}

/// The length or percentage with which a text begins, and how many bytes it has.
fn length(text: &str) -> Option<(f64, usize)> {
    let is_of_a_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+');
    let end = text.find(|c| !is_of_a_number(c))?;
    let number = text[..end].parse().ok()?;
    let unit = ["px", "%"]
        .into_iter()
        .find(|unit| text[end..].starts_with(unit))?;
    Some((number, end + unit.len()))
}

/// A selector without places among siblings and with all numbers alike.
fn selector_shape(selector: &str) -> String {
    let mut shape = String::new();
    let mut rest = selector;
    while let Some(start) = rest.find(":nth-of-type(") {
        shape.push_str(&rest[..start]);
        rest = rest[start..]
            .find(')')
            .map_or("", |end| &rest[start + end + 1..]);
    }
    shape.push_str(rest);
    let mut last_digit = false;
    shape.retain(|character| {
        let again = last_digit && character.is_ascii_digit();
        last_digit = character.is_ascii_digit();
        !again
    });
    shape
        .chars()
        .map(|character| {
            if character.is_ascii_digit() {
                '0'
            } else {
                character
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use pentimento_document::PaleText;

    use super::*;

    fn styled(styles: &[(&str, &str, &str)]) -> String {
        let mut finding = Finding::new(ChangeType::StyleOnly, "h1".to_owned());
        for (property, from, to) in styles {
            let values = [from, to].map(|value| (*value).to_owned());
            finding.style.insert((*property).to_owned(), values);
        }
        fingerprint(&finding)
    }

    #[test]
    fn lengths_hang_on_the_width_of_the_page() {
        let coloured = |size: &str, color: &str| {
            styled(&[
                ("font-size", "16px", size),
                ("background-color", "rgb(0, 0, 0)", color),
            ])
        };
        assert_eq!(coloured("20px", "red"), coloured("32.5px", "red"));
        assert_ne!(coloured("20px", "red"), coloured("20px", "blue"));
    }

    #[test]
    fn another_property_or_the_other_way_is_another_change() {
        let one = |property, from, to| styled(&[(property, from, to)]);
        let wider = one("padding-top", "8px", "16px");
        assert_eq!(wider, one("padding-top", "12px", "20px"));
        for other in [
            one("padding-top", "16px", "8px"),
            one("margin-top", "8px", "16px"),
            one("padding-top", "normal", "16px"),
            styled(&[("padding-top", "8px", "16px"), ("margin-top", "0px", "4px")]),
        ] {
            assert_ne!(wider, other);
        }
        let shadow = |color: &str, blur: u8| {
            let is = format!("rgba({color}) 0px 2px {blur}px 0px");
            styled(&[("box-shadow", "rgba(0, 0, 0, 0.2) 0px 2px 1px 0px", &is)])
        };
        assert_eq!(shadow("0, 0, 0, 0.2", 4), shadow("0, 0, 0, 0.2", 9));
        assert_ne!(shadow("0, 0, 0, 0.2", 4), shadow("9, 0, 0, 0.2", 4));
        assert_eq!(
            one("width", "300px", "280px"),
            styled(&[("height", "20px", "40px"), ("width", "90px", "80px")]),
            "what wraps on a narrow page grows downwards"
        );
    }

    fn of(kind: ChangeType, text: &str) -> Finding {
        Finding {
            text: Some(text.to_owned()),
            ..Finding::new(kind, "main > section:nth-of-type(2)".to_owned())
        }
    }

    #[test]
    fn what_moved_is_known_by_what_it_says_and_where_it_went() {
        let moved = |text, beside: &str, shift| {
            fingerprint(&Finding {
                beside: Some(beside.to_owned()),
                shift: Some(shift),
                ..of(ChangeType::Move, text)
            })
        };
        let one = moved("Prices", "Questions", (300, 0));
        assert_eq!(one, moved("Prices", "Questions", (0, 410)), "on a phone");
        assert_eq!(
            one,
            moved("Prices", "Questions", (-600, 90)),
            "the next row"
        );
        for other in [
            moved("Opening hours", "Questions", (300, 0)),
            moved("Prices", "Imprint", (300, 0)),
            moved("Prices", "Questions", (-300, 0)),
            moved("Prices", "Questions", (0, -410)),
        ] {
            assert_ne!(one, other);
        }
    }

    #[test]
    fn what_is_hidden_is_known_by_what_it_says_and_what_is_restyled_is_not() {
        let restyled = |text, property: &str, [from, to]: [&str; 2]| {
            let mut finding = of(ChangeType::StyleOnly, text);
            let values = [from, to].map(str::to_owned);
            finding.style.insert(property.to_owned(), values);
            fingerprint(&finding)
        };
        let hidden = |text| restyled(text, "display", ["block", "none"]);
        assert_ne!(hidden("Buy"), hidden("Cancel"));
        let red = |text| restyled(text, "color", ["black", "red"]);
        assert_eq!(red("Plans"), red("About us"));
    }

    #[test]
    fn pictures_are_known_by_their_files_and_their_words() {
        let picture = |kind, after: Option<&str>, text| {
            fingerprint(&Finding {
                after: after.map(str::to_owned),
                ..of(kind, text)
            })
        };
        let swapped = |file| picture(ChangeType::ImageChange, Some(file), "Our harbour");
        assert_ne!(swapped("/a.png"), swapped("/b.png"));
        let added = |text| picture(ChangeType::Insert, None, text);
        assert_ne!(added("Our harbour"), added("Our boats"));
    }

    #[test]
    fn an_edit_that_broke_something_is_another_one() {
        let sound = of(ChangeType::StyleOnly, "Plans");
        let mut broken = sound.clone();
        broken.flaws.pale_text = Some(PaleText {
            element: "main p".to_owned(),
            before: Some(12.6),
            after: 1.4,
        });
        let elsewhere = fingerprint(&broken);
        assert_ne!(fingerprint(&sound), elsewhere);
        broken.flaws.pale_text.as_mut().unwrap().after = 1.2;
        assert_eq!(fingerprint(&broken), elsewhere);
    }
}
