//! The bounds of a gate credential. No refusal quotes anything of it.

use std::collections::HashSet;

use pentimento_api::gate::{GateCookie, GateCredential, GateLogin};
use reqwest::header::{HeaderName, HeaderValue};

use crate::error::{Error, Result};

const MAX_LOGIN_CHARACTERS: usize = 1_000;
const MAX_HEADERS: usize = 20;
const MAX_COOKIES: usize = 50;
const MAX_VALUE_CHARACTERS: usize = 4_096;

/// Headers that belong to the connection or to the browser, which would fail or break the request.
const RESERVED: [&str; 15] = [
    "accept-encoding",
    "connection",
    "content-length",
    "content-type",
    "cookie",
    "expect",
    "host",
    "keep-alive",
    "origin",
    "referer",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
];

/// Checks what `field` holds.
pub(super) fn check(field: &str, sent: &GateCredential) -> Result<()> {
    let refuse = |what: String| Err(Error::invalid(format!("`{field}`: {what}.")));
    match sent {
        GateCredential::Configured(true) => Ok(()),
        GateCredential::Configured(false) => refuse("send null to clear the credential".to_owned()),
        GateCredential::Basic(GateLogin { username, password }) => {
            if username.contains(':') {
                return refuse("a user name of basic authentication has no `:`".to_owned());
            }
            for (part, text) in [("username", username), ("password", password)] {
                if text.chars().any(char::is_control) || text.chars().count() > MAX_LOGIN_CHARACTERS
                {
                    return refuse(format!(
                        "`{part}` has at most {MAX_LOGIN_CHARACTERS} characters and none that controls"
                    ));
                }
            }
            Ok(())
        }
        GateCredential::Headers(headers) => {
            if !(1..=MAX_HEADERS).contains(&headers.len()) {
                return refuse(format!("`headers` has 1–{MAX_HEADERS} entries"));
            }
            let mut seen = HashSet::new();
            for (name, value) in headers {
                let Ok(name) = HeaderName::try_from(name.as_str()) else {
                    return refuse("a header's name has letters, digits and `-` alone".to_owned());
                };
                let reserved = RESERVED.contains(&name.as_str())
                    || name.as_str().starts_with("sec-")
                    || name.as_str().starts_with("proxy-");
                if reserved {
                    return refuse(
                        "one of `headers` belongs to the browser or the connection; use `cookies` for cookies"
                            .to_owned(),
                    );
                }
                if value.chars().count() > MAX_VALUE_CHARACTERS
                    || !value.is_ascii()
                    || HeaderValue::try_from(value.as_str()).is_err()
                {
                    return refuse(format!(
                        "a header's value has at most {MAX_VALUE_CHARACTERS} visible ASCII characters"
                    ));
                }
                if !seen.insert(name) {
                    return refuse("a header is named twice".to_owned());
                }
            }
            Ok(())
        }
        GateCredential::Cookies(cookies) => {
            if !(1..=MAX_COOKIES).contains(&cookies.len()) {
                return refuse(format!("`cookies` has 1–{MAX_COOKIES} entries"));
            }
            let mut seen = HashSet::new();
            for GateCookie { name, value } in cookies {
                // A cookie's name has the characters of a header's name, in whatever case.
                if HeaderName::try_from(name.as_str()).is_err() {
                    return refuse(
                        "a cookie's name is empty or has a character that none may have".to_owned(),
                    );
                }
                let plain = |character: char| character.is_ascii_graphic() && character != ';';
                if !value.chars().all(plain) || value.len() > MAX_VALUE_CHARACTERS {
                    return refuse(format!(
                        "a cookie's value has at most {MAX_VALUE_CHARACTERS} visible ASCII characters other than `;`; encode others"
                    ));
                }
                if !seen.insert(name) {
                    return refuse("a cookie is named twice".to_owned());
                }
            }
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_gate_can_ask_for_is_refused_without_quoting_it() {
        let many: serde_json::Map<_, _> = (0..21)
            .map(|number| (format!("x-{number}"), "hunter2".into()))
            .collect();
        for (json, expected) in [
            (
                serde_json::json!({ "basic": { "username": "a:hunter2", "password": "" } }),
                "`:`",
            ),
            (
                serde_json::json!({ "basic": { "username": "a", "password": "hunter2\n" } }),
                "`password`",
            ),
            (serde_json::json!({ "headers": {} }), "1–20"),
            (serde_json::json!({ "headers": many }), "1–20"),
            (
                serde_json::json!({ "headers": { "hunter2 x": "y" } }),
                "name",
            ),
            (
                serde_json::json!({ "headers": { "Host": "hunter2" } }),
                "belongs to",
            ),
            (
                serde_json::json!({ "headers": { "Cookie": "hunter2" } }),
                "use `cookies`",
            ),
            (
                serde_json::json!({ "headers": { "x-a": "hunter2\r\nx-b: 1" } }),
                "visible ASCII",
            ),
            (
                serde_json::json!({ "headers": { "x-a": "hunter2", "X-A": "hunter2" } }),
                "twice",
            ),
            (serde_json::json!({ "cookies": [] }), "1–50"),
            (
                serde_json::json!({ "cookies": [{ "name": "a b", "value": "hunter2" }] }),
                "cookie's name",
            ),
            (
                serde_json::json!({ "cookies": [{ "name": "a", "value": "hunter2; b=c" }] }),
                "`;`",
            ),
            (serde_json::json!({ "configured": false }), "null"),
        ] {
            let sent: GateCredential = serde_json::from_value(json.clone()).unwrap();
            let error = check("testAuth", &sent).unwrap_err().to_string();
            assert!(
                error.contains("`testAuth`") && error.contains(expected),
                "{json}: {error}"
            );
            assert!(!error.contains("hunter2"), "{error}");
        }
    }
}
