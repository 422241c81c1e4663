//! A change of the document in one sentence, with what it measured.

mod names;

use pentimento_api::result::ChangeType;
use pentimento_document::{DocumentDiff, Finding};

use super::colour::hex_of;
use super::numbers::thousands;
pub(super) use names::cut;
use names::{cut_pair, labelled, name, quoted};

/// Style properties that a sentence names.
const NAMED_PROPERTIES: usize = 3;

/// The sentence for the change with this number; what it made move is told with it.
pub(super) fn sentence(document: &DocumentDiff, index: usize) -> String {
    let finding = &document.findings[index];
    let mut text = told(finding);
    if let Some(moved) = document
        .findings
        .iter()
        .find(|other| other.kind == ChangeType::ReflowDisplacement && other.cause == Some(index))
    {
        text.push_str(&consequence(moved));
    }
    text.push('.');
    text
}

/// The same without what it made move.
pub(super) fn cause(finding: &Finding) -> String {
    told(finding) + "."
}

/// What moved because of a change, to go on with its sentence.
fn consequence(moved: &Finding) -> String {
    let way = match moved.shift {
        Some((_, down)) if down > 0 => format!(" {} px down", grouped(down)),
        Some((_, down)) if down < 0 => format!(" {} px up", grouped(down)),
        _ => String::new(),
    };
    match moved.collapsed {
        0 => format!("; what follows moved{way} because of it"),
        more => format!(
            "; what follows, {} elements, moved{way} because of it",
            thousands(u64::from(more) + 1)
        ),
    }
}

fn told(finding: &Finding) -> String {
    let name = name(finding);
    match finding.kind {
        ChangeType::TextEdit => edited(finding, &name),
        ChangeType::Insert => {
            let text = finding.text.as_ref().or(finding.after.as_ref());
            format!("{}{} was added", quoted(&name, text), size(finding))
        }
        ChangeType::Delete => {
            let text = finding.text.as_ref().or(finding.before.as_ref());
            format!("{} was removed", quoted(&name, text))
        }
        ChangeType::StyleOnly => format!("{}: {}", labelled(finding, &name), styles(finding)),
        ChangeType::ImageChange => image(finding, &name),
        ChangeType::Move => {
            let name = labelled(finding, &name);
            format!("{name} moved{}{}", way(finding), beside(finding))
        }
        ChangeType::MoveWithEdit => {
            let edited = edited(finding, &name);
            format!("{edited}, and moved{}{}", way(finding), beside(finding))
        }
        ChangeType::StickyReposition => format!(
            "{} keeps its place on the screen and so moved on the page{}",
            labelled(finding, &name),
            way(finding)
        ),
        ChangeType::ReflowDisplacement => {
            format!("{} moved{}", labelled(finding, &name), way(finding))
        }
        ChangeType::MetaEdit | ChangeType::SchemaEdit => {
            format!("{name} changed{}", from_to(finding))
        }
        ChangeType::MetaInsert | ChangeType::SchemaInsert => {
            format!("{} was added", quoted(&name, finding.after.as_ref()))
        }
        ChangeType::MetaDelete | ChangeType::SchemaDelete => {
            format!("{} was removed", quoted(&name, finding.before.as_ref()))
        }
    }
}

fn edited(finding: &Finding, name: &str) -> String {
    let changes = if let Some(attribute) = finding.attribute {
        let what = match attribute {
            "href" => "leads elsewhere",
            "alt" => "has another alternative text",
            "open" => "is folded otherwise",
            other => other,
        };
        format!("{} {what}{}", labelled(finding, name), from_to(finding))
    } else {
        match (&finding.before, &finding.after) {
            (Some(before), Some(after)) => {
                let [before, after] = cut_pair(before, after);
                format!("{name} “{before}” now reads “{after}”")
            }
            (None, Some(after)) => format!("{name} now reads “{}”, where no text was", cut(after)),
            (Some(before), None) => format!("{name} “{}” is without text now", cut(before)),
            (None, None) => format!("{name} was edited"),
        }
    };
    if finding.style.is_empty() {
        changes
    } else {
        format!("{changes}; {}", styles(finding))
    }
}

