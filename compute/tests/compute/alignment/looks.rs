//! Pages on which hardly a row is the same to the last bit: what they show went where it went all the same.

use pentimento_compute::{Alignment, Band, Comparison, Layout};
use proptest::prelude::*;

use super::story::swap;
use super::{cases, compare};
use crate::pages::{Page, WHITE, random};

const WIDTH: u32 = 320;

/// How a page is drawn otherwise as a whole.
#[derive(Debug, Clone, Copy)]
enum Style {
    /// Another ground, by fewer levels than count or by more.
    Ground([u8; 4]),
    /// Text in another colour.
    Ink,
    /// All colours turned.
    Dark,
    /// Edges smoothed, as after a shift by a part of a pixel.
    Smooth,
}

impl Style {
    fn of(self, page: &Page) -> Page {
        Page::drawn(page.size.width, page.size.height, |x, y| {
            let color = page.color_at(x, y);
            match self {
                Self::Ground(ground) if color == WHITE => ground,
                // From white to red, by as much as it was from white to black.
                Self::Ink => [170 + color[0] / 3, color[1], color[2], 255],
                Self::Dark => [255 - color[0], 255 - color[1], 255 - color[2], 255],
                Self::Smooth if x > 0 => {
                    let beside = page.color_at(x - 1, y);
                    let mix = |(one, other): (u8, u8)| one / 4 * 3 + other / 4;
                    let mixed = [0, 1, 2].map(|channel| mix((color[channel], beside[channel])));
                    [mixed[0], mixed[1], mixed[2], 255]
                }
                _ => color,
            }
        })
    }
}

/// Lines of text with smoothed edges, as browsers draw them.
fn prose(lines: u32, seed: u64) -> Page {
    Style::Smooth.of(&Page::prose(WIDTH, lines * 20, seed))
}

fn any_style() -> impl Strategy<Value = Style> {
    prop_oneof![
        (1..=20_u8).prop_map(|levels| Style::Ground([255 - levels, 255 - levels / 2, 255, 255])),
        Just(Style::Ground([224, 216, 200, 255])),
        Just(Style::Ink),
        Just(Style::Dark),
        Just(Style::Smooth),
    ]
}

/// Rows of a text, some of which are in one version alone.
struct Text {
    lines: Page,
    /// The rows that are in both or not at all in the shorter version, from the first to the last.
    parts: Vec<(std::ops::Range<u32>, bool)>,
}

impl Text {
    fn longer(&self) -> Page {
        self.version(|_| true)
    }

    fn shorter(&self) -> Page {
        self.version(|is_in_both| is_in_both)
    }

    fn version(&self, has: impl Fn(bool) -> bool) -> Page {
        let parts = self.parts.iter().filter(|(_, is_in_both)| has(*is_in_both));
        let parts: Vec<_> = parts.map(|(rows, _)| (&self.lines, rows.clone())).collect();
        Page::stacked(&parts)
    }

    /// For each row of the shorter version the row of the longer one that it is.
    fn places(&self) -> Vec<u32> {
        let in_both = self.parts.iter().filter(|(_, is_in_both)| *is_in_both);
        in_both.flat_map(|(rows, _)| rows.clone()).collect()
    }
}

/// How many pairs of rows with ink are laid on another row than their own.
fn laid_wrong(layout: &Layout, text: &Text, is_shorter_first: bool) -> usize {
    let places = text.places();
    let has_ink = |y: u32| (0..WIDTH).any(|x| text.lines.color_at(x, y) != WHITE);
    let bands = layout.lanes.iter().flat_map(|lane| &lane.bands);
    let pairs = bands.filter_map(|band| Some((band.baseline_y?, band.current_y?, band.rows)));
    pairs
        .flat_map(|(ours, theirs, rows)| (0..rows).map(move |row| (ours + row, theirs + row)))
        .map(|(ours, theirs)| {
            if is_shorter_first {
                (ours, theirs)
            } else {
                (theirs, ours)
            }
        })
        .filter(|&(short, long)| places[short as usize] != long)
        .filter(|&(short, long)| has_ink(places[short as usize]) || has_ink(long))
        .count()
}

fn lone_rows(result: &Comparison) -> [u64; 2] {
    [result.inserted_pixels, result.removed_pixels].map(|pixels| pixels / u64::from(WIDTH))
}

