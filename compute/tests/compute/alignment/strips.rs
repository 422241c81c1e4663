//! Pages of vertical strips of any width, each of which stayed, moved or changed by itself.

use pentimento_compute::{Alignment, Lane};
use proptest::prelude::*;

use super::lanes::pushed_down;
use super::{cases, compare};
use crate::pages::{Page, WHITE};

/// What a strip shows.
#[derive(Debug, Clone, Copy)]
enum Drawing {
    Noise,
    Prose,
    Blank,
    Icons,
    Gradient,
}

/// What became of it: rows that were inserted, with noise in them or blank, and how many stand above these.
#[derive(Debug, Clone, Copy)]
enum Fate {
    Stayed,
    Changed,
    Pushed { rows: u32, above: u32, blank: bool },
}

#[derive(Debug, Clone, Copy)]
struct Strip {
    width: u32,
    drawing: Drawing,
    fate: Fate,
}

fn any_strip() -> impl Strategy<Value = Strip> {
    let width = prop_oneof![1..70_u32, 1..260_u32];
    let drawing = prop_oneof![
        Just(Drawing::Noise),
        Just(Drawing::Prose),
        Just(Drawing::Blank),
        Just(Drawing::Icons),
        Just(Drawing::Gradient),
    ];
    let pushed = (1..120_u32, any::<u32>(), any::<bool>())
        .prop_map(|(rows, above, blank)| Fate::Pushed { rows, above, blank });
    let fate = prop_oneof![1 => Just(Fate::Stayed), 1 => Just(Fate::Changed), 2 => pushed];
    (width, drawing, fate).prop_map(|(width, drawing, fate)| Strip {
        width,
        drawing,
        fate,
    })
}

impl Strip {
    fn before(self, height: u32, seed: u64) -> Page {
        let width = self.width;
        match self.drawing {
            Drawing::Noise => Page::noise(width, height, seed),
            Drawing::Prose => Page::prose(width, height, seed),
            Drawing::Blank => Page::flat(width, height, WHITE),
            Drawing::Gradient => Page::gradient(width, height),
            Drawing::Icons => {
                let icon = Page::noise(width, 40, seed);
                Page::drawn(width, height, |x, y| match y % 40 {
                    row @ 0..20 => icon.color_at(x, row),
                    _ => WHITE,
                })
            }
        }
    }

    fn after(self, before: &Page, seed: u64) -> Page {
        let (width, height) = (before.size.width, before.size.height);
        match self.fate {
            Fate::Stayed => before.clone(),
            Fate::Changed => Page::noise(width, height, seed),
            Fate::Pushed { rows, above, blank } => {
                let rows = rows.min(height / 2);
                let news = if blank {
                    Page::flat(width, rows, WHITE)
                } else {
                    Page::noise(width, rows, seed)
                };
                pushed_down(before, above % (height - rows), &news)
            }
        }
    }
}

/// Whether lanes cover a page of this size from left to right, and their bands each row of both pictures once.
fn are_whole(lanes: &[Lane], width: u32, height: u32) -> bool {
    let mut right = 0;
    let follow = lanes.iter().all(|lane| {
        let is_next = lane.x == right && lane.width > 0;
        right += lane.width;
        let [mut canvas, mut baseline, mut current] = [0; 3];
        let bands_follow = lane.bands.iter().all(|band| {
            let is_next = band.y == canvas
                && band.baseline_y.is_none_or(|y| y == baseline)
                && band.current_y.is_none_or(|y| y == current);
            canvas += band.rows;
            baseline += band.baseline_y.map_or(0, |_| band.rows);
            current += band.current_y.map_or(0, |_| band.rows);
            is_next
        });
        is_next && bands_follow && (baseline, current) == (height, height)
    });
    follow && right == width
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn strips_are_laid_out_whole_and_the_same_way_back(
        height in 100..500_u32,
        strips in proptest::collection::vec(any_strip(), 1..6),
        edits in proptest::collection::vec((any::<u32>(), any::<u32>()), 0..6),
    ) {
        let pages = strips.iter().zip(1..).map(|(strip, seed)| {
            let before = strip.before(height, seed);
            let after = strip.after(&before, 100 + seed);
            (before, after)
        });
        let beside = |(one, other): (Page, Page), (before, after): (Page, Page)| {
            (one.beside(&before), other.beside(&after))
        };
        let (before, after) = pages.reduce(beside).unwrap();
        let width = before.size.width;
        let after = edits.iter().fold(after, |page, (x, y)| page.inverted_at(x % width, y % height));
        let result = compare(&before, &after, Alignment::Auto);
        let back = compare(&after, &before, Alignment::Auto);
        prop_assert!(are_whole(&result.layout.lanes, width, height), "{:?}", result.layout);
        prop_assert!(are_whole(&back.layout.lanes, width, height), "{:?}", back.layout);
        prop_assert_eq!(
            (result.changed_pixels, result.inserted_pixels, result.removed_pixels),
            (back.changed_pixels, back.removed_pixels, back.inserted_pixels)
        );
    }
}
