//! Whether a region shows what was a few pixels away.

mod counted;
mod on_ground;
mod telling;

use std::cmp::Reverse;

use crate::geometry::Rect;
use crate::pair::Pair;
use crate::raster::strip::STRIP_ROWS;

use counted::shift_of_counted;
use on_ground::OnGround;
use telling::{Telling, telling_column};

/// How far content is looked for along one axis, in pixels: beyond this a person would not say that
/// it shifted.
const MAX_SHIFT_PX: i32 = 64;

/// How far it is looked for along both axes at once.
const MAX_DIAGONAL_PX: i32 = 8;

/// Levels of a channel at most by which content may be another where it went: over another part of a gradient, or drawn anew a
/// little otherwise. Never more than half of what counts as a change where it is grey, 13 by default.
const MOST_LEVELS: u8 = 12;

/// Rows that differ among which the pixels are chosen by which most ways are ruled out.
const TELLING_ROWS: usize = 4;

/// Pixels of an area of which some are left out, or that is looked at pixel by pixel for a thing on ground: that takes a step a
/// pixel and way.
const MAX_COUNTED_PIXELS: u64 = 1 << 20;

/// Pixels of a row that is looked at bit by bit from which on one alone counts as a look.
const WIDE_PX: u32 = 4096;

/// How often an area's pixels are looked at in search of a way, so that pictures made for it take no longer than others.
const MAX_LOOKS: u64 = 8;

/// How far content went: right and down.
type Way = (i32, i32);

/// The way by which the current picture shows in an area of the canvas what the baseline shows a few pixels away: the
/// shortest, and of equals the one to the right and down. Beside a thing that moved on a ground of one colour may stand another
/// that did not, or the page may end. Where nothing is shown exactly, what is nearly the same counts.
pub(super) fn shift(pair: &mut Pair<'_>, area: Rect) -> Option<Way> {
    let places = pair.layout.places_of(area);
    let (from, to) = (places.0?, places.1?);
    if (from.width, from.height) != (to.width, to.height) || to.right() > pair.current.size.width {
        return None;
    }
    let left_out = (pair.ignored.as_ref()).map_or(0, |mask| mask.count_in(area));
    if left_out > 0 {
        let counted = u64::from(area.width) * u64::from(area.height) - left_out;
        return shift_of_counted(pair, area, [from, to], counted);
    }
    let levels = levels_off(pair);
    match shift_within(pair, [from, to], 0) {
        // Pixels that are nearly the same are looked at one by one.
        Ok(None) if levels > 0 && to.size().pixels() <= MAX_COUNTED_PIXELS => {
            shift_within(pair, [from, to], levels).ok()?
        }
        found => found.ok()?,
    }
}

/// Levels of a channel at most by which what went elsewhere may be another there.
pub(super) fn levels_off(pair: &Pair<'_>) -> u8 {
    MOST_LEVELS.min(pair.threshold.half_of_grey())
}

/// An area was looked at often enough.
struct GaveUp;

/// The shortest way by which no channel of any pixel is further than so many levels from what it was.
fn shift_within(
    pair: &mut Pair<'_>,
    [from, to]: [Rect; 2],
    levels: u8,
) -> Result<Option<Way>, GaveUp> {
    let all = 0..to.width;
    // From the middle outwards, but first one that differs, a few pixels of which rule nearly all ways out: ground looks
    // the same however far it is shifted.
    let mut rows: Vec<u32> = (0..to.height).collect();
    rows.sort_by_key(|&row| row.abs_diff(to.height / 2));
    let mut stretches = Vec::new();
    look_through(pair, &rows, |pair, at, row| {
        if !pair.shows_shifted([from, to], row, &all, (0, 0), levels) {
            let (column, steps) = telling_column(pair, [from, to], row, levels);
            stretches.push((steps, Reverse(at), column));
        }
        stretches.len() < TELLING_ROWS
    });
    let (steps, Reverse(telling), column) = stretches.into_iter().max().unwrap_or_default();
    if levels > 0 && steps == 0 {
        // Shades without an edge that was elsewhere are nearly the same in many places.
        return Ok(None);
    }
    let Some(upto) = rows.get_mut(..=telling) else {
        return Ok(None);
    };
    upto.rotate_right(1);
    let row = upto[0];
    let telling = Telling::of([from, to], (column, row), levels);
    // From the outermost inwards: where a thing has rows that are alike, only its first and its last tell how far it went.
    let inwards = || Rows::of(rows.iter().rev().copied().collect());
    let mut on_ground = (to.size().pixels() <= MAX_COUNTED_PIXELS).then(inwards);
    let mut rows = Rows::of(rows);
    // Where they are looked at pixel by pixel.
    let looks = to.width / WIDE_PX;
    for way in telling.ways(pair) {
        // Those that a single row rules out come besides: there are few hundred ways.
        let shows = |pair: &Pair<'_>, row| pair.shows_shifted([from, to], row, &all, way, levels);
        if rows.all(pair, if levels > 0 { looks } else { 0 }, shows)? {
            return Ok(Some(way));
        }
        if let Some(rows) = &mut on_ground
            && let Some(thing) = OnGround::of(pair, [from, to], way, levels)
        {
            match rows.all(pair, looks, |pair, row| thing.explains(pair, row)) {
                Ok(true) => return Ok(Some(way)),
                Ok(false) => {}
                Err(GaveUp) => on_ground = None,
            }
        }
    }
    Ok(None)
}

