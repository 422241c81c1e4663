//! Projects: saved configurations and their settings.

use sqlx::any::AnyArguments;
use sqlx::query::QueryAs;
use sqlx::{Any, AnyConnection, AssertSqlSafe, FromRow};

/// A project as it is stored.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct ProjectRow {
    /// Its id.
    pub id: String,
    /// Whose it is.
    pub organization_id: String,
    /// Its name within the organization.
    pub name: String,
    /// [`crate::jobs::spec::CaptureConfig`] as JSON.
    pub config: String,
    /// `approved` or `rolling`.
    pub baseline_policy: String,
    /// `hourly`, `daily` or `weekly`.
    pub schedule: Option<String>,
    /// 0–23.
    pub schedule_hour_utc: Option<i64>,
    /// The key that scheduled runs use.
    pub schedule_key_id: Option<String>,
    /// The day of a weekly schedule: 0 for Monday to 6 for Sunday.
    pub schedule_weekday: Option<i64>,
    /// When it runs by schedule next.
    pub next_run_at_ms: Option<i64>,
    /// When it last ran by schedule.
    pub last_scheduled_run_at_ms: Option<i64>,
    /// What is expected, in words.
    pub intent: Option<String>,
    /// Label of the tested environment.
    pub environment: Option<String>,
    /// Label of the reference environment.
    pub base_environment: Option<String>,
    /// The gate credential of the test origin, sealed: see [`crate::vault::Vault`].
    pub test_auth: Option<String>,
    /// The gate credential of the base origin, sealed.
    pub base_auth: Option<String>,
    /// Changes when baselines are invalidated.
    pub baseline_version: String,
    /// When that last happened.
    pub baseline_invalidated_at_ms: Option<i64>,
    /// When it came to be.
    pub created_at_ms: i64,
    /// When its configuration last changed.
    pub updated_at_ms: i64,
    /// When it last ran.
    pub last_run_at_ms: Option<i64>,
    /// Its newest job.
    pub last_job_id: Option<String>,
}

const SELECT: &str = "SELECT id, organization_id, name, config, baseline_policy, schedule, schedule_hour_utc, schedule_key_id, \
     schedule_weekday, next_run_at_ms, last_scheduled_run_at_ms, intent, environment, base_environment, test_auth, base_auth, baseline_version, baseline_invalidated_at_ms, \
     created_at_ms, updated_at_ms, last_run_at_ms, last_job_id FROM projects";

/// Selects projects by what follows in SQL.
pub(super) fn select<'q>(rest: &str) -> QueryAs<'q, Any, ProjectRow, AnyArguments> {
    sqlx::query_as(AssertSqlSafe(format!("{SELECT} {rest}")))
}

/// The organization's project with this name.
pub async fn find_project(
    db: &mut AnyConnection,
    organization_id: &str,
    name: &str,
) -> sqlx::Result<Option<ProjectRow>> {
    select("WHERE organization_id = $1 AND name = $2")
        .bind(organization_id)
        .bind(name)
        .fetch_optional(db)
        .await
}

/// A project by its id.
pub async fn get_project(db: &mut AnyConnection, id: &str) -> sqlx::Result<ProjectRow> {
    select("WHERE id = $1").bind(id).fetch_one(db).await
}

/// Holds the project's row until the transaction ends, so that calls that move many of its baselines come one after the
/// other.
pub async fn lock_baselines(db: &mut AnyConnection, id: &str) -> sqlx::Result<()> {
    sqlx::query("UPDATE projects SET name = name WHERE id = $1")
        .bind(id)
        .execute(db)
        .await
        .map(drop)
}

/// All of the organization's projects by name: the interface lists them whole.
pub async fn list_projects(
    db: &mut AnyConnection,
    organization_id: &str,
) -> sqlx::Result<Vec<ProjectRow>> {
    select("WHERE organization_id = $1 ORDER BY name")
        .bind(organization_id)
        .fetch_all(db)
        .await
}

/// Stores a new project with this configuration; false when there is one of this name, which stays.
pub async fn insert_project(
    db: &mut AnyConnection,
    id: &str,
    organization_id: &str,
    name: &str,
    config: &str,
    baseline_version: &str,
    now_ms: i64,
) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "INSERT INTO projects (id, organization_id, name, config, baseline_policy, baseline_version, created_at_ms, updated_at_ms) \
         VALUES ($1, $2, $3, $4, 'approved', $5, $6, $6) ON CONFLICT (organization_id, name) DO NOTHING",
    )
    .bind(id)
    .bind(organization_id)
    .bind(name)
    .bind(config)
    .bind(baseline_version)
    .bind(now_ms)
    .execute(db)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Holds the project's row until the transaction ends, so that changes come one after the other.
pub async fn lock_project(
    db: &mut AnyConnection,
    organization_id: &str,
    name: &str,
) -> sqlx::Result<()> {
    sqlx::query("UPDATE projects SET name = name WHERE organization_id = $1 AND name = $2")
        .bind(organization_id)
        .bind(name)
        .execute(db)
        .await
        .map(drop)
}

/// Stores what a call may change of a project: its configuration, its settings, and what follows from them.
pub async fn update_project(db: &mut AnyConnection, row: &ProjectRow) -> sqlx::Result<()> {
    sqlx::query(
        "UPDATE projects SET config = $1, baseline_policy = $2, schedule = $3, schedule_hour_utc = $4, schedule_key_id = $5, \
         schedule_weekday = $6, next_run_at_ms = $7, intent = $8, environment = $9, base_environment = $10, test_auth = $11, \
         base_auth = $12, baseline_version = $13, baseline_invalidated_at_ms = $14, updated_at_ms = $15 WHERE id = $16",
    )
    .bind(&row.config)
    .bind(&row.baseline_policy)
    .bind(&row.schedule)
    .bind(row.schedule_hour_utc)
    .bind(&row.schedule_key_id)
    .bind(row.schedule_weekday)
    .bind(row.next_run_at_ms)
    .bind(&row.intent)
    .bind(&row.environment)
    .bind(&row.base_environment)
    .bind(&row.test_auth)
    .bind(&row.base_auth)
    .bind(&row.baseline_version)
    .bind(row.baseline_invalidated_at_ms)
    .bind(row.updated_at_ms)
    .bind(&row.id)
    .execute(db)
    .await
    .map(drop)
}

/// Remembers the project's newest job.
pub async fn set_last_job(
    db: &mut AnyConnection,
    id: &str,
    job_id: &str,
    now_ms: i64,
) -> sqlx::Result<()> {
    sqlx::query("UPDATE projects SET last_job_id = $1, last_run_at_ms = $2 WHERE id = $3")
        .bind(job_id)
        .bind(now_ms)
        .bind(id)
        .execute(db)
        .await
        .map(drop)
}
