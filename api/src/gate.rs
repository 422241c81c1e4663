//! Gate credentials: what lets the service past the gate of a site under test.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::form::objects_only;

/// A gate credential as it is sent, in one of four shapes. It is never returned: reads give [`GateState`].
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase", try_from = "Value")]
pub enum GateCredential {
    /// HTTP basic authentication.
    Basic(GateLogin),
    /// Request headers by name: 1–20.
    Headers(BTreeMap<String, String>),
    /// Cookies: 1–50.
    Cookies(Vec<GateCookie>),
    /// What a read gave, sent back as it came: the stored credential stays.
    Configured(bool),
}

/// A user name and a password.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(remote = "Self")]
pub struct GateLogin {
    /// The user name, without `:`.
    #[cfg_attr(
        feature = "openapi",
        schema(max_length = 1000, pattern = r"^[^:\u0000-\u001f\u007f-\u009f]*$")
    )]
    pub username: String,
    /// The password.
    #[cfg_attr(
        feature = "openapi",
        schema(max_length = 1000, pattern = r"^[^\u0000-\u001f\u007f-\u009f]*$")
    )]
    pub password: String,
}

/// A cookie.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(remote = "Self")]
pub struct GateCookie {
    /// Its name.
    #[cfg_attr(
        feature = "openapi",
        schema(pattern = r"^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")
    )]
    pub name: String,
    /// Its value.
    #[cfg_attr(
        feature = "openapi",
        schema(max_length = 4096, pattern = r"^[!-:<-~]*$")
    )]
    pub value: String,
}

/// What a read says of a gate credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GateState {
    /// Always true: a project without a credential leaves the field out.
    pub configured: bool,
}

/// The fields of which a credential has one.
const SHAPES: [&str; 4] = ["basic", "headers", "cookies", "configured"];

/// The same shapes, read by serde as they are.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Shape {
    Basic(GateLogin),
    Headers(BTreeMap<String, String>),
    Cookies(Vec<GateCookie>),
    Configured(bool),
}

impl TryFrom<Value> for GateCredential {
    type Error = &'static str;

    /// The error quotes nothing: serde's own would show the value, which may be the secret.
    fn try_from(mut value: Value) -> Result<Self, Self::Error> {
        // Unknown fields are ignored here as everywhere, which serde does not do beside an enum's one field.
        if let Value::Object(fields) = &mut value {
            fields.retain(|name, _| SHAPES.contains(&name.as_str()));
        }
        match serde_json::from_value(value) {
            Ok(Shape::Basic(login)) => Ok(Self::Basic(login)),
            Ok(Shape::Headers(headers)) => Ok(Self::Headers(headers)),
            Ok(Shape::Cookies(cookies)) => Ok(Self::Cookies(cookies)),
            Ok(Shape::Configured(configured)) => Ok(Self::Configured(configured)),
            Err(_) => Err(
                "it is one of {basic: {username, password}}, {headers: {name: value}} and {cookies: [{name, value}]}, all of them strings",
            ),
        }
    }
}

impl fmt::Debug for GateCredential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Basic(_) => "GateCredential(basic)",
            Self::Headers(_) => "GateCredential(headers)",
            Self::Cookies(_) => "GateCredential(cookies)",
            Self::Configured(_) => "GateCredential(configured)",
        })
    }
}

impl fmt::Debug for GateLogin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GateLogin")
    }
}

impl fmt::Debug for GateCookie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GateCookie")
    }
}

objects_only!(GateLogin, GateCookie);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_shape_is_refused_without_quoting_it() {
        for json in [
            r#"{"basic":{"username":"u","password":4711}}"#,
            r#"{"headers":"hunter2"}"#,
            r#"{"token":"hunter2"}"#,
            r#""hunter2""#,
            r#"{"basic":{"username":"u","password":"hunter2"},"cookies":[]}"#,
        ] {
            let error = serde_json::from_str::<GateCredential>(json)
                .unwrap_err()
                .to_string();
            assert!(error.contains("it is one of"), "{error}");
            assert!(
                !error.contains("hunter2") && !error.contains("4711"),
                "{error}"
            );
        }
    }

    #[test]
    fn nothing_of_a_credential_is_shown_for_debugging() {
        let json = r#"{"basic":{"username":"sesame","password":"hunter2"}}"#;
        let credential: GateCredential = serde_json::from_str(json).unwrap();
        assert_eq!(format!("{credential:?}"), "GateCredential(basic)");
        assert_eq!(serde_json::to_string(&credential).unwrap(), json);
    }
}