fn image(finding: &Finding, name: &str) -> String {
    let (before, after) = (finding.before.as_deref(), finding.after.as_deref());
    if finding.attribute == Some("broken") {
        let file = after.map_or_else(String::new, |after| {
            format!(", its file {} is broken", file(after))
        });
        return format!("{name} cannot be shown any more{file}");
    }
    // Of a background, which may be none.
    let kind = |painted: &str| match painted.split_once('(') {
        Some((function, _)) if function.ends_with("gradient") => "gradient",
        _ => "picture",
    };
    match (before, after) {
        (Some(before), Some("none")) => format!("{name} lost its background {}", kind(before)),
        (Some("none"), Some(after)) => format!("{name} got a background {}", kind(after)),
        (Some(before), Some(after)) if before != after => {
            format!(
                "{name} shows another file, {} instead of {}",
                file(after),
                file(before)
            )
        }
        _ => format!("{name} shows another picture"),
    }
}

fn file(address: &str) -> String {
    format!("`{}`", file_name(address))
}

/// The last part of an address: enough to know a file by.
pub(super) fn file_name(address: &str) -> String {
    let path = address.split(['?', '#']).next().unwrap_or(address);
    let last = path.rsplit('/').find(|part| !part.is_empty());
    cut(last.unwrap_or(path))
}

fn from_to(finding: &Finding) -> String {
    match (&finding.before, &finding.after) {
        (Some(before), Some(after)) => {
            let [before, after] = cut_pair(before, after);
            format!(" from “{before}” to “{after}”")
        }
        _ => String::new(),
    }
}

fn styles(finding: &Finding) -> String {
    let mut parts: Vec<String> = finding
        .style
        .iter()
        .take(NAMED_PROPERTIES)
        .map(|(property, [from, to])| {
            format!("{property} went from {} to {}", value(from), value(to))
        })
        .collect();
    let more = finding.style.len().saturating_sub(NAMED_PROPERTIES);
    if more > 0 {
        parts.push(format!("and {more} more"));
    }
    parts.join(", ")
}

/// A style's value; opaque colours as people write them.
fn value(text: &str) -> String {
    match hex_of(text) {
        Some(colour) => colour,
        None if text.is_empty() => "nothing".to_owned(),
        None => cut(text),
    }
}

fn way(finding: &Finding) -> String {
    let part = |by: i64, forth: &str, back: &str| {
        (by != 0).then(|| format!("{} px {}", grouped(by), if by > 0 { forth } else { back }))
    };
    let Some((x, y)) = finding.shift else {
        return String::new();
    };
    let parts: Vec<String> = [
        part(x, "to the right", "to the left"),
        part(y, "down", "up"),
    ]
    .into_iter()
    .flatten()
    .collect();
    if parts.is_empty() {
        return String::new();
    }
    format!(" {}", parts.join(" and "))
}

/// What an element stands next to now that it moved.
fn beside(finding: &Finding) -> String {
    let beside = (finding.beside.as_ref()).filter(|text| finding.text.as_ref() != Some(text));
    beside.map_or_else(String::new, |text| format!(", now beside “{}”", cut(text)))
}

fn size(finding: &Finding) -> String {
    finding
        .area
        .filter(|area| area.w > 0 && area.h > 0)
        .map_or_else(String::new, |area| {
            format!(" ({} × {} px)", grouped(area.w), grouped(area.h))
        })
}

