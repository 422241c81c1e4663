//! What happened to a region, as far as its pixels tell.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::comparison::RegionKind;
use crate::geometry::Rect;
use crate::pair::{Both, OneSided, Pair, Side};

/// Pixels of a region that are looked at; of larger ones every second row, every third, and so on.
const MAX_PIXELS: u64 = 1 << 20;

/// Colours of a region that may have been exchanged for others; photographs have more.
const MAX_COLORS: usize = 4096;

/// How far content is looked for along one axis, in pixels: beyond this a person would not say that
/// it shifted.
const MAX_SHIFT_PX: i32 = 64;

/// How far it is looked for along both axes at once.
const MAX_DIAGONAL_PX: i32 = 8;

/// Columns of the part of a region by which most ways are ruled out.
const TELLING_PX: u32 = 8;

/// The ways that content may have gone (right, down), the shortest first; of equals the one to the
/// right and down.
static WAYS: LazyLock<Vec<(i32, i32)>> = LazyLock::new(|| {
    let straight = (-MAX_SHIFT_PX..=MAX_SHIFT_PX).flat_map(|step| [(step, 0), (0, step)]);
    let near = -MAX_DIAGONAL_PX..=MAX_DIAGONAL_PX;
    let diagonal = near.clone().flat_map(|x| near.clone().map(move |y| (x, y)));
    let mut ways: Vec<(i32, i32)> = straight
        .chain(diagonal)
        .filter(|&way| way != (0, 0))
        .collect();
    ways.sort_by_key(|&(x, y)| (x.abs() + y.abs(), -x, -y));
    ways.dedup();
    ways
});

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
        (None, None) => shift(pair, area).unwrap_or(RegionKind::Edited),
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
            for both in pair.both_along(y, area.x..area.right()) {
                // Most pixels are like the one before.
                if last.replace(both) != Some(both) {
                    colors.add(both);
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

/// Whether the current picture shows what the baseline shows a few pixels away.
fn shift(pair: &Pair<'_>, area: Rect) -> Option<RegionKind> {
    let places = super::places_of(&pair.layout, area);
    let (from, to) = (places.0?, places.1?);
    if (from.width, from.height) != (to.width, to.height) {
        return None;
    }
    // From the middle outwards, but first a row that differs: ground looks the same however far it is
    // shifted.
    let mut rows: Vec<u32> = (0..to.height).collect();
    rows.sort_by_key(|&row| row.abs_diff(to.height / 2));
    let differs = |&row: &u32| !pair.shows_shifted(from, to, row, (0, 0));
    let telling = rows.iter().position(differs).unwrap_or_default();
    rows.get_mut(..=telling)?.rotate_right(1);
    // A few pixels of it, from the first that differs, rule nearly all ways out.
    let row = *rows.first()?;
    let part_of = |area: Rect, column, width| Rect {
        x: area.x + column,
        y: area.y + row,
        width,
        height: 1,
    };
    let column = (0..to.width)
        .find(|&x| !pair.shows_shifted(part_of(from, x, 1), part_of(to, x, 1), 0, (0, 0)))
        .unwrap_or_default()
        .min(to.width.saturating_sub(TELLING_PX));
    let width = TELLING_PX.min(to.width);
    let (before, after) = (part_of(from, column, width), part_of(to, column, width));
    let may_go = |&&way: &&(i32, i32)| pair.shows_shifted(before, after, 0, way);
    let goes = |&&way: &&(i32, i32)| {
        rows.iter()
            .all(|&row| pair.shows_shifted(from, to, row, way))
    };
    let &(x, y) = WAYS.iter().filter(may_go).find(goes)?;
    Some(RegionKind::Shifted { x, y })
}
