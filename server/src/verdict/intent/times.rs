//! Texts that tell the time or the day, which are others at every capture.

use std::borrow::Cow;
use std::sync::LazyLock;

use pentimento_document::Finding;
use regex::{Regex, RegexBuilder};

/// Names of months, whole or cut short.
const MONTH: &str = "(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?\
                     |nov(ember)?|dec(ember)?)";

/// Spaces as browsers write them into times: no-break ones among them.
const SPACE: &str = r"(?u:\s)";

/// Times of day, dates and ages, as pages in English write them.
fn pattern() -> String {
    let forms = [
        // 14:05, 2:05:33 pm
        format!(r"\b\d{{1,2}}:\d{{2}}(:\d{{2}})?(\.\d+)?({SPACE}*[ap]\.?m\b\.?)?"),
        // 2026-11-22, 22/11/2026, 22.11.26
        r"\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}[./](\d{4}|\d{2})\b".to_owned(),
        // 22 November 2026, Nov 22nd, 2026
        format!(
            r"\b(\d{{1,2}}(st|nd|rd|th)?\.?{SPACE}+{MONTH}\b\.?|{MONTH}\.?{SPACE}+\d{{1,2}}(st|nd|rd|th)?\b)(,?{SPACE}+\d{{4}}\b)?"
        ),
        format!(
            r"\b(mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(today|yesterday|just{SPACE}now)\b"
        ),
        // 5 minutes ago, an hour ago
        format!(
            r"\b(\d+|an?|one|a{SPACE}few){SPACE}*(s|secs?|seconds?|min|mins|minutes?|h|hrs?|hours?|d|days?|weeks?|months?|years?){SPACE}+ago\b"
        ),
    ];
    forms.join("|")
}

/// What stands for a time where texts are compared without them.
const SOME_TIME: &str = "\u{1}";

/// Of ASCII letters and digits: classes of all Unicode make an expression large, and slow to make.
static TIMES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let expression = RegexBuilder::new(&pattern())
        .case_insensitive(true)
        .unicode(false)
        .build();
    expression.ok()
});

/// Whether a text before or after a change tells the time.
pub(super) fn are_told(finding: &Finding) -> bool {
    let mut texts = [&finding.before, &finding.after].into_iter().flatten();
    texts.any(|text| TIMES.as_ref().is_some_and(|times| times.is_match(text)))
}

/// Whether both texts of a change tell the time, and are the same but for that.
pub(super) fn alone_differ(finding: &Finding) -> bool {
    let (Some(before), Some(after)) = (&finding.before, &finding.after) else {
        return false;
    };
    let (before, after) = (without(before), without(after));
    before.contains(SOME_TIME) && before == after
}

fn without(text: &str) -> Cow<'_, str> {
    match &*TIMES {
        Some(times) => times.replace_all(text, SOME_TIME),
        None => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use pentimento_api::result::ChangeType;

    use super::*;

    fn edit(before: &str, after: &str) -> Finding {
        Finding {
            before: Some(before.to_owned()),
            after: Some(after.to_owned()),
            ..Finding::new(ChangeType::TextEdit, "p".to_owned())
        }
    }

    #[test]
    fn times_dates_and_ages_may_differ() {
        assert!(TIMES.is_some(), "the expression is valid");
        for (before, after) in [
            ("Updated at 14:05", "Updated at 09:31"),
            ("Loaded 2:05:33 pm", "Loaded 2:07:10 pm"),
            ("As of 2026-11-22", "As of 2026-11-23"),
            ("Sunday, 22 November 2026", "Monday, 23 November 2026"),
            ("Posted 5 minutes ago", "Posted an hour ago"),
            ("Nov 22, 2026", "Dec 1, 2026"),
            ("At 2:05\u{202f}PM", "At 2:06\u{202f}PM"),
            (
                "Gestern, 22.11.26 – für alle",
                "Gestern, 23.11.26 – für alle",
            ),
        ] {
            let finding = edit(before, after);
            assert!(are_told(&finding), "{before}");
            assert!(alone_differ(&finding), "{before} / {after}");
        }
    }

    #[test]
    fn other_words_and_figures_are_no_times() {
        for (before, after) in [
            ("19 €", "29 €"),
            ("Opens at 14:05", "Closes at 15:00"),
            ("1,204 readers", "1,377 readers"),
            ("You may sign in", "You may log in"),
            ("Version 1.2.3", "Version 1.2.4"),
            ("Decide in March", "Decorate in March"),
        ] {
            assert!(!alone_differ(&edit(before, after)), "{before} / {after}");
        }
    }
}
