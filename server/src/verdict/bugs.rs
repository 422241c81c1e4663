//! Changes that are wrong whatever was meant: no intent makes them intentional.

use pentimento_api::result::ChangeType;
use pentimento_document::{DocumentDiff, Fault, Finding, Pulled, READABLE_CONTRAST};
use url::Url;

use super::changes::cut;

/// Elements that a page needs: when one of them is gone, something is broken.
const KEY_ELEMENTS: [&str; 10] = [
    "main", "nav", "header", "footer", "h1", "form", "button", "input", "select", "textarea",
];

/// Those of them whose work scripts give to elements of their own: a list with a search in it, an editor.
const REPLACED: [&str; 2] = ["select", "textarea"];

/// Why a change is a bug by itself, in a sentence with its figures; nothing when it is none.
pub(super) fn hard_bug(document: &DocumentDiff, index: usize) -> Option<String> {
    // What is seen to be broken says more than the style that did it.
    let mut damages = document.damages.iter();
    let damage = damages.find(|damage| damage.cause == Some(index));
    let finding = &document.findings[index];
    damage
        .map(|damage| damage_sentence(&damage.fault))
        .or_else(|| of_change(finding).filter(|_| !is_replaced(document, finding)))
}

/// Whether a field went or was hidden, and something came over half of its place that may do its work.
fn is_replaced(document: &DocumentDiff, finding: &Finding) -> bool {
    let goes = finding.kind == ChangeType::Delete || finding.hides();
    let Some(was) = finding.area_before.filter(|_| goes) else {
        return false;
    };
    let covers = |came: &Finding| {
        came.area.is_some_and(|is| {
            let (w, h) = was.shared(is);
            w * h > 0 && w * h * 2 >= was.w * was.h
        })
    };
    let mut inserts = (document.findings.iter()).filter(|it| it.kind == ChangeType::Insert);
    REPLACED.contains(&finding.tag.as_str()) && inserts.any(covers)
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
mod tests;
