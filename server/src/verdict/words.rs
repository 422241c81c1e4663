//! What was measured, in sentences with their figures.

use pentimento_compute::{Comparison, Region, RegionKind};

use super::numbers::thousands;
use super::rows::counted;

/// What is said of a page whose edges alone differ.
pub(super) fn smoothing_sentence(pixels: u64) -> String {
    let (count, verb) = match pixels {
        1 => ("1 pixel".to_owned(), "differs"),
        many => (format!("{} pixels", thousands(many)), "differ"),
    };
    format!("{count} {verb} only in the smoothing of edges (anti-aliasing).")
}

/// What is said of a region: its kind, its size, and where to see it.
pub(super) fn region_sentence(region: &Region) -> String {
    // What only the baseline has is to be looked for there.
    let (area, of) = match (region.current_area, region.baseline_area) {
        (Some(area), _) => (area, ""),
        (None, Some(area)) => (area, " of the baseline"),
        (None, None) => (region.area, ""),
    };
    let pixels = match region.changed_pixels {
        1 => "1 pixel changed".to_owned(),
        count => format!("{} pixels changed", thousands(count)),
    };
    let kind = match &region.loose_rows {
        Some(rows) => format!("{}, one or two at a time", counted(rows)),
        None => kind_words(region.kind),
    };
    format!(
        "{kind}: {pixels} in an area of {} × {} px, {} px from the left and {} px from the top{of}.",
        thousands(area.width.into()),
        thousands(area.height.into()),
        thousands(area.x.into()),
        thousands(area.y.into()),
    )
}

fn kind_words(kind: RegionKind) -> String {
    match kind {
        RegionKind::Added => "Added".to_owned(),
        RegionKind::Removed => "Removed".to_owned(),
        RegionKind::Recoloured => "Recoloured".to_owned(),
        RegionKind::Shifted { x, y } => format!("Moved {}", shift_words(x, y)),
        RegionKind::Edited => "Edited".to_owned(),
    }
}

fn shift_words(x: i32, y: i32) -> String {
    let part = |by: i32, forth: &str, back: &str| {
        let pixels = thousands(by.unsigned_abs().into());
        (by != 0).then(|| format!("{pixels} px {}", if by > 0 { forth } else { back }))
    };
    let parts: Vec<String> = [
        part(x, "to the right", "to the left"),
        part(y, "down", "up"),
    ]
    .into_iter()
    .flatten()
    .collect();
    parts.join(" and ")
}

/// What is said of captures of different sizes. A height that differs because rows moved is told with those rows, and one
/// that `is_explained` with what explains it.
pub(super) fn size_sentence(comparison: &Comparison, is_explained: bool) -> Option<String> {
    let (before, after) = (comparison.baseline, comparison.current);
    let part = |what: &str, before: u32, after: u32| {
        (before != after).then(|| {
            let verb = if after > before { "grew" } else { "shrank" };
            format!(
                "its {what} {verb} by {} px, from {} to {} px",
                thousands(before.abs_diff(after).into()),
                thousands(before.into()),
                thousands(after.into())
            )
        })
    };
    let height = (comparison.layout.is_in_place() && !is_explained)
        .then(|| part("height", before.height, after.height))
        .flatten();
    let parts: Vec<String> = part("width", before.width, after.width)
        .into_iter()
        .chain(height)
        .collect();
    (!parts.is_empty()).then(|| format!("The page has another size: {}.", parts.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentimento_compute::Rect;

    #[test]
    fn a_region_is_told_by_its_kind_with_its_figures() {
        let at = |y| Rect {
            x: 8,
            y,
            width: 320,
            height: 48,
        };
        let region = |kind, baseline_area, current_area| Region {
            label: "A".to_owned(),
            kind,
            redrawn: false,
            line: None,
            loose_rows: None,
            area: at(1240),
            baseline_area,
            current_area,
            changed_pixels: 12_345,
            mean_delta: 0.5,
            max_delta: 1.0,
        };
        let (before, after) = (Some(at(1200)), Some(at(1220)));
        let moved = |x, y| RegionKind::Shifted { x, y };
        for (region, start, end) in [
            (
                region(RegionKind::Edited, before, after),
                "Edited: ",
                "1,220 px from the top.",
            ),
            (
                region(RegionKind::Added, None, after),
                "Added: ",
                "1,220 px from the top.",
            ),
            (
                Region {
                    loose_rows: Some(pentimento_compute::LooseRows {
                        inserted: 1_040,
                        removed: 3,
                        is_rounding: true,
                        places: Vec::new(),
                    }),
                    ..region(RegionKind::Edited, before, after)
                },
                "1,040 rows inserted and 3 removed, one or two at a time: ",
                "1,220 px from the top.",
            ),
            (
                region(RegionKind::Removed, before, None),
                "Removed: ",
                "1,200 px from the top of the baseline.",
            ),
            (
                region(RegionKind::Recoloured, before, after),
                "Recoloured: ",
                "top.",
            ),
            (
                region(moved(0, -12), before, after),
                "Moved 12 px up: ",
                "top.",
            ),
            (
                region(moved(1500, 3), before, after),
                "Moved 1,500 px to the right and 3 px down: ",
                "top.",
            ),
        ] {
            let sentence = region_sentence(&region);
            let middle = "12,345 pixels changed in an area of 320 × 48 px, 8 px from the left and ";
            assert!(
                sentence.starts_with(&format!("{start}{middle}")) && sentence.ends_with(end),
                "{sentence}"
            );
        }
    }
}
