//! What an admin may do with the keys of the own organization, over HTTP.

use anyhow::Context;
use pentimento_api::error::ErrorCode;
use pentimento_api::ids::KeyId;
use pentimento_api::keys::{Key, KeyMade, NewKey};
use pentimento_api::session::Scope;
use sqlx::AnyConnection;

use super::{Made, Wish, check_name, is_alive, make_key, revoke_key, rotate_key, state_of};
use crate::app::App;
use crate::auth::Caller;
use crate::clock::{MS_PER_DAY, rfc3339};
use crate::db;
use crate::db::keys::KeyRow;
use crate::error::{Error, Result};
use crate::rotation;

/// Longest life of a key that ends by itself, in days.
pub(super) const MAX_EXPIRY_DAYS: u32 = 3650;

/// Days for which another admin key must go on living for the last lasting one to be revoked: time enough to make one.
const STAYING_DAYS: i64 = 30;

/// The organization's keys, those that were not revoked first, then the newest first.
///
/// # Errors
/// The database refuses.
pub(crate) async fn list(app: &App, caller: &Caller) -> Result<Vec<Key>> {
    let now = app.clock.now_ms();
    let rows =
        db::keys::list_organization_keys(&mut *app.db.read().await?, &caller.organization_id)
            .await?;
    rows.iter().map(|row| view(row, caller, now)).collect()
}

/// Makes a key.
///
/// # Errors
/// 400 that names the field; 403 for a scope that the caller lacks.
pub(crate) async fn create(app: &App, caller: &Caller, new: NewKey) -> Result<KeyMade> {
    let now = app.clock.now_ms();
    if let Some(days) = new.expires_in_days
        && !(1..=MAX_EXPIRY_DAYS).contains(&days)
    {
        return Err(Error::invalid(format!(
            "`expiresInDays` must be 1–{MAX_EXPIRY_DAYS}, or absent for a key that never ends; got {days}."
        )));
    }
    // The bounds are those of what was sent, with the blanks around it.
    check_name(&new.name)?;
    check_giving(caller, &new.scopes)?;
    let wish = Wish {
        name: new.name.trim(),
        scopes: &new.scopes,
        expires_at_ms: (new.expires_in_days).map(|days| now + i64::from(days) * MS_PER_DAY),
    };
    let mut tx = app.db.begin().await?;
    let organization =
        db::organizations::get_organization(&mut tx, &caller.organization_id).await?;
    let made = make_key(&mut tx, &organization, &wish, &caller.name, now).await?;
    let answer = told(&mut tx, caller, made, now).await?;
    tx.commit().await?;
    Ok(answer)
}

/// Puts a new key in a key's place.
///
/// # Errors
/// 404 for an unknown key, 403 for one with a scope that the caller lacks, 400 for one that is dead or was rotated.
pub(crate) async fn rotate(
    app: &App,
    caller: &Caller,
    id: &str,
    overlap_hours: Option<u32>,
) -> Result<KeyMade> {
    let overlap_hours = rotation::overlap_hours(overlap_hours)?;
    let now = app.clock.now_ms();
    let mut tx = app.db.begin().await?;
    let key = find(&mut tx, caller, id).await?;
    // The answer holds a secret with the key's scopes.
    check_giving(caller, &key.scopes())?;
    let made = rotate_key(&mut tx, &key, overlap_hours, &caller.name, now).await?;
    let answer = told(&mut tx, caller, made, now).await?;
    tx.commit().await?;
    Ok(answer)
}

/// Revokes a key at once, its sessions too. Doing it again changes nothing.
///
/// # Errors
/// 404 for an unknown key, 400 for the last one that could make others.
pub(crate) async fn revoke(app: &App, caller: &Caller, id: &str) -> Result<()> {
    let now = app.clock.now_ms();
    let mut tx = app.db.begin().await?;
    // Two admins who revoke each other's key at once must not both succeed.
    db::organizations::lock_organization(&mut tx, &caller.organization_id).await?;
    let key = find(&mut tx, caller, id).await?;
    if key.scopes().contains(&Scope::Admin) && is_alive(&key, now) {
        let stays_until = now + STAYING_DAYS * MS_PER_DAY;
        let until = (key.expires_at_ms).map_or(stays_until, |end| end.min(stays_until));
        let others =
            db::keys::count_other_admin_keys(&mut tx, &caller.organization_id, &key.id, until)
                .await?;
        if others == 0 {
            return Err(Error::invalid_state(format!(
                "This is the organization's last key with the scope `admin` that is there to stay (others end before it and within {STAYING_DAYS} days, if there are any); make or rotate one first, so that somebody can still manage keys."
            )));
        }
    }
    revoke_key(&mut tx, &key, &caller.name, now).await?;
    tx.commit().await?;
    Ok(())
}

async fn find(tx: &mut AnyConnection, caller: &Caller, id: &str) -> Result<KeyRow> {
    db::keys::find_organization_key(tx, &caller.organization_id, id)
        .await?
        .ok_or_else(|| {
            Error::not_found(
                "No key of your organization has this id; GET /keys lists them. A key's id is not the key itself.",
            )
        })
}

/// Refuses to give scopes away that the caller does not have.
fn check_giving(caller: &Caller, scopes: &[Scope]) -> Result<()> {
    match scopes.iter().find(|scope| !caller.scopes.contains(scope)) {
        None => Ok(()),
        Some(lacking) => Err(Error::refused(
            ErrorCode::Forbidden,
            format!(
                "Your own key lacks the scope `{0}`, so it cannot give it; use a key that has it, or have this done with `pentimento keys`.",
                lacking.as_str()
            ),
        )),
    }
}

async fn told(tx: &mut AnyConnection, caller: &Caller, made: Made, now: i64) -> Result<KeyMade> {
    let row = db::keys::find_key(tx, &made.id).await?;
    let row = row.context("a key that was just stored")?;
    Ok(KeyMade {
        key: view(&row, caller, now)?,
        secret: made.secret,
    })
}

fn view(row: &KeyRow, caller: &Caller, now: i64) -> Result<Key> {
    let id = |text: &str| {
        let id = text.parse::<KeyId>();
        id.context("a stored key's id").map_err(Error::from)
    };
    Ok(Key {
        key_id: id(&row.id)?,
        name: row.name.clone(),
        scopes: row.scopes(),
        state: state_of(row, now),
        is_own: row.id == caller.key_id,
        created_at: rfc3339(row.created_at_ms),
        last_used_at: row.last_used_at_ms.map(rfc3339),
        expires_at: row.expires_at_ms.map(rfc3339),
        revoked_at: row.revoked_at_ms.map(rfc3339),
        replaced_by: row.replaced_by.as_deref().map(id).transpose()?,
    })
}
