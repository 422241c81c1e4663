//! What a result keeps of how its captures agreed.

use pentimento_api::agreement::DisagreementSide;
use sqlx::AnyConnection;

use super::takes::{Apart, Takes};
use crate::agreement::{Agreement, SCORED_RUNS, StoredDisagreement};
use crate::app::App;
use crate::comparison::StoredComparison;
use crate::db;
use crate::db::jobs::JobRow;
use crate::db::results::ResultRow;
use crate::db::results::agreement::{AgreedResult, Runs};
use crate::gate::Side;

/// What a result keeps of how its captures agreed.
pub(in crate::tasks) struct Kept {
    pub(super) agreement: Agreement,
    pub(super) note: Option<String>,
    pub(super) disagreements: Vec<StoredDisagreement>,
    pub(super) current_id: String,
    pub(super) base_id: Option<String>,
}

/// Keeps how the captures agreed, with how the page's last runs went.
pub(in crate::tasks) async fn keep(
    tx: &mut AnyConnection,
    app: &App,
    job: &JobRow,
    result: &ResultRow,
    kept: Option<&Kept>,
) -> anyhow::Result<()> {
    let Some(kept) = kept else { return Ok(()) };
    let runs = match &job.project_id {
        Some(project_id) => last_runs(tx, project_id, result, kept.agreement).await?,
        None => Runs::default(),
    };
    let disagreements = match &kept.disagreements[..] {
        [] => None,
        some => Some(serde_json::to_string(some)?),
    };
    let agreed = AgreedResult {
        agreement: kept.agreement.as_str(),
        note: kept.note.as_deref(),
        disagreements: disagreements.as_deref(),
        current_capture_id: &kept.current_id,
        live_baseline_id: kept.base_id.as_deref(),
        project_id: job.project_id.as_deref(),
        runs,
    };
    db::results::agreement::set_agreement(tx, &result.id, &app.worker_id, &agreed).await?;
    Ok(())
}

async fn last_runs(
    tx: &mut AnyConnection,
    project_id: &str,
    result: &ResultRow,
    agreement: Agreement,
) -> anyhow::Result<Runs> {
    let page = (result.page_key.as_str(), result.variant_name.as_str());
    let most = SCORED_RUNS - 1;
    let runs = db::results::agreement::count_runs(tx, project_id, page, &result.id, most).await?;
    let (known, flaky) = match agreement {
        Agreement::Steady => (1, 0),
        Agreement::Flaky | Agreement::Unstable => (1, 1),
        Agreement::Unconfirmed => (0, 0),
    };
    Ok(Runs {
        known: runs.known + known,
        flaky: runs.flaky + flaky,
    })
}

/// Two captures that do not agree, with the mask of where.
pub(super) async fn disagreement(
    app: &App,
    takes: &Takes,
    apart: &Apart,
) -> anyhow::Result<StoredDisagreement> {
    let pictures = apart.difference.pictures.measured();
    Ok(StoredDisagreement {
        side: match takes.side {
            Side::Test => DisagreementSide::Current,
            Side::Base => DisagreementSide::Baseline,
        },
        kept_capture_id: takes.captures[apart.counts].id.clone(),
        other_capture_id: takes.captures[apart.other].id.clone(),
        comparison: pictures.map(|measured| StoredComparison::of(&measured.comparison)),
        mask_blob: match pictures {
            Some(measured) => measured.store_mask(app).await?,
            None => None,
        },
        documents_differ: apart.difference.documents_differ,
    })
}
