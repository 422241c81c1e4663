//! Agreement before alarm: whether a page's captures agree, which of them counts, and when it is captured once more.

mod keep;
mod takes;

use std::sync::Arc;

use anyhow::Context;
use pentimento_compute::{Doubt, Doubtful, Rect};

use super::compare::{Doubts, compare};
use super::judge::Judging;
use super::measure::Trouble;
use crate::agreement::{self, Agreement, MAX_TAKES, Unstable, agreement_wanted};
use crate::app::App;
use crate::db;
use crate::db::captures::CaptureRow;
use crate::db::results::ResultRow;
use crate::db::results::work::ComparedResult;
use crate::gate::Side;
use keep::disagreement;
pub(super) use keep::{Kept, keep};
use takes::{Apart, Difference, Standing, Takes, most_takes, read_takes, stand};

/// What looking at the captures so far comes to.
pub(super) enum Look {
    /// These sides are to be captured once more.
    Again(&'static str),
    /// There is enough to judge by.
    Agreed(Box<Agreed>),
}

/// The captures to judge by.
pub(super) struct Agreed {
    /// The current capture that counts.
    pub(super) current: CaptureRow,
    /// The one of the base origin that counts, in a live job whose page was captured again.
    base: Option<CaptureRow>,
    /// What the captures cast doubt on that do not agree.
    pub(super) doubts: Doubts,
    /// The comparison, where it is known already.
    pub(super) compared: Option<ComparedResult>,
    /// What the result keeps of it; none where nobody asked.
    pub(super) kept: Option<Kept>,
}

/// Words of `results.recapture`.
const BOTH: &str = "both";

/// The sides that a result's page is captured on now.
pub(super) fn sides_of(recapture: &str) -> Vec<Side> {
    (Side::ALL.into_iter())
        .filter(|side| recapture == BOTH || recapture == side.as_str())
        .collect()
}

/// Looks at the captures of a result so far: whether they agree with the baseline or with each other.
pub(super) async fn look(
    app: &App,
    result: &ResultRow,
    judging: &Arc<Judging>,
) -> Result<Look, Trouble> {
    let sides = read_takes(app, result).await?;
    let [test, others @ ..] = &sides[..] else {
        return Ok(Look::Agreed(Box::new(as_it_is(app, result).await?)));
    };
    if !agreement_wanted(&judging.config) {
        return Ok(Look::Agreed(Box::new(as_it_is(app, result).await?)));
    }
    let mut standings = Vec::new();
    for takes in &sides {
        standings.push(stand(app, takes).await?);
    }
    let is_open = |standing: &Standing| !matches!(standing, Standing::Agreed { .. });
    let is_finished = !standings.iter().any(is_open);
    let reference = match others {
        [base] => Some(base.last().clone()),
        _ => pinned(app, result).await?,
    };
    if let (Some(reference), false) = (&reference, is_finished) {
        let none = Doubts::default();
        let judged = compare(app, reference, test.last(), judging, &none).await?;
        if !judged.is_changed() {
            let compared = judged.stored(app).await?;
            return Ok(Look::Agreed(Box::new(matching(&sides, compared))));
        }
    }
    let wants_more = |(takes, standing): (&Takes, &Standing)| {
        is_open(standing) && takes.captures.len() < MAX_TAKES
    };
    if result.recapture_error.is_none() {
        let again = |index: usize| {
            let pair = sides.get(index).zip(standings.get(index));
            pair.is_some_and(wants_more)
        };
        match (again(0), again(1)) {
            (true, true) => return Ok(Look::Again(BOTH)),
            (true, false) => return Ok(Look::Again(Side::Test.as_str())),
            (false, true) => return Ok(Look::Again(Side::Base.as_str())),
            (false, false) => {}
        }
    }
    let settled = settle(app, result, &sides, standings, reference.as_ref()).await?;
    Ok(Look::Agreed(Box::new(settled)))
}

/// The only capture, as it came.
async fn as_it_is(app: &App, result: &ResultRow) -> anyhow::Result<Agreed> {
    let id = result.current_capture_id.as_deref();
    let id = id.context("a captured result")?;
    Ok(Agreed {
        current: db::captures::get_capture(&mut *app.db.read().await?, id).await?,
        base: None,
        doubts: Doubts::default(),
        compared: None,
        kept: None,
    })
}

/// The baseline that the result is compared with, where it has one.
async fn pinned(app: &App, result: &ResultRow) -> anyhow::Result<Option<CaptureRow>> {
    match &result.baseline_capture_id {
        Some(id) => Ok(Some(
            db::captures::get_capture(&mut *app.db.read().await?, id).await?,
        )),
        None => Ok(None),
    }
}

/// What the capture that counts is compared with.
pub(super) async fn baseline_of(
    app: &App,
    result: &ResultRow,
    agreed: &Agreed,
) -> anyhow::Result<CaptureRow> {
    match &agreed.base {
        Some(base) => Ok(base.clone()),
        None => pinned(app, result).await?.context("a pinned baseline"),
    }
}

/// The last capture looks as the baseline.
fn matching(sides: &[Takes], compared: ComparedResult) -> Agreed {
    let takes = most_takes(sides);
    let current = sides[0].last().clone();
    let base = sides.get(1).map(|base| base.last().clone());
    let (agreement, note) = match takes {
        1 => (Agreement::Steady, None),
        _ => (Agreement::Flaky, Some(agreement::came_back(takes))),
    };
    Agreed {
        kept: Some(Kept {
            agreement,
            note,
            disagreements: Vec::new(),
            current_id: current.id.clone(),
            base_id: base.as_ref().map(|base| base.id.clone()),
        }),
        current,
        base,
        doubts: Doubts::default(),
        compared: Some(compared),
    }
}

/// No further capture is needed, or to be had.
async fn settle(
    app: &App,
    result: &ResultRow,
    sides: &[Takes],
    standings: Vec<Standing>,
    reference: Option<&CaptureRow>,
) -> anyhow::Result<Agreed> {
    let counting = |takes: &Takes, standing: &Standing| {
        let at = match standing {
            Standing::Agreed { counts } => *counts,
            Standing::Apart(apart) => apart.counts,
            Standing::Alone => 0,
        };
        takes.captures[at].clone()
    };
    let counted: Vec<CaptureRow> = (sides.iter().zip(&standings))
        .map(|(takes, standing)| counting(takes, standing))
        .collect();
    let current = counted[0].clone();
    let base = counted.get(1).cloned();
    let is_alone = (standings.iter()).any(|standing| matches!(standing, Standing::Alone));
    let baseline = base.as_ref().or(reference);
    let mut doubts = Doubts::default();
    let mut disagreements = Vec::new();
    for (takes, standing) in sides.iter().zip(standings) {
        let Standing::Apart(apart) = standing else {
            continue;
        };
        disagreements.push(disagreement(app, takes, &apart).await?);
        let Apart {
            other, difference, ..
        } = *apart;
        let other = takes.captures[other].clone();
        let side = takes.side;
        let found = tokio::task::spawn_blocking(move || doubt(side, &difference));
        doubts
            .pictures
            .extend(found.await.context("working out a doubt")?);
        if let Some(baseline) = baseline {
            doubts.documents.push(match takes.side {
                Side::Test => [baseline.clone(), other],
                Side::Base => [other, current.clone()],
            });
        }
    }
    let error = result.recapture_error.as_deref();
    let (agreement, note) = if !disagreements.is_empty() {
        let unstable = Unstable {
            takes: most_takes(sides),
            sides: disagreements.iter().map(|found| found.side).collect(),
            error,
            is_compared: baseline.is_some(),
        };
        (Agreement::Unstable, Some(unstable.sentence()))
    } else if is_alone {
        let error = error.context("a page is captured again unless that failed")?;
        (Agreement::Unconfirmed, Some(agreement::unconfirmed(error)))
    } else if most_takes(sides) == MAX_TAKES {
        (Agreement::Flaky, Some(agreement::OUTVOTED.to_owned()))
    } else {
        (Agreement::Steady, None)
    };
    Ok(Agreed {
        kept: Some(Kept {
            agreement,
            note,
            disagreements,
            current_id: current.id.clone(),
            base_id: base.as_ref().map(|base| base.id.clone()),
        }),
        current,
        base,
        doubts,
        compared: None,
    })
}

/// Has the page captured once more: it waits for its turn like any page of the job.
pub(super) async fn capture_again(
    app: &App,
    result: &ResultRow,
    sides: &str,
) -> anyhow::Result<()> {
    let mut tx = app.db.begin().await?;
    db::results::agreement::set_recapture(&mut tx, &result.id, &app.worker_id, sides).await?;
    tx.commit().await?;
    app.captures_due.notify_one();
    Ok(())
}

/// What of a side's picture is in doubt: where it differs, and the texts and pictures that are others.
fn doubt(side: Side, difference: &Difference) -> Option<Doubt> {
    let measured = difference.pictures.measured()?;
    let areas = match &difference.documents {
        Ok(documents) => documents.edited_areas(),
        Err(_) => Vec::new(),
    };
    let pixels = |value: i64| u32::try_from(value.max(0)).unwrap_or(0);
    let areas: Vec<Rect> = (areas.into_iter())
        .map(|area| Rect {
            x: pixels(area.x),
            y: pixels(area.y),
            width: pixels(area.w),
            height: pixels(area.h),
        })
        .collect();
    let side = match side {
        Side::Test => Doubtful::Current,
        Side::Base => Doubtful::Baseline,
    };
    Some(Doubt::of(side, &measured.comparison, &areas))
}
