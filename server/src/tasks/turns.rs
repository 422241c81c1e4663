//! Whose result is worked on next: the database says it at every turn.

use super::leases;
use super::owed::Lease;
use crate::app::App;
use crate::db::results::ResultRow;
use crate::db::results::claims;

/// How often another server may be faster before this one waits.
const TRIES: u32 = 8;

/// What results wait for without a place in a queue.
#[derive(Clone, Copy)]
pub(super) enum Work {
    Capturing,
    Comparing,
}

/// Takes the lease on the next result; none when none may be worked on now.
pub(super) async fn take_next(app: &App, work: Work) -> sqlx::Result<Option<ResultRow>> {
    for _ in 0..TRIES {
        let chosen = {
            let mut connection = app.db.read().await?;
            match work {
                Work::Capturing => claims::choose_job_to_capture(&mut connection).await?,
                Work::Comparing => claims::choose_job_to_compare(&mut connection).await?,
            }
        };
        let Some(job_id) = chosen else {
            return Ok(None);
        };
        let mut tx = app.db.begin().await?;
        let (worker, now) = (&app.worker_id, app.clock.now_ms());
        let claimed = match work {
            Work::Capturing => claims::claim_next_capture(&mut tx, &job_id, worker, now).await?,
            Work::Comparing => claims::claim_next_comparison(&mut tx, &job_id, worker, now).await?,
        };
        let committed = tx.commit().await;
        let Some(claimed) = claimed else {
            committed?;
            continue;
        };
        if let Err(error) = committed {
            // The answer alone may have been lost: then this process has a lease that it would not know of.
            leases::give_back(app, Lease::Result(claimed.id)).await;
            return Err(error);
        }
        return Ok(Some(claimed));
    }
    Ok(None)
}
