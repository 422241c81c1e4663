//! Changes that are wrong whatever was meant: no intent makes them intentional.

use pentimento_api::result::ChangeType;
use pentimento_document::{DocumentDiff, Fault, Finding, Pulled, READABLE_CONTRAST};
use url::Url;

use super::changes::cut;

/// Elements that a page needs: when one of them is gone, something is broken.
const KEY_ELEMENTS: [&str; 8] = [
    "main", "nav", "header", "footer", "h1", "form", "button", "input",
];

/// Why a change is a bug by itself, in a sentence with its figures; nothing when it is none.
pub(super) fn hard_bug(document: &DocumentDiff, index: usize) -> Option<String> {
    // What is seen to be broken says more than the style that did it.
    let mut damages = document.damages.iter();
    let damage = damages.find(|damage| damage.cause == Some(index));
    damage
        .map(|damage| damage_sentence(&damage.fault))
        .or_else(|| of_change(&document.findings[index]))
}

/// What is broken, in a sentence.
pub(super) fn damage_sentence(fault: &Fault) -> String {
    match fault {
        Fault::Blank => {
            "The page is blank: neither a text nor a picture can be seen on it any more.".to_owned()
        }
        Fault::SticksOut { element, by } => {
            format!("What is in `{element}` now sticks out of it by {by} px, to the right.")
        }
        Fault::Overlaps {
            texts: [one, other],
        } => {
            format!(
                "“{}” and “{}” now lie over each other.",
                cut(one),
                cut(other)
            )
        }
        Fault::CutOff { element, shown } => {
            format!("The text of `{element}` is cut off now: {shown} % of its box can be seen.")
        }
        Fault::CutText { element, shown } => {
            format!(
                "The text of `{element}` does not fit its box any more: {shown} % of it can be seen."
            )
        }
        Fault::Error { message } => {
            format!("The page's scripts now throw an error: “{}”.", cut(message))
        }
    }
}

fn of_change(finding: &Finding) -> Option<String> {
    match finding.kind {
        ChangeType::MetaInsert | ChangeType::MetaEdit => metadata_bug(finding),
        ChangeType::ImageChange if finding.attribute == Some("broken") => Some(format!(
            "The picture `{}` cannot be shown any more.",
            finding.element
        )),
        ChangeType::Delete if takes_the_page(finding) => Some(format!(
            "`{}` is gone, and with it the main part of the page.",
            finding.element
        )),
        ChangeType::Delete if KEY_ELEMENTS.contains(&finding.tag.as_str()) => Some(format!(
            "A key element of the page, `{}`, is gone.",
            finding.element
        )),
        ChangeType::Delete => lost(finding)
            .map(|lost| {
                format!(
                    "A key element of the page, `{lost}`, is gone with `{}`.",
                    finding.element
                )
            })
            .or_else(|| unreadable(finding)),
        ChangeType::Insert => brought(finding),
        ChangeType::StyleOnly
        | ChangeType::TextEdit
        | ChangeType::Move
        | ChangeType::MoveWithEdit
        | ChangeType::ImageChange => style_bug(finding),
        _ => None,
    }
}

/// Whether what was deleted held what a page is about: scripts that fail leave an empty element behind.
fn takes_the_page(finding: &Finding) -> bool {
    let mut lost = finding.lost.iter();
    lost.any(|lost| matches!(lost.tag.as_str(), "main" | "h1"))
}

fn metadata_bug(finding: &Finding) -> Option<String> {
    let (before, after) = (finding.before.as_deref(), finding.after.as_deref()?);
    if finding.element.contains("robots") || finding.element.contains("googlebot") {
        let hides = |content: &str| {
            let content = content.to_lowercase();
            content.contains("noindex") || content.split(',').any(|word| word.trim() == "none")
        };
        let was_hidden = before.is_some_and(hides);
        return (hides(after) && !was_hidden).then(|| {
            format!(
                "`{}` now tells search engines to leave the page out: “{after}”.",
                finding.element
            )
        });
    }
    if finding.element.contains("canonical") {
        let host = |address: &str| Url::parse(address).ok()?.host_str().map(str::to_owned);
        let (was, is) = (host(before?)?, host(after)?);
        return (was != is).then(|| {
            format!("The page's canonical address moved to another host, from {was} to {is}.")
        });
    }
    None
}

