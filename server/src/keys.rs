//! API keys: making them, storing their hash, reading their scopes. The `pentimento keys` commands.

use std::fmt::Write as _;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use pentimento_api::session::Scope;
use sha2::{Digest, Sha256};
use sqlx::AnyConnection;
use uuid::Uuid;

use crate::clock::{Clock, rfc3339};
use crate::config::StoreConfig;
use crate::db::{self, Db};

/// The organization that the first start makes.
pub const FIRST_ORGANIZATION: &str = "main";

/// Bytes of randomness in a key or a session token.
const SECRET_BYTES: usize = 24;

/// `pentimento keys …`
#[derive(Debug, Clone, Subcommand)]
pub enum KeysCommand {
    /// Make a key and print it once.
    Create(CreateKey),
    /// List the keys; their secrets are not stored and cannot be shown.
    List,
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
    /// Days after which the key ends by itself.
    #[arg(long)]
    pub expires_days: Option<u32>,
}

/// Runs a `pentimento keys` command.
///
/// # Errors
/// The database cannot be opened, or an argument is wrong.
pub async fn run(store: &StoreConfig, command: KeysCommand) -> anyhow::Result<()> {
    let db = Db::open(store).await?;
    let clock = Clock::System;
    match command {
        KeysCommand::Create(create) => {
            let mut tx = db.begin().await?;
            let key = create_key(&mut tx, &create, clock.now_ms()).await?;
            tx.commit().await?;
            println!("{key}");
            eprintln!("Keep it safe: only its hash is stored, so it cannot be shown again.");
        }
        KeysCommand::List => {
            let rows = db::keys::list_keys(&mut *db.read().await?).await?;
            print!("{}", table(&rows, clock.now_ms()));
        }
        KeysCommand::Revoke { id } => {
            let mut tx = db.begin().await?;
            if !db::keys::revoke_key(&mut tx, &id, clock.now_ms()).await? {
                bail!("no living key has the id `{id}`; `pentimento keys list` shows them");
            }
            tx.commit().await?;
            println!("revoked {id}");
        }
    }
    Ok(())
}

/// Makes a key, stores its hash, and returns the key itself, which nothing keeps.
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
    if create.name.is_empty() || create.name.chars().count() > 100 {
        bail!("a key's name has 1–100 characters");
    }
    let scopes: Vec<&str> = create
        .scopes
        .iter()
        .map(|scope| {
            parse_scope(scope)
                .map(Scope::as_str)
                .with_context(|| format!("`{scope}` is no scope; use read, run, review or admin"))
        })
        .collect::<anyhow::Result<_>>()?;
    let organization = db::organizations::ensure_organization(connection, slug, now_ms).await?;
    let key = format!("pnt_{slug}_{}", random_token()?);
    let new = db::keys::NewKey {
        id: &Uuid::now_v7().to_string(),
        organization_id: &organization.id,
        name: &create.name,
        secret_hash: &hash_secret(&key),
        scopes: &scopes.join(" "),
        created_at_ms: now_ms,
        expires_at_ms: create
            .expires_days
            .map(|days| now_ms + i64::from(days) * 86_400_000),
    };
    db::keys::insert_key(connection, &new).await?;
    Ok(key)
}

/// The hash under which a key or session token is stored. These secrets carry 192 bits of randomness, so a plain hash
/// cannot be searched and no slow one is needed.
pub(crate) fn hash_secret(secret: &str) -> String {
    hex::encode(Sha256::digest(secret.as_bytes()))
}

/// A fresh secret of 192 bits, in hex.
pub(crate) fn random_token() -> anyhow::Result<String> {
    let mut bytes = [0_u8; SECRET_BYTES];
    getrandom::fill(&mut bytes)
        .map_err(|error| anyhow::anyhow!("the system gives no randomness: {error}"))?;
    Ok(hex::encode(bytes))
}

/// The scopes in a stored list.
pub(crate) fn parse_scopes(text: &str) -> Vec<Scope> {
    text.split_whitespace().filter_map(parse_scope).collect()
}

fn parse_scope(text: &str) -> Option<Scope> {
    Scope::ALL
        .into_iter()
        .find(|scope| scope.as_str() == text.trim())
}

fn table(rows: &[db::keys::KeyRow], now_ms: i64) -> String {
    let mut text = format!(
        "{:<36}  {:<12}  {:<24}  {:<22}  {:<24}  state\n",
        "id", "organization", "name", "scopes", "last used"
    );
    for row in rows {
        let state = if row.revoked_at_ms.is_some() {
            "revoked".to_owned()
        } else if row.expires_at_ms.is_some_and(|end| end <= now_ms) {
            "expired".to_owned()
        } else {
            row.expires_at_ms.map_or_else(
                || "active".to_owned(),
                |end| format!("active until {}", rfc3339(end)),
            )
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
