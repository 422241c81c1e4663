//! One comparison in plain words.

use std::cmp::Reverse;
use std::fmt::Write as _;
use std::path::PathBuf;

use pentimento_compute::{AntiAliasing, Backend, Comparison, Rect, Region, RegionKind};

use super::names::readable;
use super::table::{Align, table};
use crate::verdict::numbers::thousands;
use crate::verdict::rows;

/// Regions and sentences on rows; who wants more asks for JSON.
const MAX_LINES: usize = 20;

/// Says what differs, in lines.
pub(super) fn describe(
    comparison: &Comparison,
    anti_aliasing: AntiAliasing,
    written: &[PathBuf],
) -> String {
    let mut text = verdict(comparison);
    let line = |text: &mut String, words: &str| {
        text.push_str(words);
        text.push('\n');
    };
    if comparison.baseline != comparison.current {
        let words = format!(
            "The baseline is {}, the current picture {} pixels.",
            comparison.baseline, comparison.current
        );
        line(&mut text, &words);
    }
    if let Some(words) = anti_aliased(comparison.anti_aliased_pixels, anti_aliasing) {
        line(&mut text, &words);
    }
    if let Some(percent) = comparison.unaligned_percentage() {
        let percent = self::percent(percent);
        line(
            &mut text,
            &format!("Rows were aligned; place by place {percent} would differ."),
        );
    }
    for words in rows::sentences(&comparison.layout, &comparison.regions, MAX_LINES) {
        line(&mut text, &words);
    }
    if !comparison.regions.is_empty() {
        text.push('\n');
        text.push_str(&regions(&comparison.regions));
        if !written.is_empty() {
            text.push('\n');
        }
    }
    for path in written {
        line(&mut text, &format!("Wrote {}.", readable(path)));
    }
    text
}

/// A share with as many digits as it takes to tell it from none and from all.
pub(super) fn percent(percent: f64) -> String {
    let nearly_all = 99.99..100.0;
    // The largest pages have 80 million pixels.
    if percent > 0.0 && percent < 0.000_1 {
        format!("{percent:.7} %")
    } else if percent > 0.0 && percent < 0.01 {
        format!("{percent:.5} %")
    } else if nearly_all.contains(&percent) {
        format!("{:.5} %", percent.min(99.999_99))
    } else {
        format!("{percent:.2} %")
    }
}

fn verdict(comparison: &Comparison) -> String {
    let total = thousands(comparison.total_pixels);
    let backend = match comparison.backend {
        Backend::Cpu => "CPU",
        Backend::Gpu => "GPU",
    };
    let figures = match comparison.changed_pixels {
        0 if comparison.total_pixels == 0 => {
            return "Same: every pixel is ignored, so nothing was compared.\n".to_owned();
        }
        0 if comparison.score < 100.0 => {
            format!("Same: none of {total} pixels changed by more than the threshold")
        }
        0 => format!("Same: none of {total} pixels changed"),
        changed => format!(
            "Different: {} of {total} pixels changed ({})",
            thousands(changed),
            percent(comparison.diff_percentage())
        ),
    };
    let score = score(comparison.score);
    format!("{figures}, score {score} of 100, compared on the {backend}.\n")
}

/// A score with as many digits as it takes to tell it from that of two pictures that are the same.
fn score(score: f64) -> String {
    if (99.99..100.0).contains(&score) {
        format!("{:.5}", score.min(99.999_99))
    } else {
        format!("{score:.2}")
    }
}

/// What became of anti-aliased pixels; nothing where there are none to leave out.
fn anti_aliased(pixels: u64, anti_aliasing: AntiAliasing) -> Option<String> {
    match (anti_aliasing, pixels) {
        (AntiAliasing::Include, _) => {
            Some("Anti-aliased pixels are counted as changed.".to_owned())
        }
        (AntiAliasing::Exclude, 0) => None,
        (AntiAliasing::Exclude, _) => Some(format!(
            "Anti-aliased pixels: {} (not counted).",
            thousands(pixels)
        )),
    }
}

