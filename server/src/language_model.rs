//! The optional language model: it words findings and says of those that the rules leave open whether they were meant.
//!
//! Off unless the operator names an endpoint. It is never sent a text of a page, and what it answers is used finding by
//! finding, where the rules of `answer` and `wording` let it: a refusal of any kind leaves the measured result as it is.
//! `docs/judging.md` has the rules.

mod answer;
mod described;
mod intent;
mod protocol;
mod question;
mod refusal;
mod round;
mod wording;

use std::time::Duration;

use tokio::sync::Semaphore;

use crate::config::LanguageModelSettings;
use protocol::Endpoint;

pub use described::{Described, Used};
pub use intent::IntentTexts;
pub use question::Which;
pub use refusal::Refusal;
pub use round::{Answers, Reply};

/// Questions that one process asks at once.
const AT_ONCE: usize = 4;

/// Longest name of a model, in characters.
const MAX_NAME_CHARACTERS: usize = 200;

/// A language model that is asked over HTTP.
pub struct LanguageModel {
    name: String,
    endpoint: Endpoint,
    limits: Limits,
    permits: Semaphore,
}

/// What asking may cost.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// Longest wait for one answer.
    question: Duration,
    /// Most questions of a job.
    questions: usize,
    /// Longest time that a job waits for answers in all.
    job: Duration,
}

impl LanguageModel {
    /// The model that the settings name; none when they name none.
    ///
    /// # Errors
    /// The settings are half there or wrong; the message says what to do.
    pub fn from_settings(
        settings: &LanguageModelSettings,
        http: reqwest::Client,
    ) -> anyhow::Result<Option<Self>> {
        let (base, name) = match (&settings.url, settings.name.as_deref().map(str::trim)) {
            (None, None | Some("")) => return Ok(None),
            (Some(base), Some(name)) if !name.is_empty() => (base, name),
            (Some(_), _) => anyhow::bail!(
                "--language-model-url is set, and no model is named; add --language-model with its name"
            ),
            (None, Some(_)) => anyhow::bail!(
                "--language-model is set, and not where it answers; add --language-model-url, such as http://127.0.0.1:11434/v1"
            ),
        };
        anyhow::ensure!(
            name.chars().count() <= MAX_NAME_CHARACTERS && !name.contains(char::is_control),
            "--language-model must be a name of at most {MAX_NAME_CHARACTERS} characters"
        );
        Ok(Some(Self {
            name: name.to_owned(),
            endpoint: Endpoint::new(base, settings.key.as_ref(), http)?,
            limits: Limits {
                question: Duration::from_secs(u64::from(settings.timeout_seconds)),
                questions: settings.questions as usize,
                job: Duration::from_secs(u64::from(settings.job_seconds)),
            },
            permits: Semaphore::new(AT_ONCE),
        }))
    }

    /// Its name, as results record it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The host that it answers on.
    pub fn origin(&self) -> String {
        self.endpoint.origin()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(url: Option<&str>, name: Option<&str>) -> anyhow::Result<Option<LanguageModel>> {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let settings = LanguageModelSettings {
            url: url.map(|url| url.parse().unwrap()),
            name: name.map(str::to_owned),
            key: None,
            timeout_seconds: 20,
            questions: 50,
            job_seconds: 60,
        };
        LanguageModel::from_settings(&settings, reqwest::Client::new())
    }

    #[test]
    fn it_is_off_unless_both_are_named() {
        let url = Some("http://127.0.0.1:11434/v1");
        assert!(from(None, None).unwrap().is_none());
        let on = from(url, Some("small")).unwrap().unwrap();
        assert_eq!(
            (on.name(), on.origin()),
            ("small", "http://127.0.0.1:11434".to_owned())
        );
        let no_name = from(url, None).err().unwrap().to_string();
        assert!(no_name.contains("add --language-model with"), "{no_name}");
        let no_url = from(None, Some("small")).err().unwrap().to_string();
        assert!(no_url.contains("add --language-model-url"), "{no_url}");
    }
}
