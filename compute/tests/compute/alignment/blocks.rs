//! Blocks that came, went or moved among rows that all look alike: nothing but the pictures' makers know which of these are new.

use pentimento_compute::{Alignment, Band, Layout, RegionKind};
use proptest::prelude::*;

use super::compare;
use crate::pages::{Page, WHITE, random};

const WIDTH: u32 = 320;

/// Rows of a table, so many pixels tall: a line, blank rows, a word that tells them apart, blank rows.
fn table(entries: &[u32], height: u32) -> Page {
    let rows = u32::try_from(entries.len()).unwrap() * height;
    Page::drawn(WIDTH, rows, |x, y| {
        let (entry, y) = (entries[(y / height) as usize], y % height);
        let [ink, ..] = random(71, x / 2 + 1_000 * entry, y);
        let is_word = (height / 2 - 5..height / 2 + 5).contains(&y) && (20..120).contains(&x);
        match y {
            0 => [220, 220, 220, 255],
            _ if is_word && ink > 110 => [40, 40, 48, 255],
            _ => WHITE,
        }
    })
}

fn lone_bands(layout: &Layout) -> Vec<Band> {
    let bands = layout.lanes.iter().flat_map(|lane| &lane.bands);
    let is_lone = |band: &&Band| band.baseline_y.is_none() || band.current_y.is_none();
    bands.filter(is_lone).copied().collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 40,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Whichever of the blank rows around it go with it, they are the same here and there.
    #[test]
    fn a_row_of_a_table_that_moved_is_told_as_moved(
        height in 26..50_u32,
        from in 0..20_usize,
        to in 0..20_usize,
    ) {
        // Else it takes fewer rows to look at those that differ in place.
        prop_assume!(10 * (from.abs_diff(to) + 1) > 2 * height as usize + 10);
        let mut entries: Vec<u32> = (0..20).collect();
        let before = Page::stacked(&[(&Page::noise(WIDTH, 40, 72), 0..40), (&table(&entries, height), 0..20 * height)]);
        let moved = entries.remove(from);
        entries.insert(to, moved);
        let after = Page::stacked(&[(&Page::noise(WIDTH, 40, 72), 0..40), (&table(&entries, height), 0..20 * height)]);
        let result = compare(&before, &after, Alignment::Auto);
        let way = (i64::try_from(to).unwrap() - i64::try_from(from).unwrap()) * i64::from(height);
        let y = i32::try_from(way).unwrap();
        let kinds: Vec<RegionKind> = result.regions.iter().map(|region| region.kind).collect();
        prop_assert_eq!(kinds, [RegionKind::Shifted { x: 0, y }; 2], "{:?}", result.layout);
        let lone = lone_bands(&result.layout);
        let (went, came) = match lone.as_slice() {
            [Band { baseline_y: Some(went), .. }, Band { current_y: Some(came), .. }]
            | [Band { current_y: Some(came), .. }, Band { baseline_y: Some(went), .. }] => (*went, *came),
            other => panic!("{other:?}"),
        };
        prop_assert_eq!(i64::from(came) - i64::from(went), way);
        prop_assert!(lone.iter().all(|band| band.rows == height && band.moved.is_some()));
    }

    /// A bar beside the page has entries at its top, and below these nothing, down to a footer as wide as the page, or to its end.
    #[test]
    fn a_bar_grows_at_its_end(
        rows in 8..120_u32,
        entries in 60..300_u32,
        has_footer in any::<bool>(),
        is_back in any::<bool>(),
    ) {
        let (bar_width, height) = (128, 700);
        let text = Page::noise(WIDTH, height, 73);
        let news = Page::noise(WIDTH, rows, 74);
        let bar = |height: u32| {
            let entry = Page::prose(bar_width, height, 75);
            Page::drawn(bar_width, height, |x, y| if y < entries { entry.color_at(x, y) } else { WHITE })
        };
        let pushed = Page::stacked(&[(&text, 0..30), (&news, 0..rows), (&text, 30..height)]);
        let footer = Page::noise(bar_width + WIDTH, 60, 76);
        let page = |bar: &Page, text: &Page| {
            let all = bar.beside(text);
            let height = all.size.height;
            Page::stacked(&[(&all, 0..height), (&footer, 0..if has_footer { 60 } else { 0 })])
        };
        let (before, after) = (page(&bar(height), &text), page(&bar(height + rows), &pushed));
        let result = if is_back {
            compare(&after, &before, Alignment::Auto)
        } else {
            compare(&before, &after, Alignment::Auto)
        };
        let of_bar: Vec<Option<u32>> = lone_bands(&Layout { lanes: result.layout.lanes[..1].to_vec(), ..result.layout.clone() })
            .iter()
            .map(|band| if is_back { band.baseline_y } else { band.current_y })
            .collect();
        prop_assert_eq!(of_bar.len(), 1, "{:?}", result.layout);
        let at = of_bar[0].unwrap();
        prop_assert_eq!(at, height, "{:?}", result.layout.lanes[0]);
        prop_assert_eq!(result.changed_pixels, u64::from(rows) * u64::from(bar_width + WIDTH));
    }
}