proptest! {
    #![proptest_config(cases(30))]

    /// Two sections came or went on a page that is drawn otherwise as a whole.
    #[test]
    fn sections_come_and_go_on_a_restyled_page(
        style in any_style(),
        kept in [4..14_u32, 4..14, 4..14],
        lone in [2..10_u32, 2..10],
        seed in 900..1000_u64,
    ) {
        let mut parts = Vec::new();
        let mut at = 0;
        for (lines, is_in_both) in [(kept[0], true), (lone[0], false), (kept[1], true), (lone[1], false), (kept[2], true)] {
            // No whole lines come or go: those that are left then lie beside gaps, as on most pages.
            let rows = if is_in_both { lines * 20 } else { lines * 20 + 7 };
            parts.push((at..at + rows, is_in_both));
            at += rows;
        }
        let text = Text { lines: prose(at.div_ceil(20), seed), parts };
        let rows = u64::from(lone[0] + lone[1]) * 20 + 14;
        let (longer, shorter) = (text.longer(), text.shorter());
        let grown = compare(&shorter, &style.of(&longer), Alignment::Auto);
        prop_assert_eq!(laid_wrong(&grown.layout, &text, true), 0, "{:?}", grown.layout);
        prop_assert_eq!(lone_rows(&grown), [rows, 0], "{:?}", grown.layout);
        let shrunk = compare(&longer, &style.of(&shorter), Alignment::Auto);
        prop_assert_eq!(laid_wrong(&shrunk.layout, &text, false), 0, "{:?}", shrunk.layout);
        prop_assert_eq!(lone_rows(&shrunk), [0, rows], "{:?}", shrunk.layout);
    }

    /// Exchanging both exchanges what came and what went, whatever looks tell; also where as much went as came.
    #[test]
    fn a_restyled_page_is_laid_alike_both_ways(
        style in any_style(),
        lines in 2..4_u32,
        is_as_tall in any::<bool>(),
        seed in 900..1000_u64,
    ) {
        let (text, news) = (prose(36, seed), prose(lines, seed + 700));
        // No whole lines, so that none lies beside another one.
        let gone = lines * 20 - 10;
        let came = if is_as_tall { gone } else { 0 };
        let parts = [(&text, 0..100), (&text, 100 + gone..620), (&news, 0..came), (&text, 620..720)];
        let shorter = Page::stacked(&parts);
        let restyled = style.of(&text);
        let there = compare(&shorter, &restyled, Alignment::Auto);
        let back = compare(&restyled, &shorter, Alignment::Auto);
        let bands = |result: &Comparison| {
            let bands = result.layout.lanes.iter().flat_map(|lane| lane.bands.clone());
            bands.collect::<Vec<_>>()
        };
        // Where every row differs and as much went as came, those that are lone are more to look at.
        prop_assert!(is_as_tall || !there.layout.is_in_place());
        let turned: Vec<_> = bands(&back).into_iter().map(swap).collect();
        prop_assert_eq!(bands(&there), turned);
    }

    /// A few translucent pixels have rows in another form in one picture than in the other.
    #[test]
    fn a_translucent_pixel_hides_nothing(style in any_style(), at in 0..590_u32, seed in 900..1000_u64) {
        let text = prose(36, seed);
        let shorter = Page::stacked(&[(&text, 0..100), (&text, 227..720)]);
        let translucent = style.of(&shorter).pixel(3, at, [0, 0, 0, 254]);
        let result = compare(&text, &translucent, Alignment::Auto);
        prop_assert_eq!(lone_rows(&result), [0, 127], "{:?}", result.layout);
    }

    /// Lines whose height is no whole number of pixels lie now one pixel higher, now one lower, below what came in among them: that
    /// is one band, told where it came in.
    #[test]
    fn lines_of_broken_height_are_not_chopped(
        style in prop_oneof![Just(Style::Ink), Just(Style::Dark)],
        above in 20..40_u32,
        came in 1..4_u32,
        below in 20..40_u32,
        tenths in 193..208_u32,
        seed in 900..1000_u64,
    ) {
        let top = |line: u32| (line * tenths + 5) / 10;
        let text = Page::prose(WIDTH, (above + came + below) * 20, seed);
        let page = |lines: &[u32]| {
            let count = u32::try_from(lines.len()).expect("a few lines");
            let line_at = |y: u32| (0..count).rev().find(|at| top(*at) <= y).expect("a line begins at the top");
            Page::drawn(WIDTH, top(count), |x, y| {
                let at = line_at(y);
                let row = y - top(at);
                if row < 19 { text.color_at(x, lines[at as usize] * 20 + row) } else { WHITE }
            })
        };
        let all: Vec<u32> = (0..above + came + below).collect();
        let without: Vec<u32> = all.iter().copied().filter(|line| !(above..above + came).contains(line)).collect();
        let (shorter, longer) = (page(&without), Style::Smooth.of(&page(&all)));
        let grown = compare(&Style::Smooth.of(&shorter), &style.of(&longer), Alignment::Auto);
        let bands = &grown.layout.lanes[0].bands;
        let (rounded, came_in): (Vec<Band>, Vec<Band>) = (bands.iter().copied())
            .filter(|band| band.baseline_y.is_none() || band.current_y.is_none())
            .partition(|band| band.rows == 1);
        // The page may have grown by a pixel more than most of its lines went.
        prop_assert!(rounded.len() <= 2, "{bands:?}");
        prop_assert_eq!(came_in.len(), 1, "{:?}", bands);
        let first = came_in[0].current_y.expect("it came in");
        prop_assert!(first.abs_diff(top(above)) <= 20, "{first} for {}", top(above));
    }

    /// Two sections changed places: the shorter one is told at both.
    #[test]
    fn sections_change_places_on_a_dark_page(
        shorter in 5..9_u32,
        more in 2..6_u32,
        seed in 900..1000_u64,
    ) {
        let (shorter, longer) = (shorter * 20 + 7, (shorter + more) * 20 + 7);
        let (first, second, end) = (200 + shorter, 200 + shorter + longer, 400 + shorter + longer);
        let text = prose(end.div_ceil(20), seed);
        let before = Page::stacked(&[(&text, 0..end)]);
        let after = Page::stacked(&[(&text, 0..200), (&text, first..second), (&text, 200..first), (&text, second..end)]);
        let result = compare(&before, &Style::Dark.of(&after), Alignment::Auto);
        let rows = u64::from(shorter);
        prop_assert_eq!(lone_rows(&result), [rows, rows], "{:?}", result.layout);
    }

    /// Nothing went anywhere.
    #[test]
    fn a_page_that_is_only_restyled_stays(style in any_style(), lines in 10..40_u32, seed in 900..1000_u64) {
        let text = prose(lines, seed);
        let restyled = style.of(&text);
        let auto = compare(&text, &restyled, Alignment::Auto);
        prop_assert!(auto == compare(&text, &restyled, Alignment::Off));
    }

    /// No text of the one is a text of the other, so none of it went anywhere.
    #[test]
    fn a_page_that_was_written_anew_is_compared_in_place(lines in 10..30_u32, more in 0..12_u32, seed in 900..1000_u64) {
        let (one, other) = (prose(lines, seed), prose(lines + more, seed + 500));
        let auto = compare(&one, &other, Alignment::Auto);
        prop_assert!(auto.layout.is_in_place(), "{:?}", auto.layout);
    }

    /// Its rows tell that they stayed, and what lies beside it that it went on: the page is not cut for a button.
    #[test]
    fn a_button_that_floats_above_a_page_cuts_nothing(rows in 30..90_u32, y in 300..700_u32, side in 36..48_u32) {
        let (text, news) = (Page::prose(WIDTH, 900, 61), Page::prose(WIDTH, rows, 62));
        let button = |page: &Page| {
            Page::drawn(WIDTH, page.size.height, |x, at| {
                let is_button = (WIDTH - 60..WIDTH - 60 + side).contains(&x) && (y..y + side).contains(&at);
                let is_sign = is_button && (x + at - y) % side < 6;
                match is_button {
                    _ if is_sign => WHITE,
                    true => [20, 90, 200, 255],
                    false => page.color_at(x, at),
                }
            })
        };
        let after = Page::stacked(&[(&text, 0..100), (&news, 0..rows), (&text, 100..900)]);
        let result = compare(&button(&text), &button(&after), Alignment::Auto);
        prop_assert_eq!(lone_rows(&result), [u64::from(rows), 0], "{:?}", result.layout);
        prop_assert!(result.changed_pixels <= u64::from(WIDTH * rows + 2 * side * side));
    }

    /// Their frames are all alike, and only the texts in them say which is which.
    #[test]
    fn cards_that_grew_are_laid_on_themselves(count in 5..12_u32, padding in 8..20_u32, more in 2..8_u32) {
        let page = |padding: u32| {
            let height = 60 + 2 * padding;
            let card = |x: u32, y: u32, card: u32| {
                // Rounded corners: rows that the frame of each card has, and nothing else.
                let corner = 8_u32.saturating_sub(y.min(height - 1 - y));
                let is_frame = x == corner || x == WIDTH - 1 - corner || y == 0 || y == height - 1;
                let text = (y.wrapping_sub(padding), x.wrapping_sub(20));
                let is_text = text.0 < 60 && text.1 < 260 && text.0 % 20 < 11;
                match random(70, text.1 / 3 + 400 * card, text.0)[0] {
                    _ if is_frame => [150, 150, 160, 255],
                    90.. if is_text => [40, 40, 48, 255],
                    _ => WHITE,
                }
            };
            Page::drawn(WIDTH, count * (height + 16), |x, y| {
                let (at, y) = (y / (height + 16), y % (height + 16));
                if y < height { card(x, y, at) } else { WHITE }
            })
        };
        let result = compare(&page(padding), &page(padding + more), Alignment::Auto);
        prop_assert_eq!(lone_rows(&result), [u64::from(2 * more * count), 0], "{:?}", result.layout);
        // Each text lies on itself: what differs are the frames, which the rows that came in went through.
        let text_px = 60 * 260 / 2;
        let beyond = result.changed_pixels - result.inserted_pixels;
        prop_assert!(beyond < text_px, "{beyond} beside what came in: {:?}", result.layout);
    }
}
