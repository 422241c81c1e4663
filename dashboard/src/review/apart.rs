//! Two captures of one page that do not agree, put in the places of baseline and current: the same canvas shows them.

use pentimento_api::review::ReviewItem;

/// The names of the two captures on the canvas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Names {
    pub(crate) left: &'static str,
    pub(crate) right: &'static str,
}

/// What a page was compared as.
pub(crate) const COMPARED: Names = Names {
    left: "Baseline",
    right: "Current",
};

/// Captures of one page in one run; the first is the one that counts.
pub(crate) const APART: Names = Names {
    left: "Capture 1",
    right: "Capture 2",
};

/// The page with the captures of a disagreement in place of its own two; nothing when it has no such disagreement.
pub(crate) fn shown(item: &ReviewItem, disagreement: usize) -> Option<ReviewItem> {
    let apart = item.disagreements.get(disagreement)?;
    Some(ReviewItem {
        baseline: Some(apart.kept.clone()),
        current: Some(apart.other.clone()),
        mask_url: apart.mask_url.clone(),
        compared_width: apart.compared_width,
        compared_height: apart.compared_height,
        layout: apart.layout.clone(),
        regions: Vec::new(),
        ..item.clone()
    })
}
