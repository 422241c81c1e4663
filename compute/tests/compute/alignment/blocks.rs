//! Blocks that came, went or moved among rows that all look alike: nothing but the pictures' makers know which of these are new.

use pentimento_compute::{Alignment, Band, Layout, RegionKind};
use proptest::prelude::*;

use super::{cases, compare};
use crate::pages::{Page, WHITE, random};

const WIDTH: u32 = 320;

/// Rows of a table, so many pixels tall: a line, blank rows, a word that tells them apart, blank rows.
pub(super) fn table(entries: &[u32], height: u32) -> Page {
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

/// Moves an entry of a table of twenty, of so many rows each.
fn moved_row_is_told(height: u32, from: usize, to: usize) -> Result<(), TestCaseError> {
    let mut entries: Vec<u32> = (0..20).collect();
    let before = Page::stacked(&[
        (&Page::noise(WIDTH, 40, 72), 0..40),
        (&table(&entries, height), 0..20 * height),
    ]);
    let moved = entries.remove(from);
    entries.insert(to, moved);
    let after = Page::stacked(&[
        (&Page::noise(WIDTH, 40, 72), 0..40),
        (&table(&entries, height), 0..20 * height),
    ]);
    let result = compare(&before, &after, Alignment::Auto);
    let way = (i64::try_from(to).unwrap() - i64::try_from(from).unwrap()) * i64::from(height);
    let y = i32::try_from(way).unwrap();
    let kinds: Vec<RegionKind> = result.regions.iter().map(|region| region.kind).collect();
    prop_assert_eq!(
        kinds,
        [RegionKind::Shifted { x: 0, y }; 2],
        "{:?}",
        result.layout
    );
    let lone = lone_bands(&result.layout);
    prop_assert_eq!(lone.len(), 2);
    let went = lone.iter().find_map(|band| band.baseline_y).unwrap();
    let came = lone.iter().find_map(|band| band.current_y).unwrap();
    prop_assert_eq!(i64::from(came) - i64::from(went), way);
    prop_assert!(
        lone.iter()
            .all(|band| band.rows == height && band.moved.is_some())
    );
    Ok(())
}

/// Where an entry moved from or to the end of the page, its blank rows are those above the first difference.
#[test]
fn the_last_row_of_a_table_that_moved_is_told_as_moved() {
    for (height, other) in [(28, 16), (39, 15), (49, 14)] {
        for (from, to) in [(other, 19), (19, other)] {
            moved_row_is_told(height, from, to).unwrap();
        }
    }
}

proptest! {
    #![proptest_config(cases(40))]

    /// Whichever of the blank rows around it go with it, they are the same here and there.
    #[test]
    fn a_row_of_a_table_that_moved_is_told_as_moved(
        height in 26..50_u32,
        from in 0..20_usize,
        to in 0..20_usize,
    ) {
        // Else it takes fewer rows to look at those that differ in place.
        prop_assume!(10 * (from.abs_diff(to) + 1) > height as usize + 10);
        moved_row_is_told(height, from, to)?;
    }

    /// Whichever of the two is told as moved, its rows are looked at once, not where they were and where they are.
    #[test]
    fn sections_that_changed_places_are_told_as_moved(one in 60..400_u32, other in 60..400_u32) {
        let (first, second) = (Page::prose(WIDTH, one, 79), Page::prose(WIDTH, other, 80));
        let around = Page::noise(WIDTH, 80, 81);
        let page = |parts: [(&Page, u32); 2]| {
            let [above, below] = parts.map(|(part, rows)| (part, 0..rows));
            Page::stacked(&[(&around, 0..40), above, below, (&around, 40..80)])
        };
        let (before, after) = (page([(&first, one), (&second, other)]), page([(&second, other), (&first, one)]));
        for (before, after) in [(&before, &after), (&after, &before)] {
            let result = compare(before, after, Alignment::Auto);
            let lone = lone_bands(&result.layout);
            prop_assert_eq!(lone.len(), 2, "{:?}", result.layout);
            prop_assert!(lone.iter().all(|band| band.moved.is_some()), "{:?}", lone);
            let moved = u64::from(lone[0].rows) * u64::from(WIDTH);
            prop_assert_eq!([result.inserted_pixels, result.removed_pixels, result.changed_pixels], [moved, moved, 2 * moved]);
        }
    }

    /// Where the table has no words it has rules that all look alike: these went with the words beside them.
    #[test]
    fn a_row_that_a_table_beside_a_side_bar_lost_is_told_once(gone in 0..6_usize, height in 30..44_u32, words in 1..4_u32) {
        let bar = Page::prose(192, 600, 73);
        let page = |entries: &[u32]| {
            let columns = (1..words).fold(table(entries, height), |columns, _| columns.beside(&table(entries, height)));
            let rows = columns.size.height;
            let bar = Page::stacked(&[(&bar, 0..600), (&Page::flat(192, rows, WHITE), 0..rows - 600)]);
            let page = bar.beside(&columns);
            let footer = Page::noise(page.size.width, 60, 74);
            Page::stacked(&[(&page, 0..rows), (&footer, 0..60)])
        };
        let entries: Vec<u32> = (0..30).collect();
        let without: Vec<u32> = entries.iter().copied().filter(|entry| *entry as usize != gone).collect();
        let result = compare(&page(&entries), &page(&without), Alignment::Auto);
        let lanes: Vec<u32> = result.layout.lanes.iter().map(|lane| lane.x).collect();
        prop_assert_eq!(lanes, [0, 192], "{:?}", result.layout);
        let lost: Vec<Option<u32>> = (result.layout.lanes.last().unwrap().bands.iter())
            .filter(|band| band.current_y.is_none())
            .map(|band| band.baseline_y)
            .collect();
        let place = u32::try_from(gone).unwrap() * height;
        prop_assert!(matches!(lost.as_slice(), [Some(y)] if y.abs_diff(place) < height), "{:?}", result.layout);
        prop_assert_eq!(result.removed_pixels, u64::from(height) * u64::from(192 + words * WIDTH));
        prop_assert_eq!(result.changed_pixels, result.removed_pixels);
    }

    /// A block of text changes places with a longer one, and its lines are drawn a pixel nearer to each other or further apart there.
    #[test]
    fn a_block_whose_lines_are_drawn_on_other_pixels_is_told_as_moved(
        lines in 6..14_u32,
        jitter in proptest::collection::vec(0..3_usize, 14),
        is_back in any::<bool>(),
    ) {
        let rows = lines * 20;
        let (text, longer) = (Page::prose(WIDTH, rows, 76), Page::prose(WIDTH, rows + 700, 77));
        let around = Page::noise(WIDTH, 80, 78);
        // Blank rows end each line: one more at one line, one less at the next, or neither.
        let mut parts = Vec::new();
        for (line, by) in (0..lines).zip(&jitter) {
            let until = line * 20 + if line % 2 == 0 && *by == 1 { 19 } else { 20 };
            parts.push((&text, line * 20..until));
            if line % 2 == 1 && jitter[line as usize - 1] == 1 {
                parts.push((&text, until - 1..until));
            }
        }
        let top = [(&around, 0..40)];
        let end = [(&around, 40..80)];
        let apart = [&top[..], &[(&longer, 0..rows + 700), (&text, 0..rows)], &end].concat();
        let jittered = [&top[..], &parts, &[(&longer, 0..rows + 700)], &end].concat();
        let (one, other) = (Page::stacked(&apart), Page::stacked(&jittered));
        let (before, after) = if is_back { (&other, &one) } else { (&one, &other) };
        let result = compare(before, after, Alignment::Auto);
        let lone = lone_bands(&result.layout);
        prop_assert!(!lone.is_empty() && lone.iter().all(|band| band.moved.is_some()), "{:?}", lone);
        let is_shifted = |kind| matches!(kind, RegionKind::Shifted { x: 0, .. });
        prop_assert!(result.regions.iter().all(|region| is_shifted(region.kind)));
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
