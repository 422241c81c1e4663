//! The pairs of pictures that all tools compare. They stay where they are.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

pub(super) const MANIFEST: &str = "manifest.json";

/// What happened between the two pictures of a pair; in the order of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    /// The same bytes.
    Identical,
    /// Words were edited.
    Text,
    /// Something changed its colour.
    #[serde(rename = "color")]
    Colour,
    /// Everything below some row moved.
    Shift,
    /// Edges are smoothed otherwise.
    Aa,
}

impl Kind {
    pub(super) const ALL: [Self; 5] = [
        Self::Identical,
        Self::Text,
        Self::Colour,
        Self::Shift,
        Self::Aa,
    ];

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::Text => "text",
            Self::Colour => "colour",
            Self::Shift => "shift",
            Self::Aa => "aa",
        }
    }
}

/// A row of the manifest; it may say more.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Entry {
    /// Name of the pair.
    pub(super) pair: String,
    /// File of the baseline, in the manifest's folder.
    pub(super) base: String,
    /// File of the current picture.
    pub(super) cur: String,
    pub(super) kind: Kind,
    /// Width and height of the baseline in pixels.
    pub(super) w: u32,
    pub(super) h: u32,
}

/// Two pictures to compare.
#[derive(Debug, Clone)]
pub(super) struct Pair {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) baseline: PathBuf,
    pub(super) current: PathBuf,
    pub(super) width: u32,
    pub(super) height: u32,
}

/// A folder of pictures.
pub(super) struct Corpus {
    folder: PathBuf,
    entries: Vec<Entry>,
}

impl Corpus {
    pub(super) fn read(folder: &Path) -> Result<Self> {
        // Servers run in other folders.
        let folder = folder
            .canonicalize()
            .with_context(|| format!("{} is not there", folder.display()))?;
        let path = folder.join(MANIFEST);
        let text =
            std::fs::read(&path).with_context(|| format!("{} cannot be read", path.display()))?;
        let entries = serde_json::from_slice(&text)
            .with_context(|| format!("{} is no list of pairs", path.display()))?;
        Ok(Self { folder, entries })
    }

    /// The pairs by kind; only those whose name contains the text, when there is one.
    pub(super) fn pairs(&self, containing: Option<&str>) -> Result<Vec<Pair>> {
        let wanted = |entry: &&Entry| containing.is_none_or(|text| entry.pair.contains(text));
        let mut pairs: Vec<Pair> = self
            .entries
            .iter()
            .filter(wanted)
            .map(|entry| self.pair(entry))
            .collect();
        ensure!(!pairs.is_empty(), "the corpus has no such pair");
        pairs.sort_by_key(|pair| (pair.kind as usize, pair.name.clone()));
        Ok(pairs)
    }

    fn pair(&self, entry: &Entry) -> Pair {
        Pair {
            name: entry.pair.clone(),
            kind: entry.kind,
            baseline: self.folder.join(&entry.base),
            current: self.folder.join(&entry.cur),
            width: entry.w,
            height: entry.h,
        }
    }
}
