//! A job that has ended, in words. What its results come to is counted by the database; of their documents so many are read as
//! it takes, slice by slice.

use pentimento_api::summary::JobWords;
use sqlx::AnyConnection;

use super::summary::{self, Unseen};
use crate::db;
use crate::db::jobs::JobRow;

/// Documents that are read at once.
const SLICE: i64 = 100;

/// What the job's summary says in words.
pub(crate) async fn job_words(
    connection: &mut AnyConnection,
    job: &JobRow,
) -> anyhow::Result<JobWords> {
    let counts = db::results::judged::count_judged(connection, &job.id).await?;
    let unseen = unseen(connection, &job.id).await?;
    Ok(JobWords {
        // A job that ended without words has failed, and those of a failure tell of no result.
        run_summary: summary::run_summary(job, &[]),
        intent_assessment: summary::assess_counted(job, counts, &unseen)?,
    })
}

/// The expected changes that no page shows. Where nothing was expected, the first document settles it.
pub(crate) async fn unseen(connection: &mut AnyConnection, job_id: &str) -> anyhow::Result<Unseen> {
    let (mut unseen, mut after) = (Unseen::default(), -1);
    while !unseen.is_settled() {
        let documents =
            db::results::judged::list_documents(connection, job_id, after, SLICE).await?;
        let Some((last, _)) = documents.last() else {
            break;
        };
        after = *last;
        for (_, document) in &documents {
            unseen.look_at(document);
        }
    }
    Ok(unseen)
}