/// The first key element that went with what it lay in.
fn lost(finding: &Finding) -> Option<&str> {
    let mut lost = finding.lost.iter();
    let key = lost.find(|lost| KEY_ELEMENTS.contains(&lost.tag.as_str()))?;
    Some(&key.element)
}

fn style_bug(finding: &Finding) -> Option<String> {
    if finding.hides() {
        let element = &finding.element;
        if finding.tag == "a" || KEY_ELEMENTS.contains(&finding.tag.as_str()) {
            return Some(format!(
                "A key element of the page, `{element}`, is hidden now."
            ));
        }
        return lost(finding).map(|lost| {
            format!("A key element of the page, `{lost}`, is hidden now with `{element}`.")
        });
    }
    pulled(finding).or_else(|| unreadable(finding))
}

/// What a margin that became negative breaks: one that pulls its element over empty room breaks nothing.
fn pulled(finding: &Finding) -> Option<String> {
    let (margin, pixels) = finding.negative_margin()?;
    let lies = match &finding.flaws.pulled {
        Pulled::Free => return None,
        Pulled::Over(other) => format!("lies over `{other}`, which is beside it"),
        Pulled::OffPage => "sticks out of the page".to_owned(),
        Pulled::Unknown => "lies over what is beside it, or sticks out of the page".to_owned(),
    };
    let element = &finding.element;
    Some(format!(
        "`{element}` now {lies}: its {margin} went to {pixels} px."
    ))
}

/// What came and is broken: once for each insert, however much of it is.
fn brought(finding: &Finding) -> Option<String> {
    let picture = finding.flaws.broken.as_ref();
    let broken =
        picture.map(|picture| format!("The picture `{picture}`, which is new, cannot be shown."));
    broken.or_else(|| unreadable(finding))
}

/// The text that can hardly be read because of a change.
fn unreadable(finding: &Finding) -> Option<String> {
    let text = finding.flaws.pale_text.as_ref()?;
    let (element, after) = (&text.element, text.after);
    Some(match text.before {
        Some(before) => format!(
            "The text of `{element}` can hardly be read any more: its contrast fell from {before:.1} to {after:.1}, below {READABLE_CONTRAST:.1}."
        ),
        None if finding.kind != ChangeType::Insert => format!(
            "The text of `{element}` can hardly be read any more: the picture or gradient that it lay on is gone, and its contrast is {after:.1} now, below {READABLE_CONTRAST:.1}."
        ),
        None => format!(
            "The text of `{element}`, which is new, can hardly be read: its contrast is {after:.1}, below {READABLE_CONTRAST:.1}."
        ),
    })
}

#[cfg(test)]
mod tests {
    use pentimento_document::PaleText;

    use super::*;

    fn finding(kind: ChangeType, tag: &str, element: &str, texts: [Option<&str>; 2]) -> Finding {
        let [before, after] = texts.map(|text| text.map(str::to_owned));
        Finding {
            tag: tag.to_owned(),
            before,
            after,
            ..Finding::new(kind, element.to_owned())
        }
    }

    #[test]
    fn leaving_search_engines_is_a_bug_and_returning_is_none() {
        let robots = |before, after| {
            of_change(&finding(
                ChangeType::MetaEdit,
                "",
                "meta[name=\"robots\"]",
                [before, after],
            ))
        };
        assert!(robots(Some("index"), Some("NOINDEX, follow")).is_some());
        assert!(robots(Some("noindex"), Some("noindex, nofollow")).is_none());
        assert!(robots(Some("noindex"), Some("index")).is_none());
    }

    #[test]
    fn a_canonical_address_may_change_within_its_host() {
        let canonical = |before, after| {
            of_change(&finding(
                ChangeType::MetaEdit,
                "",
                "link[rel=\"canonical\"]",
                [Some(before), Some(after)],
            ))
        };
        let there = "https://shop.example/a";
        assert!(canonical(there, "https://staging.example/a").is_some());
        assert!(canonical(there, "https://shop.example/b").is_none());
    }

    #[test]
    fn key_elements_may_neither_go_nor_hide() {
        let gone = |tag| of_change(&finding(ChangeType::Delete, tag, tag, [None; 2]));
        assert!(gone("form").is_some() && gone("li").is_none());
        let mut hidden = finding(ChangeType::StyleOnly, "button", "#buy", [None; 2]);
        let values = ["visible", "hidden"].map(str::to_owned);
        hidden.style.insert("visibility".to_owned(), values);
        assert!(of_change(&hidden).is_some());
    }

