//! What a notice holds, and who may read it.

use crate::shared::{Reader, Tone};

/// A notice. What was done goes away by itself; what failed stays until somebody has read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Toast {
    pub(crate) id: u64,
    pub(crate) tone: Tone,
    pub(crate) text: String,
    /// Where it leads: address and word.
    pub(crate) link: Option<(String, &'static str)>,
    /// Who was signed in when it came.
    pub(crate) reader: Option<Reader>,
    /// Whether it is for that reader alone, and goes with the session.
    pub(crate) is_secret: bool,
}

impl Toast {
    /// Whether it still shows when `now` is signed in, and `last` was before, whoever was signed out meanwhile. Nobody reads
    /// what was told to somebody else.
    pub(crate) fn stays(&self, last: Option<&Reader>, now: Option<&Reader>) -> bool {
        let is_another = last.is_some() && now.is_some() && last != now;
        self.reader.as_ref() == now || !is_another && !self.is_secret
    }
}

/// What is told of a secret that came after its page was left, and whether that is the secret.
pub(crate) fn late_secret(
    asked_by: Option<&Reader>,
    now: Option<&Reader>,
    what: &str,
    secret: &str,
) -> (String, bool) {
    match now {
        Some(_) if now == asked_by => (
            format!("You left the page before this came. {what}: {secret}"),
            true,
        ),
        Some(_) => (
            "A secret that another key had asked for came after this one had signed in, and is not shown. \
             Whoever asked for it makes a new one."
                .to_owned(),
            false,
        ),
        None => (
            format!("{what}, came after you had signed out. Make a new one."),
            false,
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(name: &str) -> Reader {
        Reader {
            organization: "main".to_owned(),
            name: name.to_owned(),
        }
    }

    #[test]
    fn a_late_secret_is_shown_to_whoever_has_asked_for_it_alone() {
        let (ana, ben) = (reader("ana"), reader("ben"));
        let told = |by, now| late_secret(by, now, "The key “ci”", "pnt_main_x");
        let (text, is_secret) = told(Some(&ana), Some(&ana));
        assert!(text.ends_with("The key “ci”: pnt_main_x") && is_secret);
        for (by, now) in [
            (Some(&ana), Some(&ben)),
            (None, Some(&ben)),
            (Some(&ana), None),
        ] {
            let (text, is_secret) = told(by, now);
            assert!(!text.contains("pnt_main_x") && !is_secret, "{text}");
            assert_eq!(text.contains("“ci”"), now.is_none(), "{text}");
        }
    }

    #[test]
    fn notices_go_when_another_reader_comes_and_secrets_with_the_session() {
        let (ana, ben) = (reader("ana"), reader("ben"));
        let toast = |of: Option<&Reader>, is_secret| Toast {
            id: 0,
            tone: Tone::Failed,
            text: String::new(),
            link: None,
            reader: of.cloned(),
            is_secret,
        };
        let (told, secret) = (toast(Some(&ana), false), toast(Some(&ana), true));
        // Signed out, and signed in again.
        assert!(told.stays(Some(&ana), None) && told.stays(Some(&ana), Some(&ana)));
        assert!(!secret.stays(Some(&ana), None) && secret.stays(Some(&ana), Some(&ana)));
        for gone in [&told, &secret, &toast(None, false)] {
            assert!(!gone.stays(Some(&ana), Some(&ben)));
        }
        // What is told of the change comes with it.
        assert!(toast(Some(&ben), false).stays(Some(&ana), Some(&ben)));
        assert!(toast(None, false).stays(None, Some(&ana)));
    }
}
