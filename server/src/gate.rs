//! Gate credentials: what lets the service past the gate of a site under test, and keeping it from everybody else.
//!
//! A credential belongs to one origin of a project. It is stored sealed, opened when a page or sitemap of that origin is
//! fetched, and sent to no other. What it holds is shown neither by an answer nor by `Debug`.

mod check;
pub mod of_job;

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use pentimento_api::gate::{GateCookie, GateCredential, GateLogin};
use reqwest::header::{AUTHORIZATION, COOKIE, HeaderMap, HeaderName, HeaderValue};
use secrecy::{ExposeSecret, SecretString};

/// Which origin of a project a credential is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The test origin.
    Test,
    /// The base origin.
    Base,
}

impl Side {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Test, Self::Base];

    /// The word that rows name it by.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Test => "test",
            Self::Base => "base",
        }
    }

    /// The field that holds the credential.
    pub fn field(self) -> &'static str {
        match self {
            Self::Test => "testAuth",
            Self::Base => "baseAuth",
        }
    }

    /// Where a project's credential of this side is stored, as [`crate::vault::Vault`] names it.
    pub(crate) fn place(self, project_id: &str) -> String {
        format!("{project_id}\n{}", self.field())
    }

    /// The origin in words.
    pub fn origin_words(self) -> &'static str {
        match self {
            Self::Test => "test origin",
            Self::Base => "base origin",
        }
    }
}

/// Why a stored credential cannot be used. The message is for people: it is the result's `errorMessage`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "The gate credential of the {} cannot be read, because the service's secret was changed since it was stored. Send `{}` again with PUT /project/{project}, or start the service with its former PENTIMENTO_SECRET.",
    side.origin_words(),
    side.field()
)]
pub struct GateError {
    side: Side,
    project: String,
}

/// A credential: the headers and cookies that its origin asks for.
#[derive(Clone)]
pub struct Gate {
    wire: SecretString,
    headers: Vec<(HeaderName, SecretString)>,
    cookies: Vec<(String, SecretString)>,
}

impl Gate {
    /// Checks a credential as it was sent in `field`; none when it says that the stored one stays.
    ///
    /// # Errors
    /// 400 that names the field and quotes nothing of the credential.
    pub fn parse(field: &str, sent: &GateCredential) -> crate::error::Result<Option<Self>> {
        check::check(field, sent)?;
        Ok(Self::of(sent))
    }

    /// A credential as it was stored; none when this version cannot read it.
    fn from_stored(json: &SecretString) -> Option<Self> {
        Self::of(&serde_json::from_str(json.expose_secret()).ok()?)
    }

    fn of(credential: &GateCredential) -> Option<Self> {
        let mut headers = Vec::new();
        let mut cookies = Vec::new();
        match credential {
            GateCredential::Basic(GateLogin { username, password }) => {
                let pair = STANDARD.encode(format!("{username}:{password}"));
                headers.push((AUTHORIZATION, format!("Basic {pair}").into()));
            }
            GateCredential::Headers(sent) => {
                for (name, value) in sent {
                    let name = HeaderName::try_from(name.as_str()).ok()?;
                    headers.push((name, value.clone().into()));
                }
            }
            GateCredential::Cookies(sent) => {
                for GateCookie { name, value } in sent {
                    cookies.push((name.clone(), value.clone().into()));
                }
            }
            GateCredential::Configured(_) => return None,
        }
        Some(Self {
            wire: serde_json::to_string(credential).ok()?.into(),
            headers,
            cookies,
        })
    }

    /// The credential as it is stored, before it is sealed.
    pub fn to_stored(&self) -> &SecretString {
        &self.wire
    }

    /// Whether this is the credential that was stored as `json`.
    pub fn is_stored_as(&self, json: &SecretString) -> bool {
        Self::from_stored(json)
            .is_some_and(|stored| stored.wire.expose_secret() == self.wire.expose_secret())
    }

    /// The headers to send, without cookies.
    pub(crate) fn headers(&self) -> impl Iterator<Item = (&str, &str)> {
        let headers = self.headers.iter();
        headers.map(|(name, value)| (name.as_str(), value.expose_secret()))
    }

    /// The value of a `Cookie` header: the cookies that the site itself has set, and those of the credential whose name
    /// is not among them. None when there is no cookie at all.
    pub(crate) fn cookie_header(&self, own: &str) -> Option<String> {
        let own_names: Vec<&str> = own
            .split(';')
            .map(|pair| pair.split('=').next().unwrap_or_default().trim())
            .collect();
        let ours = self.cookies.iter();
        let ours = ours.filter(|(name, _)| !own_names.contains(&name.as_str()));
        let pairs: Vec<String> = std::iter::once(own.trim().to_owned())
            .filter(|own| !own.is_empty())
            .chain(ours.map(|(name, value)| format!("{name}={}", value.expose_secret())))
            .collect();
        (!pairs.is_empty()).then(|| pairs.join("; "))
    }

    /// All headers of a request that the service makes itself, marked so that no log shows them.
    pub(crate) fn request_headers(&self) -> HeaderMap {
        let cookie = self.cookie_header("");
        let cookie = cookie.iter().map(|value| (COOKIE.as_str(), value.as_str()));
        let mut map = HeaderMap::new();
        for (name, value) in self.headers().chain(cookie) {
            if let (Ok(name), Ok(mut value)) =
                (HeaderName::try_from(name), HeaderValue::try_from(value))
            {
                value.set_sensitive(true);
                map.insert(name, value);
            }
        }
        map
    }
}

impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Gate")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(json: &str) -> Gate {
        Gate::from_stored(&json.to_owned().into()).unwrap()
    }

    #[test]
    fn each_kind_becomes_the_headers_that_its_gate_asks_for() {
        let basic = gate(r#"{"basic":{"username":"ana","password":"pä:ss"}}"#);
        let map = basic.request_headers();
        assert_eq!(map["authorization"], "Basic YW5hOnDDpDpzcw==");
        assert!(map["authorization"].is_sensitive());
        let headers = gate(r#"{"headers":{"X-Gate":"open"}}"#);
        assert_eq!(headers.headers().collect::<Vec<_>>(), [("x-gate", "open")]);
        let cookies = gate(r#"{"cookies":[{"name":"a","value":"1"},{"name":"b","value":"2"}]}"#);
        assert_eq!(cookies.request_headers()["cookie"], "a=1; b=2");
    }

    #[test]
    fn what_the_site_sets_itself_wins_over_a_cookie_of_the_credential() {
        let cookies =
            gate(r#"{"cookies":[{"name":"session","value":"ours"},{"name":"gate","value":"1"}]}"#);
        assert_eq!(
            cookies.cookie_header("session=theirs; x=y").as_deref(),
            Some("session=theirs; x=y; gate=1")
        );
        let basic = gate(r#"{"basic":{"username":"u","password":"p"}}"#);
        assert_eq!(basic.cookie_header("x=y").as_deref(), Some("x=y"));
        assert_eq!(basic.cookie_header(""), None);
    }

    #[test]
    fn nothing_of_a_credential_is_shown_for_debugging() {
        let gate = gate(r#"{"headers":{"x-gate":"hunter2"}}"#);
        assert_eq!(format!("{gate:?}"), "Gate");
    }
}
