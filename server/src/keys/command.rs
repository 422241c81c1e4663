//! The `pentimento keys` commands, for whoever runs the service.

use std::fmt::Write as _;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use pentimento_api::keys::KeyState;
use pentimento_api::session::Scope;
use sqlx::AnyConnection;

use super::admin::MAX_EXPIRY_DAYS;
use super::{FIRST_ORGANIZATION, Wish, make_key, revoke_key, rotate_key, state_of};
use crate::clock::{Clock, MS_PER_DAY, rfc3339};
use crate::config::StoreConfig;
use crate::db::keys::KeyRow;
use crate::db::{self, Db};
use crate::rotation::{DEFAULT_OVERLAP_HOURS, MAX_OVERLAP_HOURS};

/// Who did it, in the audit log.
const ACTOR: &str = "command line";

/// `pentimento keys …`
#[derive(Debug, Clone, Subcommand)]
pub enum KeysCommand {
    /// Make a key and print it once.
    Create(CreateKey),
    /// List the keys; their secrets are not stored and cannot be shown.
    List,
    /// Make a key that takes another one's place, and print it once. Schedules move to it.
    Rotate {
        /// The key's id, as `keys list` shows it.
        id: String,
        /// Hours for which the old key goes on working.
        #[arg(long, default_value_t = DEFAULT_OVERLAP_HOURS, value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_OVERLAP_HOURS)))]
        overlap_hours: u32,
    },
    /// Revoke a key at once.
    Revoke {
        /// The key's id, as `keys list` shows it.
        id: String,
    },
}

/// `pentimento keys create`
#[derive(Debug, Clone, Args)]
pub struct CreateKey {
    /// The organization that the key belongs to; made when there is none. Lower-case letters, digits and `-`.
    #[arg(long, default_value = FIRST_ORGANIZATION)]
    pub organization: String,
    /// A name for people; triage records it.
    #[arg(long)]
    pub name: String,
    /// What the key may do, separated by commas: read, run, review, admin.
    #[arg(long, value_delimiter = ',', default_value = "read,run,review")]
    pub scopes: Vec<String>,
    /// Days after which the key ends by itself; without it, it never does.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_EXPIRY_DAYS)))]
    pub expires_days: Option<u32>,
}

/// Runs a `pentimento keys` command.
///
/// # Errors
/// The database cannot be opened, or an argument is wrong.
pub async fn run(store: &StoreConfig, command: KeysCommand) -> anyhow::Result<()> {
    let db = Db::open_beside(store).await?;
    let now = Clock::System.now_ms();
    match command {
        KeysCommand::Create(create) => {
            let mut tx = db.begin().await?;
            let key = create_key(&mut tx, &create, now).await?;
            tx.commit().await?;
            show_once(&key);
        }
        KeysCommand::List => {
            let rows = db::keys::list_keys(&mut *db.read().await?).await?;
            print!("{}", table(&rows, now));
        }
        KeysCommand::Rotate { id, overlap_hours } => {
            let mut tx = db.begin().await?;
            let key = find(&mut tx, &id).await?;
            let made = rotate_key(&mut tx, &key, overlap_hours, ACTOR, now).await?;
            tx.commit().await?;
            show_once(&made.secret);
            eprintln!("The old key ends in {overlap_hours} hours, or earlier if it was to.");
        }
        KeysCommand::Revoke { id } => {
            let mut tx = db.begin().await?;
            let key = find(&mut tx, &id).await?;
            if !revoke_key(&mut tx, &key, ACTOR, now).await? {
                return Err(no_living_key(&id));
            }
            tx.commit().await?;
            println!("revoked {id}");
        }
    }
    Ok(())
}

async fn find(tx: &mut AnyConnection, id: &str) -> anyhow::Result<KeyRow> {
    let found = db::keys::find_key(tx, id).await?;
    found.ok_or_else(|| no_living_key(id))
}

fn no_living_key(id: &str) -> anyhow::Error {
    anyhow::anyhow!("no living key has the id `{id}`; `pentimento keys list` shows them")
}

fn show_once(key: &str) {
    println!("{key}");
    eprintln!("Keep it safe: only its hash is stored, so it cannot be shown again.");
}

/// Makes a key, and its organization when there is none; returns the key itself, which nothing keeps.
///
/// # Errors
/// A name or scope is malformed, or the database refuses.
pub async fn create_key(
    connection: &mut AnyConnection,
    create: &CreateKey,
    now_ms: i64,
) -> anyhow::Result<String> {
    let slug = &create.organization;
    let well_formed = !slug.is_empty()
        && slug.len() <= 40
        && slug
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    if !well_formed {
        bail!("an organization is named by 1–40 lower-case letters, digits and `-`; got `{slug}`");
    }
    let scopes = create
        .scopes
        .iter()
        .map(|scope| {
            parse_scope(scope)
                .with_context(|| format!("`{scope}` is no scope; use read, run, review or admin"))
        })
        .collect::<anyhow::Result<Vec<_>>>()?;
    let organization = db::organizations::ensure_organization(connection, slug, now_ms).await?;
    let wish = Wish {
        name: &create.name,
        scopes: &scopes,
        expires_at_ms: (create.expires_days).map(|days| now_ms + i64::from(days) * MS_PER_DAY),
    };
    let made = make_key(connection, &organization, &wish, ACTOR, now_ms).await?;
    Ok(made.secret)
}

fn table(rows: &[KeyRow], now_ms: i64) -> String {
    let mut text = format!(
        "{:<36}  {:<12}  {:<24}  {:<22}  {:<24}  state\n",
        "id", "organization", "name", "scopes", "last used"
    );
    for row in rows {
        let until =
            (row.expires_at_ms).map_or_else(String::new, |end| format!(" until {}", rfc3339(end)));
        let state = match state_of(row, now_ms) {
            KeyState::Active => format!("active{until}"),
            KeyState::Rotated => format!("rotated, active{until}"),
            KeyState::Expired => "expired".to_owned(),
            KeyState::Revoked => "revoked".to_owned(),
        };
        let last_used = row
            .last_used_at_ms
            .map_or_else(|| "never".to_owned(), rfc3339);
        let _ = writeln!(
            text,
            "{:<36}  {:<12}  {:<24}  {:<22}  {:<24}  {state}",
            row.id, row.organization_slug, row.name, row.scopes, last_used
        );
    }
    text
}

fn parse_scope(text: &str) -> Option<Scope> {
    Scope::ALL
        .into_iter()
        .find(|scope| scope.as_str() == text.trim())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Keys {
        #[command(subcommand)]
        command: KeysCommand,
    }

    #[test]
    fn a_key_lives_a_day_at_least_and_ten_years_at_most() {
        let days_of = |days: &str| {
            let arguments = ["keys", "create", "--name", "ci", "--expires-days", days];
            match Keys::try_parse_from(arguments).ok()?.command {
                KeysCommand::Create(create) => create.expires_days,
                _ => None,
            }
        };
        for (days, expected) in [("1", 1), ("3650", MAX_EXPIRY_DAYS)] {
            assert_eq!(days_of(days), Some(expected));
        }
        // The last one would end later than any date that can be written.
        for days in ["0", "3651", "4294967295"] {
            assert_eq!(days_of(days), None, "{days}");
        }
    }
}
