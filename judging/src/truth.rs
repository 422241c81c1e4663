//! What a case consists of, and what its truth promises.

use pentimento_api::crawl::RunContext;
use pentimento_api::result::{ChangeType, Decision};
use serde::Serialize;

/// Which half of the corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Half {
    /// For fitting weights and for looking at while the rules are written.
    Development,
    /// For measuring alone.
    HeldOut,
}

impl Half {
    /// Both halves.
    pub const ALL: [Self; 2] = [Self::Development, Self::HeldOut];

    /// The name in paths and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Development => "development",
            Self::HeldOut => "held-out",
        }
    }
}

/// A page before and after known changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The page and its mutations: `pricing-page/price-edit+insert-banner`.
    pub name: String,
    /// The baseline: a complete HTML document that needs no network.
    pub before: String,
    /// The document under test.
    pub after: String,
    /// What was done to it, and what is right to say about it.
    pub truth: Truth,
}

/// What is right to say about a case.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Truth {
    /// Every change that was planted, causes alone; empty when nothing that a document diff should
    /// report was changed.
    pub changes: Vec<Planted>,
    /// What the pictures should show.
    pub pixels: Pixels,
    /// The right decision under each of three intents.
    pub intents: Vec<IntentCase>,
}

/// A change that was planted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Planted {
    /// Its kind.
    pub kind: ChangeType,
    /// The changed element as `#id` or `.class`, which occurs once on the page, or the metadata
    /// field: `title`, `meta[name="robots"]`, `link[rel="canonical"]`, `JSON-LD Product`.
    ///
    /// Of two neighbours that changed places it is the one that moved down; the other one is as good
    /// an answer, because the two documents cannot tell them apart.
    pub element: String,
    /// Whether other elements move up or down because of it; the neighbour that an element changed
    /// places with does not count.
    pub displaces: bool,
    /// Whether it breaks the page, so that no intent can make it intentional.
    pub hard_bug: bool,
    /// Whether people see it and it is more than the time of day, so that it contradicts who says that nothing looks
    /// different.
    pub contradicts: bool,
}

/// What two pictures of a case should show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pixels {
    /// The same pixels.
    Same,
    /// Differences in the smoothing of edges alone.
    Noise,
    /// Visible differences; a displacement by one pixel is one, although it is judged as noise.
    Changed,
}

/// An intent, and the decision that is right for the page under it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct IntentCase {
    /// `meant` (it describes the changes), `other` (it describes something else, elsewhere) or
    /// `nothing-visual` (it says that nothing changes).
    pub name: &'static str,
    /// The project's intent.
    pub intent: Option<String>,
    /// What the run says about itself.
    pub run_context: RunContext,
    /// The right decision. Where there is nothing to judge it is [`Decision::Noise`].
    pub decision: Decision,
}