/// The largest regions, in reading order.
fn regions(regions: &[Region]) -> String {
    let mut shown: Vec<(usize, &Region)> = regions.iter().enumerate().collect();
    shown.sort_by_key(|(_, region)| Reverse(region.changed_pixels));
    shown.truncate(MAX_LINES);
    shown.sort_by_key(|&(at, _)| at);
    let rows: Vec<_> = shown
        .into_iter()
        .map(|(_, region)| {
            [
                region.label.clone(),
                kind(region),
                place(region),
                thousands(region.changed_pixels),
            ]
        })
        .collect();
    let mut text = table(
        [
            ("region", Align::Left),
            ("kind", Align::Left),
            ("box", Align::Left),
            ("pixels", Align::Right),
        ],
        &rows,
    );
    if regions.len() > MAX_LINES {
        let left = regions.len() - MAX_LINES;
        let _ = writeln!(
            text,
            "… and {left} more, none larger than these; --json lists all."
        );
    }
    text
}

/// Where a region lies in the current picture, or in the baseline where only that has it.
fn place(region: &Region) -> String {
    let said = |area: Rect| format!("{}×{} at {},{}", area.width, area.height, area.x, area.y);
    match (region.current_area, region.baseline_area) {
        (Some(area), _) => said(area),
        (None, Some(area)) => format!("{} of the baseline", said(area)),
        (None, None) => said(region.area),
    }
}

fn kind(region: &Region) -> String {
    match (region.kind, &region.loose_rows) {
        (_, Some(rows)) => rows::counted(rows),
        (RegionKind::Shifted { x, y }, None) => format!("shifted by {x},{y}"),
        (kind, None) => kind.as_str().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use pentimento_compute::LooseRows;

    use super::*;

    #[test]
    fn of_many_regions_the_largest_are_told() {
        let area = Rect {
            x: 4,
            y: 5,
            width: 60,
            height: 70,
        };
        let region = |number: u64| Region {
            label: format!("R{number}"),
            kind: RegionKind::Edited,
            redrawn: false,
            line: None,
            loose_rows: None,
            area,
            baseline_area: Some(area),
            current_area: Some(area),
            // The last three are the largest; of those that are as large as each other the first come first.
            changed_pixels: if number < 27 { 9 } else { number * 100 },
            mean_delta: 0.5,
            max_delta: 0.5,
        };
        let all: Vec<Region> = (0..30).map(region).collect();
        let text = regions(&all);
        let told: Vec<&str> = (text.lines().skip(1))
            .filter_map(|line| line.split_whitespace().next())
            .collect();
        let expected: Vec<String> = (0..17)
            .chain(27..30)
            .map(|number| format!("R{number}"))
            .collect();
        assert_eq!(told[..20], expected);
        assert!(
            text.ends_with("… and 10 more, none larger than these; --json lists all.\n"),
            "{text}"
        );
        assert!(!regions(&all[..20]).contains('…'));
        let gone = Region {
            current_area: None,
            ..region(3)
        };
        let text = regions(&[region(2), gone]);
        assert!(text.contains(" 60×70 at 4,5  "), "{text}");
        assert!(text.contains(" 60×70 at 4,5 of the baseline  "), "{text}");
        let loose = |inserted, removed| {
            let rows = LooseRows {
                inserted,
                removed,
                is_rounding: true,
                places: Vec::new(),
            };
            kind(&Region {
                loose_rows: Some(rows),
                ..region(3)
            })
        };
        assert_eq!(
            [loose(4, 0), loose(0, 5), loose(1, 3)],
            [
                "4 rows inserted",
                "5 rows removed",
                "1 row inserted and 3 removed"
            ]
        );
    }

    #[test]
    fn few_pixels_are_not_none_and_nearly_all_are_not_all() {
        let said = [
            0.0,
            0.000_001_25,
            0.0001,
            5.0,
            99.99,
            99.9975,
            99.999_999,
            100.0,
        ]
        .map(percent);
        let expected = [
            "0.00",
            "0.0000013",
            "0.00010",
            "5.00",
            "99.99000",
            "99.99750",
            "99.99999",
            "100.00",
        ];
        assert_eq!(said, expected.map(|share| format!("{share} %")));
    }
}
