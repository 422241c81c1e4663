//! A gate credential as it stands in the form. The service never gives one back, so a stored one can stay, go or be
//! replaced.

use std::collections::BTreeMap;

use pentimento_api::gate::{GateCookie, GateCredential, GateLogin, GateState};
use pentimento_api::patch::Patch;

use super::lines::entries;

/// What is to become of a credential.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum GateChoice {
    /// There is to be none.
    #[default]
    Open,
    /// The stored one stays.
    Stored,
    Basic,
    Headers,
    Cookies,
}

impl GateChoice {
    pub(crate) const ALL: [Self; 5] = [
        Self::Open,
        Self::Stored,
        Self::Basic,
        Self::Headers,
        Self::Cookies,
    ];
}

/// A credential's texts.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct GateDraft {
    pub(crate) choice: GateChoice,
    pub(crate) username: String,
    pub(crate) password: String,
    /// `Name: value` a line.
    pub(crate) headers: String,
    /// `name=value` a line.
    pub(crate) cookies: String,
}

impl GateDraft {
    pub(crate) fn of(state: Option<GateState>) -> Self {
        Self {
            choice: state.map_or(GateChoice::Open, |_| GateChoice::Stored),
            ..Self::default()
        }
    }

    /// What is sent, when `stored` is what is there; otherwise what is wrong with it.
    pub(crate) fn patch(&self, stored: &Self) -> Result<Patch<GateCredential>, &'static str> {
        Ok(match self.choice {
            choice
                if choice == stored.choice
                    && matches!(choice, GateChoice::Open | GateChoice::Stored) =>
            {
                Patch::Absent
            }
            GateChoice::Open => Patch::Clear,
            GateChoice::Stored => Patch::Absent,
            GateChoice::Basic => Patch::Set(GateCredential::Basic(GateLogin {
                username: self.username.clone(),
                password: self.password.clone(),
            })),
            GateChoice::Headers => {
                let headers: Option<BTreeMap<String, String>> =
                    entries(&self.headers).map(|line| pair(line, ':')).collect();
                Patch::Set(GateCredential::Headers(
                    headers.ok_or("A header is written `Name: value`, one on each line.")?,
                ))
            }
            GateChoice::Cookies => {
                let cookies: Option<Vec<GateCookie>> = entries(&self.cookies)
                    .map(|line| pair(line, '=').map(|(name, value)| GateCookie { name, value }))
                    .collect();
                Patch::Set(GateCredential::Cookies(
                    cookies.ok_or("A cookie is written `name=value`, one on each line.")?,
                ))
            }
        })
    }
}

fn pair(line: &str, between: char) -> Option<(String, String)> {
    let (name, value) = line.split_once(between)?;
    let (name, value) = (name.trim(), value.trim());
    (!name.is_empty()).then(|| (name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn sent(draft: &GateDraft, is_stored: bool) -> Result<serde_json::Value, &'static str> {
        let stored = GateDraft::of(is_stored.then_some(GateState { configured: true }));
        draft.patch(&stored).map(|patch| match patch {
            Patch::Absent => json!("absent"),
            other => serde_json::to_value(other).unwrap(),
        })
    }

    #[test]
    fn a_stored_credential_stays_goes_or_is_replaced() {
        let choose = |choice| GateDraft {
            choice,
            username: "ana".to_owned(),
            password: " p:w ".to_owned(),
            headers: "X-Gate: a:b\n\nX-Two:2".to_owned(),
            cookies: "session=a=b".to_owned(),
        };
        assert_eq!(sent(&choose(GateChoice::Stored), true), Ok(json!("absent")));
        assert_eq!(sent(&choose(GateChoice::Open), false), Ok(json!("absent")));
        assert_eq!(sent(&choose(GateChoice::Open), true), Ok(json!(null)));
        assert_eq!(
            sent(&choose(GateChoice::Basic), true),
            Ok(json!({ "basic": { "username": "ana", "password": " p:w " } }))
        );
        assert_eq!(
            sent(&choose(GateChoice::Headers), false),
            Ok(json!({ "headers": { "X-Gate": "a:b", "X-Two": "2" } }))
        );
        assert_eq!(
            sent(&choose(GateChoice::Cookies), false),
            Ok(json!({ "cookies": [{ "name": "session", "value": "a=b" }] }))
        );
    }

    #[test]
    fn a_line_without_a_name_is_told() {
        for (choice, text) in [(GateChoice::Headers, "token"), (GateChoice::Cookies, "=x")] {
            let draft = GateDraft {
                choice,
                headers: text.to_owned(),
                cookies: text.to_owned(),
                ..GateDraft::default()
            };
            assert!(sent(&draft, false).is_err());
        }
    }
}
