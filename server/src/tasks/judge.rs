//! Judging what was measured of two captures. All of it is done off the runtime's threads: a long document that changed a lot,
//! weighed against much that was said of it, takes seconds.

use std::sync::Arc;

use anyhow::Context;
use pentimento_api::crawl::RunContext;
use pentimento_api::review::Outcome;
use pentimento_compute::{Comparison, MAX_PIXELS, Size};

use super::measure::{Documents, Measurement, page_of};
use crate::app::App;
use crate::comparison::StoredComparison;
use crate::db::results::work::ComparedResult;
use crate::document::StoredDocument;
use crate::jobs::spec::CaptureConfig;
use crate::verdict::numbers::thousands;
use crate::verdict::{self, Intent, Judgement};

/// What a page is judged by besides its captures.
pub(super) struct Judging {
    pub(super) intent: Option<Intent>,
    pub(super) config: CaptureConfig,
}

/// What became of a comparison, with its mask not stored yet: there may be captures that it does not hold for.
pub(super) struct Judged {
    result: ComparedResult,
    measurement: Measurement,
}

impl Judged {
    pub(super) fn is_changed(&self) -> bool {
        self.result.changed != 0
    }

    /// With its mask stored.
    pub(super) async fn stored(mut self, app: &App) -> anyhow::Result<ComparedResult> {
        if let Some(measured) = self.measurement.measured() {
            self.result.mask_blob = measured.store_mask(app).await?;
        }
        Ok(self.result)
    }
}

/// Reads what a project and a run say of what was meant.
pub(super) async fn read_intent(
    project: Option<String>,
    run: Option<RunContext>,
) -> anyhow::Result<Option<Intent>> {
    let read = move || Intent::of(project.as_deref(), run.as_ref());
    tokio::task::spawn_blocking(read)
        .await
        .context("reading an intent")
}

/// Judges what was measured of a capture of this size. Only where nothing casts doubt on the pictures can they be known to be the
/// same.
pub(super) async fn judge(
    judging: &Arc<Judging>,
    size: Size,
    measurement: Measurement,
    document: Documents,
    is_undoubted: bool,
) -> anyhow::Result<Judged> {
    let judging = judging.clone();
    let work = move || -> anyhow::Result<Judged> {
        let (mut result, is_same) = match &measurement {
            Measurement::EqualFiles => (identical(size, &document, &judging)?, true),
            Measurement::Measured(measured) => (
                compared(&measured.comparison, &document, &judging)?,
                measured.comparison.is_same_picture(),
            ),
            Measurement::TooLarge { baseline, current } => (
                unmeasured([*baseline, *current], &document, &judging)?,
                false,
            ),
        };
        // Where something was left out nothing is known of it.
        result.same_picture = i64::from(is_same && is_undoubted);
        Ok(Judged {
            result,
            measurement,
        })
    };
    tokio::task::spawn_blocking(work)
        .await
        .context("judging a page")?
}

/// Equal files are equal pixels: nothing is decoded.
fn identical(
    size: Size,
    document: &Documents,
    judging: &Judging,
) -> anyhow::Result<ComparedResult> {
    let intent = judging.intent.as_ref();
    stored(
        &StoredComparison::of_equal_files(size),
        Some(Figures {
            diff_percentage: 0.0,
            score: 100.0,
        }),
        verdict::judge(None, document.as_ref().ok(), intent).as_ref(),
        document,
        intent,
    )
}

fn compared(
    comparison: &Comparison,
    document: &Documents,
    Judging { intent, config }: &Judging,
) -> anyhow::Result<ComparedResult> {
    let intent = intent.as_ref();
    let percentage = comparison.diff_percentage();
    let document_changed = (document.as_ref()).is_ok_and(verdict::document_changed);
    let judgement = verdict::judge(Some(comparison), document.as_ref().ok(), intent);
    // Zero lets nothing pass, also where only the smoothing of edges differs, which counts as 0 %.
    let limit = config.diff_threshold();
    let is_match = !document_changed && limit > 0.0 && percentage <= limit;
    let mut compared = stored(
        &StoredComparison::of(comparison),
        Some(Figures {
            diff_percentage: percentage,
            score: comparison.score,
        }),
        judgement.as_ref().filter(|_| !is_match),
        document,
        intent,
    )?;
    // Without facts there is nothing that a language model could be asked about.
    if !document_changed && percentage < config.ai_summary_threshold() {
        compared.facts = None;
    }
    Ok(compared)
}

