//! API keys: what they are made of, and making, rotating and revoking them, each with its entry in the audit log.

mod admin;
mod command;
pub(crate) mod secret;

use pentimento_api::keys::KeyState;
use pentimento_api::session::Scope;
use serde_json::json;
use sqlx::AnyConnection;
use uuid::Uuid;

use crate::clock::MS_PER_HOUR;
use crate::clock::rfc3339;
use crate::db;
use crate::db::audit::AuditEntry;
use crate::db::keys::{KeyRow, NewKey};
use crate::db::organizations::Organization;
use crate::error::{Error, Result};

use secret::{hash_secret, random_token};

pub(crate) use admin::{create, list, revoke, rotate};
pub use command::{CreateKey, KeysCommand, create_key, run};

/// The organization that the first start makes.
pub const FIRST_ORGANIZATION: &str = "main";

/// Most characters of a key's name.
const MAX_NAME_CHARACTERS: usize = 100;

/// What a key is to be.
struct Wish<'a> {
    name: &'a str,
    scopes: &'a [Scope],
    expires_at_ms: Option<i64>,
}

/// A key that was just made: its id, and the secret, which nothing keeps.
struct Made {
    id: String,
    secret: String,
}

/// Checks a key's name.
///
/// # Errors
/// 400 unless it has 1–100 characters, not blanks alone, and none that controls.
fn check_name(name: &str) -> Result<()> {
    if name.trim().is_empty() || name.chars().count() > MAX_NAME_CHARACTERS {
        return Err(Error::invalid(format!(
            "`name` must have 1–{MAX_NAME_CHARACTERS} characters, not blanks alone."
        )));
    }
    if name.chars().any(char::is_control) {
        return Err(Error::invalid(
            "`name` holds a control character; leave it out.",
        ));
    }
    Ok(())
}

/// Makes a key and stores its hash.
///
/// # Errors
/// 400 that names the field.
async fn make_key(
    tx: &mut AnyConnection,
    organization: &Organization,
    wish: &Wish<'_>,
    actor: &str,
    now: i64,
) -> Result<Made> {
    check_name(wish.name)?;
    // In their own order, each once.
    let scopes: Vec<&str> = Scope::ALL
        .into_iter()
        .filter(|scope| wish.scopes.contains(scope))
        .map(Scope::as_str)
        .collect();
    if scopes.is_empty() {
        return Err(Error::invalid(
            "`scopes` is empty; send at least one of read, run, review and admin.",
        ));
    }
    let made = Made {
        id: Uuid::now_v7().to_string(),
        secret: format!("pnt_{}_{}", organization.slug, random_token()?),
    };
    let new = NewKey {
        id: &made.id,
        organization_id: &organization.id,
        name: wish.name,
        secret_hash: &hash_secret(&made.secret),
        scopes: &scopes.join(" "),
        created_at_ms: now,
        expires_at_ms: wish.expires_at_ms,
    };
    db::keys::insert_key(tx, &new).await?;
    let entry = AuditEntry {
        organization_id: &organization.id,
        actor,
        action: "key.create",
        subject: &made.id,
        detail: json!({ "name": wish.name, "scopes": scopes, "expiresAt": wish.expires_at_ms.map(rfc3339) }),
    };
    db::audit::insert_audit(tx, &entry, now).await?;
    Ok(made)
}

/// Makes a key that takes another one's place: the same name and scopes, and as long a life again. The old one ends after
/// the overlap, and schedules that ran with it run with the new one.
///
/// # Errors
/// 400 when the key is dead or was rotated already.
async fn rotate_key(
    tx: &mut AnyConnection,
    old: &KeyRow,
    overlap_hours: u32,
    actor: &str,
    now: i64,
) -> Result<Made> {
    match state_of(old, now) {
        KeyState::Active => {}
        KeyState::Rotated => return Err(rotated_already()),
        KeyState::Expired | KeyState::Revoked => {
            return Err(Error::invalid_state(
                "This key is dead, so nothing could overlap; make a new one.",
            ));
        }
    }
    let organization = db::organizations::get_organization(tx, &old.organization_id).await?;
    let wish = Wish {
        name: &old.name,
        scopes: &old.scopes(),
        expires_at_ms: (old.expires_at_ms).map(|end| now + (end - old.created_at_ms)),
    };
    let made = make_key(tx, &organization, &wish, actor, now).await?;
    let ends_at_ms = now + i64::from(overlap_hours) * MS_PER_HOUR;
    if !db::keys::replace_key(tx, &old.id, &made.id, ends_at_ms).await? {
        // Somebody else was quicker; what was made here goes with the transaction.
        return Err(rotated_already());
    }
    let schedules =
        db::schedules::move_schedules(tx, &old.organization_id, &old.id, &made.id).await?;
    let entry = AuditEntry {
        organization_id: &old.organization_id,
        actor,
        action: "key.rotate",
        subject: &old.id,
        detail: json!({ "name": old.name, "replacedBy": made.id, "overlapHours": overlap_hours, "schedules": schedules }),
    };
    db::audit::insert_audit(tx, &entry, now).await?;
    Ok(made)
}

fn rotated_already() -> Error {
    Error::invalid_state(
        "This key was rotated already; rotate the key that took its place, or revoke this one.",
    )
}

/// Revokes a key and ends its sessions; false when it was revoked before.
async fn revoke_key(
    tx: &mut AnyConnection,
    key: &KeyRow,
    actor: &str,
    now: i64,
) -> sqlx::Result<bool> {
    if !db::keys::revoke_key(tx, &key.id, now).await? {
        return Ok(false);
    }
    db::sessions::delete_key_sessions(tx, &key.id).await?;
    let entry = AuditEntry {
        organization_id: &key.organization_id,
        actor,
        action: "key.revoke",
        subject: &key.id,
        detail: json!({ "name": key.name }),
    };
    db::audit::insert_audit(tx, &entry, now).await?;
    Ok(true)
}

/// Whether a stored key can be used now.
pub(crate) fn state_of(key: &KeyRow, now: i64) -> KeyState {
    if key.revoked_at_ms.is_some() {
        KeyState::Revoked
    } else if key.expires_at_ms.is_some_and(|end| end <= now) {
        KeyState::Expired
    } else if key.replaced_by.is_some() {
        KeyState::Rotated
    } else {
        KeyState::Active
    }
}

/// Whether a stored key can be used now, rotated or not.
pub(crate) fn is_alive(key: &KeyRow, now: i64) -> bool {
    match state_of(key, now) {
        KeyState::Active | KeyState::Rotated => true,
        KeyState::Expired | KeyState::Revoked => false,
    }
}