fn grouped(number: i64) -> String {
    thousands(number.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use pentimento_document::Area;

    use super::*;

    fn finding(kind: ChangeType, tag: &str, element: &str) -> Finding {
        Finding {
            tag: tag.to_owned(),
            ..Finding::new(kind, element.to_owned())
        }
    }

    fn texts(mut finding: Finding, before: Option<&str>, after: Option<&str>) -> Finding {
        finding.before = before.map(str::to_owned);
        finding.after = after.map(str::to_owned);
        finding
    }

    fn said(findings: Vec<Finding>) -> String {
        sentence(
            &DocumentDiff {
                findings,
                ..DocumentDiff::default()
            },
            0,
        )
    }

    #[test]
    fn texts_are_quoted() {
        let heading = finding(ChangeType::TextEdit, "h2", "main > h2");
        assert_eq!(
            said(vec![texts(heading.clone(), Some("19 €"), Some("29 €"))]),
            "Heading “19 €” now reads “29 €”."
        );
        let long = "word ".repeat(100);
        let sentence = said(vec![texts(heading, Some("19 €"), Some(&long))]);
        assert!(sentence.chars().count() < 140, "{sentence}");
        let mut link = finding(ChangeType::TextEdit, "a", "nav > a");
        link.attribute = Some("href");
        assert_eq!(
            said(vec![texts(link, Some("/plans"), Some("/pricing"))]),
            "Link `nav > a` leads elsewhere from “/plans” to “/pricing”."
        );
    }

    #[test]
    fn a_cause_is_told_with_what_it_moved() {
        let mut banner = texts(
            finding(ChangeType::Insert, "div", "#sale"),
            None,
            Some("Summer sale"),
        );
        banner.area = Some(Area {
            x: 0,
            y: 0,
            w: 1280,
            h: 96,
        });
        let mut moved = finding(ChangeType::ReflowDisplacement, "main", "main");
        (moved.cause, moved.shift, moved.collapsed) = (Some(0), Some((0, 96)), 1200);
        assert_eq!(
            said(vec![banner, moved]),
            "Block “Summer sale” (1,280 × 96 px) was added; what follows, 1,201 elements, moved 96 px down because of it."
        );
    }

    #[test]
    fn styles_are_told_as_people_write_them() {
        let mut button = finding(ChangeType::StyleOnly, "button", "form > button");
        let mut style = |property: &str, from: &str, to: &str| {
            let values = [from.to_owned(), to.to_owned()];
            button.style.insert(property.to_owned(), values);
        };
        style("background-color", "rgb(0, 170, 119)", "rgba(0, 0, 0, 0.5)");
        style("color", "rgb(255, 255, 255)", "rgb(0, 0, 0)");
        style("font-weight", "400", "700");
        style("opacity", "1", "0.9");
        assert_eq!(
            said(vec![button]),
            "Button `form > button`: background-color went from #00aa77 to rgba(0, 0, 0, 0.5), color went from #ffffff to #000000, \
             font-weight went from 400 to 700, and 1 more."
        );
    }

    #[test]
    fn metadata_goes_by_its_own_name() {
        let title = texts(
            finding(ChangeType::MetaEdit, "", "title"),
            Some("Plans"),
            Some("Pricing"),
        );
        assert_eq!(
            said(vec![title]),
            "The page's title changed from “Plans” to “Pricing”."
        );
        let robots = texts(
            finding(ChangeType::MetaInsert, "", "meta[name=\"robots\"]"),
            None,
            Some("noindex"),
        );
        assert_eq!(
            said(vec![robots]),
            "meta[name=\"robots\"] “noindex” was added."
        );
    }

    #[test]
    fn pictures_and_moves_are_told_by_their_figures() {
        let picture = texts(
            finding(ChangeType::ImageChange, "img", "figure > img"),
            Some("/img/one.png?v=1"),
            Some("https://cdn.example/two.png"),
        );
        assert_eq!(
            said(vec![picture]),
            "Picture shows another file, `two.png` instead of `one.png`."
        );
        let background = |from: &str, to: &str| {
            let section = finding(ChangeType::ImageChange, "section", "#hero");
            said(vec![texts(section, Some(from), Some(to))])
        };
        let (gradient, picture) = (
            "linear-gradient(rgb(16, 32, 64), rgb(32, 48, 96))",
            "url(\"/sea.jpg\")",
        );
        assert_eq!(
            background(gradient, "none"),
            "Section lost its background gradient."
        );
        assert_eq!(
            background(picture, "none"),
            "Section lost its background picture."
        );
        assert_eq!(
            background("none", gradient),
            "Section got a background gradient."
        );
        let mut card = finding(ChangeType::Move, "article", "#card-3");
        card.shift = Some((-320, 12));
        assert_eq!(
            said(vec![card]),
            "Section `#card-3` moved 320 px to the left and 12 px down."
        );
    }
}
