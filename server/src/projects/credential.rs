//! What an update makes of a stored gate credential.

use pentimento_api::gate::GateCredential;
use pentimento_api::patch::Patch;

use crate::error::{Error, Result};
use crate::gate::{Gate, Side};
use crate::vault::Vault;

/// A stored credential and the origin it is for, before and after an update.
pub(super) struct Place<'a> {
    pub(super) vault: &'a Vault,
    pub(super) project_id: &'a str,
    pub(super) side: Side,
    pub(super) stored: Option<&'a str>,
    pub(super) old_origin: Option<&'a str>,
    pub(super) new_origin: Option<&'a str>,
}

/// What became of a credential.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    /// What is stored from now on, sealed.
    pub(super) sealed: Option<String>,
    /// Whether the credential has another value than before.
    pub(super) changed: bool,
    /// Whether it was dropped because its origin changed.
    pub(super) dropped: bool,
}

impl Place<'_> {
    /// What the update makes of the credential. It is for its origin alone: whoever may point a project elsewhere must
    /// not get to see it there, so it is dropped with its origin unless it is sent again.
    ///
    /// # Errors
    /// 400 that names the field.
    pub(super) fn apply(&self, update: &Patch<GateCredential>) -> Result<Outcome> {
        let field = self.side.field();
        let sent = match update {
            Patch::Absent => None,
            Patch::Clear => return Ok(self.becomes(None, false)),
            Patch::Set(sent) => Gate::parse(field, sent)?,
        };
        let Some(gate) = sent else {
            let is_kept = update.as_set().is_some();
            if is_kept && self.stored.is_none() {
                return Err(Error::invalid(format!(
                    "`{field}`: no credential is stored that could stay; send one, or leave the field out."
                )));
            }
            if self.old_origin == self.new_origin {
                return Ok(self.becomes(self.stored.map(str::to_owned), false));
            }
            return Ok(self.becomes(None, self.stored.is_some()));
        };
        if self.new_origin.is_none() {
            return Err(Error::invalid(format!(
                "`{field}` needs a {}: send it too.",
                self.side.origin_words()
            )));
        }
        let place = self.side.place(self.project_id);
        let known = self.stored.and_then(|sealed| {
            let opened = self.vault.open(&place, sealed).ok()?;
            Some((sealed, opened))
        });
        if let Some((sealed, opened)) = known
            && gate.is_stored_as(&opened)
        {
            return Ok(self.becomes(Some(sealed.to_owned()), false));
        }
        let sealed = self.vault.seal(&place, gate.to_stored())?;
        Ok(self.becomes(Some(sealed), false))
    }

    fn becomes(&self, sealed: Option<String>, dropped: bool) -> Outcome {
        Outcome {
            changed: sealed.as_deref() != self.stored,
            sealed,
            dropped,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vault::Purpose;

    const A: Option<&str> = Some("http://a.test");
    const B: Option<&str> = Some("http://b.test");

    fn vault(secret: &str) -> Vault {
        Vault::new(&secret.to_owned().into(), Purpose::GateCredentials)
    }

    fn basic(password: &str) -> Patch<GateCredential> {
        let json = serde_json::json!({ "basic": { "username": "u", "password": password } });
        Patch::Set(serde_json::from_value(json).unwrap())
    }

    #[test]
    fn a_credential_changes_with_its_value_and_goes_with_its_origin() {
        let vault = vault("a secret of some length");
        let place = |stored, old_origin, new_origin| Place {
            vault: &vault,
            project_id: "p",
            side: Side::Test,
            stored,
            old_origin,
            new_origin,
        };
        let first = place(None, A, A).apply(&basic("one")).unwrap();
        assert!(first.changed);
        let stored = first.sealed.as_deref();
        let kept = Patch::Set(GateCredential::Configured(true));
        for (update, origin, changed, is_stored) in [
            (Patch::Absent, A, false, true),
            (kept.clone(), A, false, true),
            (basic("one"), A, false, true),
            (basic("two"), A, true, true),
            (Patch::Clear, A, true, false),
            (Patch::Absent, B, true, false),
            (kept.clone(), B, true, false),
            (basic("one"), B, false, true),
        ] {
            let outcome = place(stored, A, origin).apply(&update).unwrap();
            assert_eq!(
                (outcome.changed, outcome.sealed.is_some()),
                (changed, is_stored),
                "{update:?} {origin:?}"
            );
            assert_eq!(outcome.dropped, changed && origin == B);
        }
        assert!(place(None, A, A).apply(&kept).is_err());
        assert!(place(None, None, None).apply(&basic("one")).is_err());
    }

    #[test]
    fn one_that_cannot_be_read_any_more_counts_as_changed() {
        let former = vault("a former secret of some length");
        let vault = vault("a secret of some length");
        let place = |vault, stored| Place {
            vault,
            project_id: "p",
            side: Side::Base,
            stored,
            old_origin: A,
            new_origin: A,
        };
        let stored = place(&former, None).apply(&basic("one")).unwrap().sealed;
        let again = place(&vault, stored.as_deref())
            .apply(&basic("one"))
            .unwrap();
        assert!(again.changed && again.sealed != stored);
    }
}
