//! Where exactly what came or went begins, among rows that have no edges: their colours say.

use crate::align::stretch::{Stretch, slid_up};

/// How far a band is slid at most, in rows.
const MAX_SLIDE_ROWS: u32 = 512;

/// How two rows differ, by their numbers.
pub(super) struct Differ<E, L> {
    /// By how many edges.
    pub(super) edges: E,
    /// By how many levels of all their channels: rows as they lie, and as they would.
    pub(super) levels: [L; 2],
}

/// The bands, those that one picture alone has slid up to where the rows around them have the colours most alike, as far as that costs
/// no edges.
pub(super) fn slid_by_colour(
    bands: Vec<Stretch>,
    differ: &Differ<impl Fn(u32, u32) -> u64, impl Fn(u32, u32) -> u64>,
) -> Vec<Stretch> {
    slid_up(bands, |above, below| best_slide(above, below, differ))
}

/// How many of the last rows of a band go with the one below what lies between them, the fewest of those that are as good; `None` for
/// bands that pair no rows.
fn best_slide(
    above: Stretch,
    below: Stretch,
    differ: &Differ<impl Fn(u32, u32) -> u64, impl Fn(u32, u32) -> u64>,
) -> Option<u32> {
    let (ours, theirs) = (above.baseline? + above.rows, above.current? + above.rows);
    let (our_next, their_next) = (below.baseline?, below.current?);
    let (mut gain, mut best, mut slid_by) = (0_i64, 0_i64, 0);
    for row in 1..=above.rows.min(MAX_SLIDE_ROWS) {
        let (as_is, slid) = (
            (ours - row, theirs - row),
            (our_next - row, their_next - row),
        );
        if (differ.edges)(slid.0, slid.1) > (differ.edges)(as_is.0, as_is.1) {
            break;
        }
        let [levels_as_is, levels_slid] = &differ.levels;
        let levels = [levels_as_is(as_is.0, as_is.1), levels_slid(slid.0, slid.1)];
        let [before, after] = levels.map(|levels| i64::try_from(levels).expect("32 bits"));
        gain += before - after;
        if gain > best {
            (best, slid_by) = (gain, row);
        }
    }
    Some(slid_by)
}
