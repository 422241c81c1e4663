//! What happened to a region, as far as its pixels tell.

use rustc_hash::FxHashMap;

use crate::comparison::RegionKind;
use crate::geometry::Rect;
use crate::pair::{Both, OneSided, Pair, Side};

use super::shift::shift;

/// Pixels of a region that are looked at; of larger ones every second row, every third, and so on.
const MAX_PIXELS: u64 = 1 << 20;

/// Colours of a region that may have been exchanged for others; photographs have more.
const MAX_COLORS: usize = 4096;

/// An area that only one picture has.
pub(super) fn of_one_sided(lone: OneSided) -> RegionKind {
    if let Some(y) = lone.way {
        return RegionKind::Shifted { x: 0, y };
    }
    match lone.side {
        Side::Baseline => RegionKind::Removed,
        Side::Current => RegionKind::Added,
    }
}

/// An area of the canvas in which pixels changed.
pub(super) fn of_changed(pair: &Pair<'_>, area: Rect) -> RegionKind {
    let colors = Colors::of(pair, area);
    match (colors.only_before(), colors.only_after()) {
        (Some(_), None) => RegionKind::Added,
        (None, Some(_)) => RegionKind::Removed,
        (Some(before), Some(after)) => of_flat(pair, area, before, after),
        (None, None) if colors.were_exchanged() => RegionKind::Recoloured,
        (None, None) => {
            shift(pair, area).map_or(RegionKind::Edited, |(x, y)| RegionKind::Shifted { x, y })
        }
    }
}

/// An area of one colour before and another one after: what goes on around it, unchanged, was or is
/// ground.
fn of_flat(pair: &Pair<'_>, area: Rect, before: [u8; 4], after: [u8; 4]) -> RegionKind {
    let goes_on = |color: [u8; 4]| {
        let mut around = pair.rim(area).peekable();
        around.peek().is_some() && around.all(|both| both == (color, color))
    };
    if goes_on(before) {
        RegionKind::Added
    } else if goes_on(after) {
        RegionKind::Removed
    } else {
        RegionKind::Recoloured
    }
}

/// The colours that an area shows in both pictures.
struct Colors {
    first: Option<Both>,
    /// Whether the baseline shows one colour, and the current picture.
    is_flat: [bool; 2],
    /// For each colour of the baseline what it became, and for each of the current picture what it was;
    /// `None` once a colour became two, or two became one.
    exchanged: Option<[FxHashMap<[u8; 4], [u8; 4]>; 2]>,
}

impl Colors {
    /// Looks at pixels until they tell nothing more.
    fn of(pair: &Pair<'_>, area: Rect) -> Self {
        let all = u64::from(area.width) * u64::from(area.height);
        let step = usize::try_from(all.div_ceil(MAX_PIXELS)).expect("a step is small");
        let mut colors = Self {
            first: None,
            is_flat: [true; 2],
            exchanged: Some([FxHashMap::default(), FxHashMap::default()]),
        };
        let mut last = None;
        for y in (area.y..area.bottom()).step_by(step) {
            for stretch in pair.counted_along(y, area.x..area.right()) {
                for both in pair.both_along(y, stretch) {
                    // Most pixels are like the one before.
                    if last.replace(both) != Some(both) {
                        colors.add(both);
                    }
                }
            }
            if colors.is_flat == [false; 2] && colors.exchanged.is_none() {
                break;
            }
        }
        colors
    }

    fn add(&mut self, both: Both) {
        let first = self.first.get_or_insert(both);
        self.is_flat[0] &= both.0 == first.0;
        self.is_flat[1] &= both.1 == first.1;
        if let Some([there, back]) = &mut self.exchanged {
            let (before, after) = both;
            let goes_on = (there.len() < MAX_COLORS || there.contains_key(&before))
                && *there.entry(before).or_insert(after) == after
                && *back.entry(after).or_insert(before) == before;
            if !goes_on {
                self.exchanged = None;
            }
        }
    }

    /// The baseline's colour, when it shows a single one.
    fn only_before(&self) -> Option<[u8; 4]> {
        self.first.map(|both| both.0).filter(|_| self.is_flat[0])
    }

    /// The current picture's colour, when it shows a single one.
    fn only_after(&self) -> Option<[u8; 4]> {
        self.first.map(|both| both.1).filter(|_| self.is_flat[1])
    }

    /// Whether each colour was exchanged for another one, the same everywhere, and one for another than
    /// itself: joined insertions hold rows that are the same in both pictures, or none of both.
    fn were_exchanged(&self) -> bool {
        let changes = |there: &FxHashMap<_, _>| there.iter().any(|(before, after)| before != after);
        (self.exchanged.as_ref()).is_some_and(|[there, _]| changes(there))
    }
}
