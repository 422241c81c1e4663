//! What holds for every pair of pictures.

use pentimento_compute::{CompareOptions, Comparison, Rect, Region};
use proptest::prelude::*;

use crate::both;
use crate::pages::{Page, random, rect};

/// How a page differs from the text it began as.
#[derive(Debug, Clone)]
struct Edit {
    width: u32,
    height: u32,
    /// Rectangles painted over, with a colour each.
    boxes: Vec<(Rect, [u8; 4])>,
    /// Share of pixels that get a small random change, in 256ths.
    grain: u8,
}

impl Edit {
    fn before(&self) -> Page {
        Page::text(self.width, self.height)
    }

    fn after(&self) -> Page {
        let text = self.before();
        let grained = Page::drawn(self.width, self.height, |x, y| {
            let [chance, r, g, b, ..] = random(11, x, y);
            let [red, green, blue, alpha] = text.color_at(x, y);
            if chance < self.grain {
                [red ^ r >> 2, green ^ g >> 2, blue ^ b >> 2, alpha]
            } else {
                [red, green, blue, alpha]
            }
        });
        self.boxes
            .iter()
            .fold(grained, |page, &(area, color)| page.fill(area, color))
    }
}

fn any_rect() -> impl Strategy<Value = Rect> {
    (0..80_u32, 0..80_u32, 0..60_u32, 0..60_u32)
        .prop_map(|(x, y, width, height)| rect(x, y, width, height))
}

fn any_edit() -> impl Strategy<Value = Edit> {
    let color = prop_oneof![
        any::<[u8; 3]>().prop_map(|[r, g, b]| [r, g, b, 255]),
        any::<[u8; 4]>()
    ];
    let boxes = proptest::collection::vec((any_rect(), color), 0..4);
    (
        1..90_u32,
        1..90_u32,
        boxes,
        prop_oneof![Just(0), any::<u8>()],
    )
        .prop_map(|(width, height, boxes, grain)| Edit {
            width,
            height,
            boxes,
            grain,
        })
}

fn compare(one: &Page, other: &Page, ignore: &[Rect]) -> Comparison {
    let options = CompareOptions {
        ignore: ignore.to_vec(),
        ..CompareOptions::default()
    };
    both::compare(&one.png(), &other.png(), &options)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 48,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_picture_equals_itself(edit in any_edit()) {
        let page = edit.after();
        // What follows the picture makes it another file, so that the pixels must be looked at.
        let (file, other_file) = (page.png(), [page.png(), vec![0]].concat());
        for current in [&file, &other_file] {
            let result = both::compare(&file, current, &CompareOptions::default());
            prop_assert_eq!((result.changed_pixels, result.diff_percentage()), (0, 0.0));
            prop_assert_eq!((result.score, result.regions.len()), (100.0, 0));
        }
    }

    #[test]
    fn both_directions_count_the_same(edit in any_edit(), other in any_edit()) {
        let there = compare(&edit.after(), &other.after(), &[]);
        let back = compare(&other.after(), &edit.after(), &[]);
        prop_assert_eq!(there.changed_pixels, back.changed_pixels);
        prop_assert!(there.mask == back.mask);
        let places = |regions: &[Region], turned: bool| -> Vec<_> {
            let place = |region: &Region| {
                let both = [region.baseline_area, region.current_area];
                let both = if turned { [both[1], both[0]] } else { both };
                (region.area, both, region.changed_pixels)
            };
            regions.iter().map(place).collect()
        };
        prop_assert_eq!(places(&there.regions, false), places(&back.regions, true));
        prop_assert!((there.score - back.score).abs() < 1e-9);
    }

    #[test]
    fn a_larger_ignored_area_never_raises_the_count(
        edit in any_edit(),
        area in any_rect(),
        (right, down) in (0..30_u32, 0..30_u32),
    ) {
        let larger = rect(area.x, area.y, area.width + right, area.height + down);
        let count = |ignore: &[Rect]| compare(&edit.before(), &edit.after(), ignore).changed_pixels;
        prop_assert!(count(&[larger]) <= count(&[area]));
        prop_assert!(count(&[area]) <= count(&[]));
    }

    #[test]
    fn every_changed_pixel_lies_in_exactly_one_region(edit in any_edit(), other in any_edit()) {
        let result = compare(&edit.after(), &other.after(), &[]);
        let sum: u64 = result.regions.iter().map(|region| region.changed_pixels).sum();
        prop_assert_eq!(sum, result.changed_pixels);
        prop_assert_eq!(result.mask.count(), result.changed_pixels);
        for y in 0..result.layout.size.height {
            for x in (0..result.layout.size.width).filter(|&x| result.mask.get(x, y)) {
                let holds = |area: Rect| {
                    (area.x..area.right()).contains(&x) && (area.y..area.bottom()).contains(&y)
                };
                let holders = result.regions.iter().filter(|region| holds(region.area));
                prop_assert_eq!(holders.count(), 1);
            }
        }
    }

    #[test]
    fn numbers_stay_in_their_ranges(edit in any_edit(), other in any_edit(), area in any_rect()) {
        let result = compare(&edit.after(), &other.after(), &[area]);
        prop_assert!((0.0..=100.0).contains(&result.score));
        prop_assert!((0.0..=100.0).contains(&result.diff_percentage()));
        prop_assert!(result.changed_pixels <= result.total_pixels);
        prop_assert!(result.mean_delta <= result.max_delta && result.max_delta <= 1.0);
    }

    #[test]
    fn unrelated_pages_are_compared_alike_on_both_backends(edit in any_edit(), other in any_edit(), area in any_rect()) {
        let options = CompareOptions { ignore: vec![area], ..CompareOptions::default() };
        both::compare(&edit.after().png(), &other.after().png(), &options);
    }
}
