//! Whether a region of which some is left out shows what was a few pixels away.

use crate::geometry::Rect;
use crate::pair::Pair;

use super::{MAX_COUNTED_PIXELS, MAX_LOOKS, MAX_SHIFT_PX, WIDE_PX, Way, all_ways, look_through};

/// The way of an area of which so many pixels are counted. What came from below what is left out, or went
/// there, cannot be known; at least half of what counts must be seen at both places.
pub(super) fn shift_of_counted(
    pair: &mut Pair<'_>,
    area: Rect,
    places: [Rect; 2],
    counted: u64,
) -> Option<Way> {
    if area.size() != places[1].size() || area.size().pixels() > MAX_COUNTED_PIXELS {
        return None;
    }
    let (above, below) = (
        MAX_SHIFT_PX.unsigned_abs(),
        area.height + MAX_SHIFT_PX.unsigned_abs(),
    );
    let first = places[0].y.saturating_sub(above);
    let canvas_rows = pair.layout.canvas_rows(area.x, first..places[0].y + below);
    // How many pixels of a row are seen at both places; `None` when some of them are not the same.
    let seen = |pair: &Pair<'_>, row: u32, way: Way| {
        // The row further back lies elsewhere on the canvas when a band was inserted between.
        let further_back = (places[0].y + row).checked_add_signed(-way.1);
        let shown_at = further_back.and_then(|y| canvas_rows[(y - first) as usize]);
        let (y, columns) = (area.y + row, area.x..area.right());
        let mut stretches = pair.seen_at_both(y, columns, (way.0, shown_at));
        stretches.try_fold(0, |seen, stretch| {
            let columns = stretch.start - area.x..stretch.end - area.x;
            let shows = pair.shows_shifted(places, row, &columns, way, 0);
            shows.then_some(seen + u64::from(columns.end - columns.start))
        })
    };
    // A row that differs rules nearly all ways out.
    let mut rows: Vec<u32> = (0..area.height).collect();
    let telling = look_through(pair, &rows, |pair, _, row| {
        seen(pair, row, (0, 0)).is_some()
    })?;
    rows[..=telling].rotate_right(1);
    let mut looks_left = MAX_LOOKS * u64::from(area.height);
    for way in all_ways() {
        let mut all = 0;
        let ruled_out = look_through(pair, &rows, |pair, _, row| {
            let seen = seen(pair, row, way);
            all += seen.unwrap_or_default();
            seen.is_some()
        });
        match ruled_out {
            None if 2 * all >= counted => return Some(way),
            None => looks_left = looks_left.checked_sub(rows.len() as u64)?,
            Some(at) => {
                let looks = at as u64 + u64::from(area.width / WIDE_PX);
                looks_left = looks_left.checked_sub(looks)?;
                rows[..=at].rotate_right(1);
            }
        }
    }
    None
}