    #[test]
    fn what_is_lost_with_a_wrapper_is_told_with_it() {
        let lost = vec![pentimento_document::Lost {
            tag: "form".to_owned(),
            element: "#wrap > form".to_owned(),
        }];
        let mut gone = finding(ChangeType::Delete, "div", "#wrap", [None; 2]);
        assert_eq!(of_change(&gone), None);
        gone.lost.clone_from(&lost);
        assert_eq!(
            of_change(&gone).as_deref(),
            Some("A key element of the page, `#wrap > form`, is gone with `#wrap`.")
        );
        let mut hidden = finding(ChangeType::StyleOnly, "div", "#wrap", [None; 2]);
        hidden.lost = lost;
        let values = ["block", "none"].map(str::to_owned);
        hidden.style.insert("display".to_owned(), values);
        assert_eq!(
            of_change(&hidden).as_deref(),
            Some("A key element of the page, `#wrap > form`, is hidden now with `#wrap`.")
        );
    }

    #[test]
    fn text_must_stay_readable() {
        let mut card = finding(ChangeType::StyleOnly, "div", "#card", [None; 2]);
        // Its own colours alone are those of no text.
        card.contrast = Some([12.6, 1.4]);
        assert_eq!(of_change(&card), None);
        card.flaws.pale_text = Some(PaleText {
            element: "#card > p".to_owned(),
            before: Some(12.6),
            after: 1.4,
        });
        let bug = of_change(&card).unwrap();
        assert!(
            bug.contains("`#card > p`") && bug.contains("from 12.6 to 1.4, below 3.0"),
            "{bug}"
        );
    }

    #[test]
    fn what_goes_must_leave_its_texts_readable() {
        let mut gone = finding(ChangeType::Delete, "div", "#wrap", [None; 2]);
        gone.flaws.pale_text = Some(PaleText {
            element: "#intro".to_owned(),
            before: Some(21.0),
            after: 1.0,
        });
        assert_eq!(
            of_change(&gone).as_deref(),
            Some(
                "The text of `#intro` can hardly be read any more: its contrast fell from 21.0 to 1.0, below 3.0."
            )
        );
        let mut picture = finding(ChangeType::ImageChange, "div", "#wrap", [None; 2]);
        picture.flaws.pale_text = gone.flaws.pale_text.take();
        picture.flaws.pale_text.as_mut().unwrap().before = None;
        assert_eq!(
            of_change(&picture).as_deref(),
            Some(
                "The text of `#intro` can hardly be read any more: the picture or gradient that it lay on is gone, and its contrast is 1.0 now, below 3.0."
            )
        );
    }

    #[test]
    fn what_came_must_be_read_and_shown() {
        let mut card = finding(ChangeType::Insert, "div", "#card", [None; 2]);
        assert_eq!(of_change(&card), None);
        card.flaws.pale_text = Some(PaleText {
            element: "#card > p".to_owned(),
            before: None,
            after: 1.04,
        });
        assert_eq!(
            of_change(&card).as_deref(),
            Some(
                "The text of `#card > p`, which is new, can hardly be read: its contrast is 1.0, below 3.0."
            )
        );
        card.flaws.broken = Some("#card > img".to_owned());
        assert_eq!(
            of_change(&card).as_deref(),
            Some("The picture `#card > img`, which is new, cannot be shown.")
        );
    }

    #[test]
    fn a_negative_margin_breaks_what_its_element_comes_to_lie_over() {
        let mut card = finding(ChangeType::StyleOnly, "div", "#card", [None; 2]);
        let values = ["0px", "-80px"].map(str::to_owned);
        card.style.insert("margin-top".to_owned(), values);
        let mut told = |pulled| {
            card.flaws.pulled = pulled;
            of_change(&card)
        };
        assert_eq!(
            told(Pulled::Over("#intro".to_owned())).as_deref(),
            Some(
                "`#card` now lies over `#intro`, which is beside it: its margin-top went to -80 px."
            )
        );
        assert_eq!(
            told(Pulled::OffPage).as_deref(),
            Some("`#card` now sticks out of the page: its margin-top went to -80 px.")
        );
        assert!(told(Pulled::Unknown).is_some());
        assert_eq!(told(Pulled::Free), None, "it lies over empty room");
    }
}
