//! The intent as it is sent, and what an answer may quote of it.

use pentimento_api::crawl::RunContext;
use serde::Serialize;

use crate::verdict::Intent;

/// Most characters of all texts that are sent.
const MAX_SENT_CHARACTERS: usize = 4_000;

/// What a project and a run say of themselves.
#[derive(Debug, Default)]
pub struct IntentTexts {
    sent: Vec<SentText>,
    /// The whole texts, to find quotations in.
    whole: Vec<String>,
    /// The same without the sentences that say what must stay.
    wanted: Vec<String>,
    /// How the project wants findings worded; no verdict may quote it.
    instructions: Option<String>,
}

/// One text of the intent.
#[derive(Debug, Serialize)]
pub(super) struct SentText {
    from: &'static str,
    text: String,
}

impl IntentTexts {
    /// The texts of a project and a run; without any when they say nothing.
    pub fn of(project: Option<&str>, run: Option<&RunContext>) -> Self {
        let Some(intent) = Intent::of(project, run) else {
            return Self::default();
        };
        let promises: Vec<String> = intent.promises().map(plain).collect();
        let (mut sent, mut whole) = (Vec::new(), Vec::new());
        let mut left = MAX_SENT_CHARACTERS;
        for (from, text) in texts(project, run) {
            if text.trim().is_empty() {
                continue;
            }
            whole.push(plain(text));
            let text: String = text.trim().chars().take(left).collect();
            left -= text.chars().count();
            if !text.is_empty() {
                sent.push(SentText { from, text });
            }
        }
        let without_promises = |text: &String| {
            let promises = promises.iter();
            promises.fold(text.clone(), |text, promise| text.replace(promise, "\n"))
        };
        let wanted = whole.iter().map(without_promises).collect();
        Self {
            sent,
            whole,
            wanted,
            instructions: None,
        }
    }

    /// The same with what the project says of wording.
    #[must_use]
    pub fn with_instructions(self, instructions: Option<String>) -> Self {
        Self {
            instructions,
            ..self
        }
    }

    /// How findings should be worded.
    pub(super) fn instructions(&self) -> Option<&str> {
        self.instructions.as_deref()
    }

    /// What is sent.
    pub(super) fn sent(&self) -> &[SentText] {
        &self.sent
    }

    /// Whether the intent says this, in any of its texts.
    pub(super) fn says(&self, quoted: &str) -> bool {
        holds(&self.whole, quoted)
    }

    /// Whether the intent says this where it does not say what must stay.
    pub(super) fn wants(&self, quoted: &str) -> bool {
        holds(&self.wanted, quoted)
    }
}

fn texts<'a>(
    project: Option<&'a str>,
    run: Option<&'a RunContext>,
) -> impl Iterator<Item = (&'static str, &'a str)> {
    let project = project.map(|text| ("projectIntent", text));
    let single = run.into_iter().flat_map(|run| {
        [
            ("changeDescription", &run.change_description),
            ("prTitle", &run.pr_title),
            ("gitCommitMessage", &run.git_commit_message),
            ("prDescription", &run.pr_description),
        ]
    });
    let single = single.filter_map(|(from, text)| Some((from, text.as_deref()?)));
    let lists = run.into_iter().flat_map(|run| {
        [
            ("expectedChange", &run.expected_changes),
            ("scope", &run.scope),
        ]
    });
    let listed = lists.flat_map(|(from, list)| {
        let list = list.iter().flatten();
        list.map(move |text| (from, text.as_str()))
    });
    // What is expected says most, so it is sent first.
    listed.chain(project).chain(single)
}

fn holds(texts: &[String], quoted: &str) -> bool {
    let quoted = plain(quoted);
    texts.iter().any(|text| text.contains(&quoted))
}

/// In lower case, with single spaces.
fn plain(text: &str) -> String {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_must_stay_is_no_wish() {
        let run = RunContext {
            change_description: Some("New prices;  the Footer must not change.".to_owned()),
            pr_description: Some("x".repeat(5_000)),
            ..RunContext::default()
        };
        let texts = IntentTexts::of(Some("A shop"), Some(&run));
        assert!(texts.says("the footer must not") && texts.wants("new prices"));
        assert!(!texts.wants("the footer must not") && !texts.wants("the footer"));
        let sent = texts.sent().iter().map(|sent| sent.text.chars().count());
        assert_eq!(sent.sum::<usize>(), MAX_SENT_CHARACTERS);
        assert!(IntentTexts::of(None, None).sent().is_empty());
    }
}
