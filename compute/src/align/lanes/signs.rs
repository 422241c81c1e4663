//! Signs that a page has lanes, asked for before all columns are matched.

use super::{Column, WORTH_PERCENT, joined, lay};
use crate::align::STAYED_ROWS;
use crate::align::run::Run;
use crate::align::stretch::{Stretch, cost, paired, paired_but_different};
use crate::loaded::Loaded;
use crate::raster::strip::STRIP_ROWS;
use crate::row_hash::cell_columns;

/// Strips without any difference, in percent of some that lie one below the other, beyond which these show scattered edits and
/// nothing that moved.
const SCATTERED_PERCENT: usize = 25;

/// Strips at the end of a page by which it is told that something above them moved.
const MOVED_STRIPS: usize = 4;

/// Whether bands lay most rows of some runs as these do.
pub(super) fn is_told<'r>(runs: impl Iterator<Item = &'r Run>, bands: &[Stretch]) -> bool {
    // From top to bottom, as they lie in the baseline too.
    let laid: Vec<Run> = paired(bands).collect();
    let (mut told, mut all) = (0, 0);
    for run in runs {
        let end = run.baseline + run.rows;
        let first = laid.partition_point(|band| band.baseline + band.rows <= run.baseline);
        let over = laid[first..].iter().take_while(|band| band.baseline < end);
        for band in over.filter(|band| band.shift() == run.shift()) {
            let shared = band.baseline.max(run.baseline)..end.min(band.baseline + band.rows);
            told += shared.len();
        }
        all += run.rows as usize;
    }
    2 * told >= all
}

/// Whether bars at the edges of the page may be what differs, or what hides from whole rows how those between them went.
pub(super) fn is_spoilt_by_edges(
    loaded: &Loaded<'_>,
    sampled: &[Column],
    below: usize,
    whole: &[Stretch],
) -> bool {
    let [first, second, inner @ .., last_but_one, last] = sampled else {
        return false;
    };
    let known = &loaded.rows;
    let differing = paired_but_different(whole, &known.baseline, &known.current);
    let is_spoilt = |edge: &Column| {
        let [baseline, current] = &edge.hashes;
        let as_whole = paired_but_different(whole, baseline, current);
        // Of rows at the bottom that are the same in all columns it is not known where they went in this one.
        let [ours, theirs] = [baseline, current].map(|rows| &rows[..rows.len() - below]);
        let stays = || ours.iter().zip(theirs).all(|(one, other)| one == other);
        2 * as_whole >= differing.max(STAYED_ROWS) || (as_whole >= STAYED_ROWS && stays())
    };
    if [first, second, last_but_one, last]
        .into_iter()
        .any(is_spoilt)
    {
        return true;
    }
    if inner.is_empty() {
        return false;
    }
    let width = loaded.baseline.size.width;
    let pixels = cell_columns(second.cell, width).end..cell_columns(last_but_one.cell, width).start;
    let hashes = joined(inner);
    let bands = lay(loaded, inner, &hashes, pixels);
    let [own, as_whole] =
        [&bands, whole].map(|bands: &[Stretch]| cost(bands, &hashes[0], &hashes[1]));
    own < as_whole && own * 100 <= as_whole * WORTH_PERCENT
}

/// Whether differences lie here and there only: neither all over the strips between the first and the last, nor, of pages that
/// grew or shrank, all over those from one of them to the end, as below what was inserted.
pub(super) fn is_scattered(loaded: &Loaded<'_>) -> bool {
    let dirty: Vec<bool> = (loaded.rows.same_in_place)
        .chunks(STRIP_ROWS as usize)
        .map(|rows| rows.contains(&false))
        .collect();
    let (Some(first), Some(last)) = (
        dirty.iter().position(|&dirty| dirty),
        dirty.iter().rposition(|&dirty| dirty),
    ) else {
        return true;
    };
    let is_full = |clean: usize, strips: usize| clean * 100 <= strips * SCATTERED_PERCENT;
    let mut clean = 0;
    let differs_in_height = loaded.baseline.size.height != loaded.current.size.height;
    let reaches_the_end = differs_in_height
        && (1..).zip(dirty.iter().rev()).any(|(strips, dirty)| {
            clean += usize::from(!dirty);
            strips >= MOVED_STRIPS && is_full(clean, strips)
        });
    let between = &dirty[first..=last];
    let clean = between.iter().filter(|&&dirty| !dirty).count();
    !reaches_the_end && !is_full(clean, between.len())
}
