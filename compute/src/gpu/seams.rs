//! Where rows that meet on the canvas do not meet in the pictures.

use crate::pair::Pair;
use crate::stages::{ROW_SEAM, ROW_SHARED};

/// What stage `antialias` looks at above and below a row: the neighbours of neighbours.
const OFFSETS: [i64; 4] = [-2, -1, 1, 2];

/// What stages have to know of a row of the canvas.
pub(crate) fn row_flags(pair: &Pair<'_>, y: u32) -> u32 {
    let Some(rows) = pair.shared_rows(y.into()) else {
        return 0;
    };
    if OFFSETS
        .iter()
        .all(|&offset| is_continuous(pair, y, rows, offset))
    {
        ROW_SHARED
    } else {
        ROW_SHARED | ROW_SEAM
    }
}

/// Rows of which shaders leave all that differs to the host.
pub(crate) fn seam_rows(pair: &Pair<'_>) -> u64 {
    let is_seam = |&y: &u32| row_flags(pair, y) & ROW_SEAM != 0;
    (0..pair.size.height).filter(is_seam).count() as u64
}

/// Whether the canvas shows, so many rows further down, what both pictures have there; or nothing
/// when one of them has nothing.
fn is_continuous(pair: &Pair<'_>, y: u32, [baseline, current]: [u32; 2], offset: i64) -> bool {
    let on = |row: u32, height: u32| {
        let row = i64::from(row) + offset;
        u32::try_from(row).ok().filter(|&row| row < height)
    };
    let there = i64::from(y) + offset;
    let on_pictures = on(baseline, pair.baseline.size.height)
        .zip(on(current, pair.current.size.height))
        .map(|(baseline, current)| [baseline, current]);
    let on_canvas = (0..i64::from(pair.size.height)).contains(&there);
    match on_pictures {
        Some(rows) => pair.shared_rows(there) == Some(rows),
        None => !on_canvas,
    }
}
