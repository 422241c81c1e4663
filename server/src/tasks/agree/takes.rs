//! The captures of a page in one run: of each side, and how they stand to each other.

use anyhow::Context;
use pentimento_compute::{AntiAliasing, CompareOptions};
use pentimento_document::DocumentDiff;

use super::super::measure::{Documents, Measurement, Trouble, compare_documents, compare_pictures};
use crate::app::App;
use crate::db;
use crate::db::captures::CaptureRow;
use crate::db::results::ResultRow;
use crate::gate::Side;
use crate::verdict;

/// The captures of one side so far.
pub(super) struct Takes {
    pub(super) side: Side,
    pub(super) captures: Vec<CaptureRow>,
}

impl Takes {
    pub(super) fn last(&self) -> &CaptureRow {
        self.captures.last().expect("a side has a capture")
    }
}

/// How the captures of one side stand to each other.
pub(super) enum Standing {
    /// Two are the same: the earlier of them counts.
    Agreed { counts: usize },
    /// None are, and of three these two differ least.
    Apart(Box<Apart>),
    /// There is one alone.
    Alone,
}

/// Two captures that are not the same.
pub(super) struct Apart {
    pub(super) counts: usize,
    pub(super) other: usize,
    pub(super) difference: Difference,
}

/// How two captures of one side differ; the earlier one is the baseline of it.
pub(super) struct Difference {
    pub(super) pictures: Measurement,
    pub(super) documents: Documents,
    /// By more than what is no change of a page.
    pub(super) documents_differ: bool,
}

impl Difference {
    /// Looks through all of the documents' findings, and at their places in the pictures.
    fn of(pictures: Measurement, documents: Documents) -> Self {
        let is_faint = |document: &DocumentDiff| {
            (pictures.measured())
                .is_some_and(|measured| verdict::is_faint(&measured.comparison, document))
        };
        let documents_differ = (documents.as_ref())
            .is_ok_and(|document| verdict::document_changed(document) || is_faint(document));
        Self {
            pictures,
            documents,
            documents_differ,
        }
    }

    fn pixels(&self) -> u64 {
        match &self.pictures {
            Measurement::EqualFiles => 0,
            Measurement::Measured(measured) => measured.comparison.changed_pixels,
            Measurement::TooLarge { .. } => u64::MAX,
        }
    }

    fn is_none(&self) -> bool {
        self.pixels() == 0 && !self.documents_differ
    }
}

/// The captures of each side, the test origin's first; none for what a client uploaded.
pub(super) async fn read_takes(app: &App, result: &ResultRow) -> anyhow::Result<Vec<Takes>> {
    let rows = db::takes::list_takes(&mut *app.db.read().await?, &result.id).await?;
    let of = |side: Side| Takes {
        side,
        captures: (rows.iter())
            .filter(|take| take.side == side.as_str())
            .map(|take| take.capture.clone())
            .collect(),
    };
    let sides = Side::ALL.into_iter().map(of);
    Ok(sides.filter(|takes| !takes.captures.is_empty()).collect())
}

pub(super) fn most_takes(sides: &[Takes]) -> usize {
    let counts = sides.iter().map(|takes| takes.captures.len());
    counts.max().unwrap_or_default()
}

pub(super) async fn stand(app: &App, takes: &Takes) -> Result<Standing, Trouble> {
    let captures = &takes.captures;
    // The last one first: two that agreed before would have ended it.
    let pairs: &[(usize, usize)] = match captures.len() {
        0 | 1 => &[],
        2 => &[(0, 1)],
        _ => &[(0, 2), (1, 2), (0, 1)],
    };
    let mut least: Option<Box<Apart>> = None;
    for &(counts, other) in pairs {
        let difference = differ(app, &captures[counts], &captures[other]).await?;
        if difference.is_none() {
            return Ok(Standing::Agreed { counts });
        }
        let is_less = |before: &Apart| difference.pixels() < before.difference.pixels();
        if least.as_deref().is_none_or(is_less) {
            least = Some(Box::new(Apart {
                counts,
                other,
                difference,
            }));
        }
    }
    Ok(least.map_or(Standing::Alone, Standing::Apart))
}

/// How two captures of one page differ; the smoothing of edges counts.
async fn differ(app: &App, one: &CaptureRow, other: &CaptureRow) -> Result<Difference, Trouble> {
    let options = CompareOptions {
        anti_aliasing: AntiAliasing::Include,
        ..CompareOptions::default()
    };
    let pictures = compare_pictures(app, one, other, options).await?;
    let documents = compare_documents(app, one, other).await?;
    let looking = tokio::task::spawn_blocking(move || Difference::of(pictures, documents));
    Ok(looking
        .await
        .context("finding whether two captures differ")?)
}
