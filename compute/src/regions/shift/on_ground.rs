//! Whether a thing moved on ground of nearly one colour, whatever stands beside it.

use crate::geometry::Rect;
use crate::pair::Pair;
use crate::raster::row::{Row, alike};

use super::Way;

/// A way that a thing may have gone on ground of one colour, from which it may be so many levels off, as the thing itself where
/// it went.
pub(super) struct OnGround {
    places: [Rect; 2],
    way: Way,
    ground: [u8; 4],
    levels: u8,
}

impl OnGround {
    /// `None` when the corner that was left and the one that was reached, and what lies right beyond them, do not all show the same
    /// colour: then it is the thing's.
    pub(super) fn of(pair: &Pair<'_>, [from, to]: [Rect; 2], way: Way, levels: u8) -> Option<Self> {
        let both_have = pair.baseline.size.width.min(pair.current.size.width);
        if from.right().max(to.right()) > both_have {
            return None;
        }
        // The corner of an area that lies that way from its middle.
        let corner = |area: Rect, (right, down): Way| {
            let x = area.x + if right > 0 { area.width - 1 } else { 0 };
            let y = area.y + if down > 0 { area.height - 1 } else { 0 };
            (x, y)
        };
        let ends = [
            (&pair.current, to, (-way.0, -way.1)),
            (&pair.baseline, from, way),
        ];
        let mut shown = ends.into_iter().flat_map(|(picture, area, towards)| {
            let (x, y) = corner(area, towards);
            let beyond = x
                .checked_add_signed(towards.0.signum())
                .zip(y.checked_add_signed(towards.1.signum()))
                .filter(|&(x, y)| x < picture.size.width && y < picture.size.height);
            let seen = |(x, y): (u32, u32)| picture.row(y).seen(x);
            [Some((x, y)), beyond].into_iter().flatten().map(seen)
        });
        let ground = shown.next()?;
        shown
            .all(|color| alike(color, ground, levels))
            .then_some(Self {
                places: [from, to],
                way,
                ground,
                levels,
            })
    }

    /// Whether, in a row of the area, all that the current picture shows is what the baseline shows further back, or ground, and
    /// all that the baseline shows is what the current picture shows further on, or ground.
    pub(super) fn explains(&self, pair: &Pair<'_>, row: u32) -> bool {
        let ([from, to], way) = (self.places, self.way);
        let (before, after) = (
            pair.baseline.row(from.y + row),
            pair.current.row(to.y + row),
        );
        let further_back = pair
            .baseline
            .row_at(i64::from(from.y + row) - i64::from(way.1));
        let further_on = pair
            .current
            .row_at(i64::from(to.y + row) + i64::from(way.1));
        let shows = |there: Option<Row<'_>>, x: u32, by: i32, width: u32, pixel: [u8; 4]| {
            let x = x.checked_add_signed(by).filter(|&x| x < width);
            (there.zip(x)).is_some_and(|(row, x)| alike(row.seen(x), pixel, self.levels))
        };
        let widths = [pair.baseline.size.width, pair.current.size.width];
        (0..to.width).all(|x| {
            let (was, is) = (before.seen(from.x + x), after.seen(to.x + x));
            let is_ground = |color| alike(color, self.ground, self.levels);
            let came = is_ground(is) || shows(further_back, from.x + x, -way.0, widths[0], is);
            came && (is_ground(was) || shows(further_on, to.x + x, way.0, widths[1], was))
        })
    }
}
