//! Organizations: whoever owns projects, jobs and keys.

use sqlx::{AnyConnection, FromRow};
use uuid::Uuid;

/// An organization.
#[derive(Debug, Clone, FromRow)]
pub struct Organization {
    /// Its id.
    pub id: String,
    /// The short name that its keys carry.
    pub slug: String,
    /// Its name for people.
    pub name: String,
}

/// The organization with this slug, if there is one.
pub async fn find_organization(
    db: &mut AnyConnection,
    slug: &str,
) -> sqlx::Result<Option<Organization>> {
    sqlx::query_as("SELECT id, slug, name FROM organizations WHERE slug = $1")
        .bind(slug)
        .fetch_optional(db)
        .await
}

/// Holds the organization's row until the transaction ends, so that what is counted for it stays true.
pub async fn lock_organization(db: &mut AnyConnection, id: &str) -> sqlx::Result<()> {
    sqlx::query("UPDATE organizations SET slug = slug WHERE id = $1")
        .bind(id)
        .execute(db)
        .await
        .map(drop)
}

/// The organization with this id.
pub async fn get_organization(db: &mut AnyConnection, id: &str) -> sqlx::Result<Organization> {
    sqlx::query_as("SELECT id, slug, name FROM organizations WHERE id = $1")
        .bind(id)
        .fetch_one(db)
        .await
}

/// The organization with this slug, made when there is none.
pub async fn ensure_organization(
    db: &mut AnyConnection,
    slug: &str,
    now_ms: i64,
) -> sqlx::Result<Organization> {
    sqlx::query("INSERT INTO organizations (id, slug, name, created_at_ms) VALUES ($1, $2, $3, $4) ON CONFLICT (slug) DO NOTHING")
        .bind(Uuid::now_v7().to_string())
        .bind(slug)
        .bind(slug)
        .bind(now_ms)
        .execute(&mut *db)
        .await?;
    sqlx::query_as("SELECT id, slug, name FROM organizations WHERE slug = $1")
        .bind(slug)
        .fetch_one(db)
        .await
}
