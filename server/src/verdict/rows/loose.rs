//! Rows that came or went one or two at a time all down a lane, which are one region.

use pentimento_compute::{Band, Lane, LooseRows, Region};

use super::{Told, below_words, drift};
use crate::verdict::numbers::thousands;

/// How many rows came and went.
pub(crate) fn counted(rows: &LooseRows) -> String {
    told(rows, ["", ""])
}

/// The same with a verb for one row and for many.
fn told(rows: &LooseRows, [was, were]: [&str; 2]) -> String {
    let rows_words = |rows: u32| match rows {
        1 => format!("1 row{was}"),
        many => format!("{} rows{were}", thousands(many.into())),
    };
    match (rows.inserted, rows.removed) {
        (inserted, 0) => format!("{} inserted", rows_words(inserted)),
        (0, removed) => format!("{} removed", rows_words(removed)),
        (inserted, removed) => format!(
            "{} inserted and {} removed",
            rows_words(inserted),
            thousands(removed.into())
        ),
    }
}

/// The region of such rows of a lane.
pub(in crate::verdict) fn loose_in_lane<'r>(
    regions: &'r [Region],
    lane: &Lane,
) -> Option<&'r Region> {
    let columns = lane.x..lane.x + lane.width;
    let mut loose = regions
        .iter()
        .filter(|region| region.loose_rows.is_some() && columns.contains(&region.area.x));
    loose.next()
}

/// Whether a region of loose rows tells of what came or went between two bands that both pictures have.
pub(super) fn tells_of(region: &Region, gap: &[Band]) -> bool {
    let rows = region.loose_rows.as_ref();
    rows.is_some_and(|rows| gap.iter().all(|band| rows.are_in(band)))
}

/// What is said of loose rows of a lane.
pub(super) fn sentence(region: &Region, lane: &Lane, columns: &str) -> Option<Told> {
    let rows = region.loose_rows.as_ref()?;
    let (first, last) = (rows.places.first()?, rows.places.last()?);
    let why = if rows.is_rounding {
        ", as where lines of text are no whole number of pixels tall".to_owned()
    } else {
        let of = |band: Option<&Band>| band.and_then(drift).unwrap_or_default();
        let mut above = lane.bands.iter().rev();
        let mut below = lane.bands.iter();
        below_words(
            of(above.find(|band| band.y < first.start)),
            of(below.find(|band| band.y >= last.end)),
        )
    };
    let place = region.current_area.unwrap_or(region.area);
    let px = |y: u32| thousands(y.into());
    Some(Told {
        y: region.area.y,
        // Rounding is less than a block, however much of it there is; what is spaced otherwise is all that it pushes.
        rows: if rows.is_rounding {
            let tall = rows.places.iter().map(|place| place.end - place.start);
            tall.max()?
        } else {
            rows.inserted + rows.removed
        },
        places: rows.places.len(),
        sentence: format!(
            "{} one or two at a time between {} px and {} px from the top{columns}{why}.",
            told(rows, [" was", " were"]),
            px(place.y),
            px(place.bottom())
        ),
    })
}