/// Pictures that changed and are too large together to say where: a person looks at them.
fn unmeasured(
    [baseline, current]: [Size; 2],
    document: &Documents,
    Judging { intent, .. }: &Judging,
) -> anyhow::Result<ComparedResult> {
    let intent = intent.as_ref();
    let page = page_of(baseline, current);
    let side = |size: Size| {
        let [width, height] = [size.width, size.height].map(|side| thousands(side.into()));
        format!("{width} × {height} px")
    };
    let why = format!(
        "The page has another size: it was {}, and is {} now. The pictures were not compared: one over the other they have {} pixels, \
         {} at most are compared. Look at both: approving makes this capture the baseline.",
        side(baseline),
        side(current),
        thousands(page.pixels()),
        thousands(MAX_PIXELS)
    );
    stored(
        &StoredComparison::unmeasured(baseline, current),
        None,
        Some(&verdict::judge_unmeasured(
            why,
            document.as_ref().ok(),
            intent,
        )),
        document,
        intent,
    )
}

/// What says in numbers how much changed.
struct Figures {
    diff_percentage: f64,
    score: f64,
}

/// What was found changed is what there is a judgement of.
fn stored(
    facts: &StoredComparison,
    figures: Option<Figures>,
    judgement: Option<&Judgement>,
    document: &Documents,
    intent: Option<&Intent>,
) -> anyhow::Result<ComparedResult> {
    let outcome = match judgement {
        Some(_) => Outcome::Regression,
        None => Outcome::Match,
    };
    Ok(ComparedResult {
        outcome: outcome.as_str(),
        changed: i64::from(outcome == Outcome::Regression),
        same_picture: 0,
        diff_percentage: figures.as_ref().map(|figures| figures.diff_percentage),
        visual_match_score: figures.map(|figures| figures.score),
        comparison: serde_json::to_string(facts)?,
        mask_blob: None,
        dom_skip_reason: document.as_ref().err().cloned(),
        document: (document.as_ref().ok())
            .map(|diff| serde_json::to_string(&StoredDocument::of(diff, intent)))
            .transpose()?,
        findings: serde_json::to_string(judgement.map_or(&[][..], |judged| &judged.summary))?,
        facts: (judgement.map(|judged| serde_json::to_string(&judged.facts))).transpose()?,
        verdict: (judgement.map(|judged| serde_json::to_string(&judged.verdict))).transpose()?,
        decision: judgement.map(|judged| judged.verdict.decision.as_str().to_owned()),
        change_group: judgement.and_then(|judged| judged.change_group.clone()),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use pentimento_document::DocumentDiff;

    use super::*;

    /// Does some work on a runtime of one thread, none of whose threads for what takes long is free: it must not be done
    /// before one is.
    fn waits_for_a_thread<T>(work: impl Future<Output = anyhow::Result<T>>) -> T {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.max_blocking_threads(1).build().unwrap();
        runtime.block_on(async {
            let (end, ended) = mpsc::channel::<()>();
            let other = tokio::task::spawn_blocking(move || ended.recv());
            let mut work = std::pin::pin!(work);
            assert!(futures::poll!(work.as_mut()).is_pending());
            end.send(()).unwrap();
            other.await.unwrap().unwrap();
            work.await.unwrap()
        })
    }

    #[test]
    fn an_intent_is_read_off_the_runtimes_threads() {
        let project = Some("The footer must not change.".to_owned());
        let intent = waits_for_a_thread(read_intent(project, None)).unwrap();
        assert_eq!(intent.promises().count(), 1);
    }

    #[test]
    fn a_page_is_judged_off_the_runtimes_threads() {
        let judging = Arc::new(Judging {
            intent: None,
            config: CaptureConfig::default(),
        });
        let size = Size {
            width: 30,
            height: 20,
        };
        let document = Ok(DocumentDiff::default());
        let measurement = Measurement::EqualFiles;
        let judged = waits_for_a_thread(judge(&judging, size, measurement, document, true));
        assert!(!judged.is_changed());
        assert_eq!(judged.result.same_picture, 1);
    }
}
