//! What windows lose in 64 bits, as the paper words it: for pages of so few that what 32 bits lose of each does not average out.

use std::ops::Range;

use crate::dirty::Dirty;
use crate::pair::Pair;
use crate::score::{self, C1, C2, LUMA_ONE, RADIUS, WINDOW, centres};
use crate::tile::TILE;

use super::luma_row;
use super::rows::Rows;

/// Summed loss of all windows of a canvas.
pub(crate) fn loss_of_few(pair: &Pair<'_>, dirty: &Dirty) -> f64 {
    let weights = score::weights();
    let mut lost = 0.0;
    for y in centres(pair.size.height) {
        let tile_row = y / TILE;
        if !dirty.rows_touch(tile_row..tile_row + 1) {
            continue;
        }
        let is_looked_at = |&x: &u32| dirty.touches(x / TILE, tile_row) && !pair.is_ignored(x, y);
        let mut covered = Rows::around(pair, &(y..y + 1));
        for x in centres(pair.size.width).filter(is_looked_at) {
            lost += loss(&weights, &window(&mut covered, x, y));
        }
    }
    lost
}

/// Sum and difference of both lumas at a place.
type Lumas = [f64; 2];

/// What the window centred at a place covers, row by row.
fn window(covered: &mut Rows<'_>, x: u32, y: u32) -> [[Lumas; WINDOW]; WINDOW] {
    let reach = |centre: u32| -> Range<i64> {
        let (centre, radius) = (i64::from(centre), i64::from(RADIUS));
        centre - radius..centre + radius + 1
    };
    let mut rows = [[[0.0; 2]; WINDOW]; WINDOW];
    for (row, y) in rows.iter_mut().zip(reach(y)) {
        let pair = covered.pair();
        let (y, of_row) = covered.row(y);
        let [ours, theirs] = of_row.map(|parts| {
            let mut lumas = [0; WINDOW];
            luma_row(pair, parts, &reach(x), y, &mut lumas);
            lumas.map(|luma| f64::from(luma) / f64::from(LUMA_ONE))
        });
        for (place, (one, other)) in row.iter_mut().zip(ours.into_iter().zip(theirs)) {
            *place = [one + other, one - other];
        }
    }
    rows
}

/// What a window loses; see [`score::loss`] for the terms.
fn loss(weights: &[f64; WINDOW], window: &[[Lumas; WINDOW]; WINDOW]) -> f64 {
    let mean = |value: &dyn Fn(&Lumas) -> f64| -> f64 {
        let rows = weights.iter().zip(window);
        rows.map(|(of_row, row)| {
            let places = weights.iter().zip(row);
            of_row
                * places
                    .map(|(of_place, lumas)| of_place * value(lumas))
                    .sum::<f64>()
        })
        .sum()
    };
    let means = [0, 1].map(|at| mean(&|lumas| lumas[at]));
    let [variance_sum, variance_difference] =
        [0, 1].map(|at| mean(&|lumas| (lumas[at] - means[at]).powi(2)));
    let [mean_sum, mean_difference] = means.map(|mean| mean * mean);
    let luminance = f64::midpoint(mean_sum, mean_difference) + C1;
    let structure = f64::midpoint(variance_sum, variance_difference) + C2;
    let by_structure = variance_difference * (luminance - mean_difference);
    (mean_difference * structure + by_structure) / (luminance * structure)
}