/// The rows of an area, in the order in which they are looked at: what rules out one way often rules out the next.
struct Rows {
    rows: Vec<u32>,
    looks_left: u64,
}

impl Rows {
    fn of(rows: Vec<u32>) -> Self {
        Self {
            looks_left: MAX_LOOKS * rows.len() as u64,
            rows,
        }
    }

    /// Whether something holds for all rows, where a row takes so many looks more than those that are counted.
    fn all(
        &mut self,
        pair: &mut Pair<'_>,
        more: u32,
        holds: impl Fn(&Pair<'_>, u32) -> bool,
    ) -> Result<bool, GaveUp> {
        let looked_at = look_through(pair, &self.rows, |pair, _, row| holds(pair, row));
        let Some(at) = looked_at else {
            return Ok(true);
        };
        let looks = at as u64 + u64::from(more);
        self.looks_left = self.looks_left.checked_sub(looks).ok_or(GaveUp)?;
        self.rows[..=at].rotate_right(1);
        Ok(false)
    }
}

/// Looks at rows, each with its place among them, as long as it is to go on; says where it was not to. Of a long page not all are in
/// memory at once.
fn look_through(
    pair: &mut Pair<'_>,
    rows: &[u32],
    mut goes_on: impl FnMut(&Pair<'_>, usize, u32) -> bool,
) -> Option<usize> {
    let mut look = |pair: &Pair<'_>, at: usize| goes_on(pair, at, rows[at]);
    if !pair.is_long() {
        return (0..rows.len()).find(|&at| !look(pair, at));
    }
    for first in (0..rows.len()).step_by(STRIP_ROWS as usize) {
        // Neighbours here may lie far apart on the page.
        pair.make_room_if_full();
        let mut piece = first..rows.len().min(first + STRIP_ROWS as usize);
        if let Some(at) = piece.find(|&at| !look(pair, at)) {
            return Some(at);
        }
    }
    None
}

/// Every way that is looked for, the shortest first, and of equals the one to the right and down.
fn all_ways() -> Vec<Way> {
    let steps = || -MAX_SHIFT_PX..=MAX_SHIFT_PX;
    let near = |step: i32| step.abs() <= MAX_DIAGONAL_PX;
    let mut ways: Vec<Way> = (steps().flat_map(|x| steps().map(move |y| (x, y))))
        .filter(|&(x, y)| (x == 0) != (y == 0) || (x != 0 && near(x) && near(y)))
        .collect();
    sort(&mut ways);
    ways
}

fn sort(ways: &mut [Way]) {
    ways.sort_by_key(|&(x, y)| (x.abs() + y.abs(), -x, -y));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::Image;
    use crate::geometry::Size;

    const HEIGHT: u32 = 160;

    /// Every way that there is, each tried on every row.
    fn shift_by_trying(pair: &Pair<'_>, area: Rect) -> Option<Way> {
        let columns = 0..area.width;
        let goes = |&way: &Way| {
            (0..area.height).all(|row| pair.shows_shifted([area; 2], row, &columns, way, 0))
        };
        all_ways().into_iter().find(goes)
    }

    /// Whether what is in an area went this way, with all that is beside it or on its ground.
    fn goes(pair: &Pair<'_>, area: Rect, way: Way) -> bool {
        let columns = 0..area.width;
        let on_ground = OnGround::of(pair, [area; 2], way, 0);
        (0..area.height).all(|row| pair.shows_shifted([area; 2], row, &columns, way, 0))
            || on_ground.is_some_and(|it| (0..area.height).all(|row| it.explains(pair, row)))
    }

    fn length((right, down): Way) -> i32 {
        right.abs() + down.abs()
    }

    /// Whether the current picture shows a single colour there.
    fn is_flat(pair: &Pair<'_>, area: Rect) -> bool {
        let mut rows = (area.y..area.bottom()).map(|y| pair.current.row(y));
        let right = area.right().min(pair.current.size.width);
        let color = pair.current.row(area.y).pixel(area.x.min(right - 1));
        rows.all(|row| (area.x..right).all(|x| row.pixel(x) == color))
    }

    #[test]
    fn a_thing_on_ground_goes_away_from_each_side_of_its_page_and_back() {
        let page = Size {
            width: 120,
            height: HEIGHT,
        };
        let shade = |x: u32, y: u32, (left, top): (u32, u32)| {
            let is_thing = (left..left + 20).contains(&x) && (top..top + 20).contains(&y);
            let is_ink = (x - left.min(x)) * 3 % 7 < 5;
            [255, 60, 200][usize::from(is_thing) + usize::from(is_thing && is_ink)]
        };
        let sides = [
            ((0_u32, 50_u32), (1, 0)),
            ((100, 50), (-1, 0)),
            ((40, 0), (0, 1)),
            ((40, HEIGHT - 20), (0, -1)),
        ];
        for ((left, top), (right, down)) in sides {
            for px in [1, 5, 8, 13, 40] {
                let way = (right * px, down * px);
                let gone = (
                    left.saturating_add_signed(way.0),
                    top.saturating_add_signed(way.1),
                );
                let showing = |place| Image::of_greys(page, 3, |x, y| shade(x, y, place));
                let area = Rect {
                    x: left.min(gone.0),
                    y: top.min(gone.1),
                    width: 20 + left.abs_diff(gone.0),
                    height: 20 + top.abs_diff(gone.1),
                };
                let mut pair = Pair::in_place(&[showing((left, top)), showing(gone)]);
                assert_eq!(shift(&mut pair, area), Some(way));
                let mut pair = Pair::in_place(&[showing(gone), showing((left, top))]);
                assert_eq!(shift(&mut pair, area), Some((-way.0, -way.1)));
            }
        }
    }

    #[test]
    fn the_shortest_way_is_found_as_by_trying_all() {
        // Without a pattern; one that repeats every few pixels both ways; stripes; and a word on blank ground.
        let drawings: [fn(i32, i32) -> i32; 4] = [
            |x, y| (x * x * 7 + y * y * 13 + x * y * 5) % 251,
            |x, y| (x % 5 + 3 * (y % 7)) * 9,
            |_, y| (y % 11) * 20,
            |x, y| {
                let is_word = (240..290).contains(&x) && (250..262).contains(&y);
                let is_ink = is_word && (x * x * 3 + y * y * 5 + x * y) % 7 < 3;
                if is_ink { 20 } else { 250 }
            },
        ];
        // The last three reach beyond the narrower picture, where there is one.
        let areas = [
            (40, 50, 30, 20),
            (40, 50, 90, 12),
            (0, 0, 9, 3),
            (70, 70, 1, 1),
            (0, 64, 150, 5),
            (143, 158, 7, 2),
            (120, 30, 25, 6),
        ];
        let gone = [
            (0, 0),
            (1, 0),
            (-2, 0),
            (0, 1),
            (0, -64),
            (64, 0),
            (-8, 8),
            (5, -3),
            (16, 0),
            (24, 0),
            (40, 0),
            (0, 10),
            (9, 9),
            (65, 0),
            (0, 65),
        ];
        let forms = [
            [(150, 3), (150, 3)],
            [(150, 3), (150, 4)],
            [(150, 4), (140, 4)],
            [(140, 3), (150, 3)],
        ];
        let (mut found, mut uncovered) = ([0, 0], 0);
        let cases = drawings
            .iter()
            .flat_map(|drawing| gone.map(|gone| (drawing, gone)));
        for (drawing, (right, down)) in cases {
            let shade = |x: i32, y: i32| u8::try_from(drawing(x + 200, y + 200)).unwrap();
            for [(width, channels), (other_width, other_channels)] in forms {
                let size = |width| Size {
                    width,
                    height: HEIGHT,
                };
                let before = Image::of_greys(size(width), channels, |x, y| {
                    shade(x.cast_signed(), y.cast_signed())
                });
                let after = Image::of_greys(size(other_width), other_channels, |x, y| {
                    shade(x.cast_signed() - right, y.cast_signed() - down)
                });
                let mut pair = Pair::in_place(&[before, after]);
                for (x, y, width, height) in areas {
                    let area = Rect {
                        x,
                        y,
                        width,
                        height,
                    };
                    if is_flat(&pair, area) {
                        // Such an area is told as added or removed.
                        continue;
                    }
                    let way = shift(&mut pair, area);
                    match (way, shift_by_trying(&pair, area)) {
                        (Some(way), other) if Some(way) != other => {
                            assert!(goes(&pair, area, way), "{right},{down} {way:?} {area:?}");
                            let longer = other.is_none_or(|other| length(other) > length(way));
                            assert!(longer, "{right},{down} {way:?} {other:?} {area:?}");
                            uncovered += 1;
                        }
                        (way, expected) => {
                            assert_eq!(way, expected, "{right},{down} {area:?}");
                            found[usize::from(way.is_some())] += 1;
                        }
                    }
                }
            }
        }
        assert!(found.iter().all(|&times| times > 100), "{found:?}");
        assert!(uncovered > 0);
    }
}
