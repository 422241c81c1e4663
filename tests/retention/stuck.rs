//! Jobs that cannot be removed: they hold no other up, and go when they can.

use pentimento::tasks::retention::remove_old;
use sqlx::SqlitePool;

use super::{KEEP_A_MONTH, days, gone, is_there, remove, run};
use crate::support::app::TestApp;
use crate::support::hands::Hands;

/// More than are looked up at once.
const STUCK: usize = 150;

/// Jobs that ended when this one did, come before it, and cannot be removed.
async fn stick(rows: &SqlitePool, job_id: &str) {
    let copy = format!(
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {STUCK}) \
         INSERT INTO jobs (id, organization_id, project_id, project_name, config, comparison_mode, status, summary_status, \
         auto_approve, started_by, created_at_ms, finished_at_ms) \
         SELECT '00000000-0000-7000-8000-' || (100000000000 + n), j.organization_id, j.project_id, j.project_name, j.config, \
         j.comparison_mode, j.status, j.summary_status, j.auto_approve, j.started_by, j.created_at_ms, j.finished_at_ms \
         FROM jobs j CROSS JOIN numbers WHERE j.id = '{job_id}'"
    );
    let refuse = "CREATE TRIGGER stuck BEFORE DELETE ON jobs WHEN OLD.id LIKE '00000000-%' \
                  BEGIN SELECT RAISE(ABORT, 'it is stuck'); END";
    for statement in [copy, refuse.to_owned()] {
        sqlx::query(sqlx::AssertSqlSafe(statement))
            .execute(rows)
            .await
            .unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_that_cannot_be_removed_hold_no_other_up() {
    let hands = Hands::at_now();
    let app = TestApp::with_clock(None, &KEEP_A_MONTH, hands.clock()).await;
    let first = run(&app.client, "shop", 5).await;
    run(&app.client, "shop", 9).await;
    let rows = app.sqlite("pentimento.db").await;
    stick(&rows, first["jobId"].as_str().unwrap()).await;
    hands.move_on(days(31));
    for round in 0..2 {
        let said = format!("{:#}", remove_old(&app.service.app).await.unwrap_err());
        assert!(
            said.starts_with(&format!("{STUCK} old jobs could not be removed")),
            "{said}"
        );
        assert!(!is_there(&app.client, &first).await, "round {round}");
    }
    sqlx::query("DROP TRIGGER stuck")
        .execute(&rows)
        .await
        .unwrap();
    assert_eq!(remove(&app).await, gone(STUCK, 0, 0));
    app.stop().await;
}
