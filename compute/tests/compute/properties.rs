//! What holds for every pair of pictures.

use pentimento_compute::{Band, CompareOptions, Comparison, Layout, Rect, Region};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::both;
use crate::pages::{Page, random, rect};

/// How a page differs from the text it began as.
#[derive(Debug, Clone)]
struct Edit {
    width: u32,
    height: u32,
    /// The row of the text that is the page's first: how far it is scrolled.
    first: u32,
    /// Rectangles painted over, with a colour each.
    boxes: Vec<(Rect, [u8; 4])>,
    /// Share of pixels that get a small random change, in 256ths.
    grain: u8,
}

impl Edit {
    fn before(&self) -> Page {
        let end = self.first + self.height;
        Page::stacked(&[(&Page::text(self.width, end), self.first..end)])
    }

    fn after(&self) -> Page {
        let text = self.before();
        let grained = Page::drawn(self.width, self.height, |x, y| {
            // It is scrolled with the text.
            let [chance, r, g, b, ..] = random(11, x, y + self.first);
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
        0..40_u32,
        boxes,
        prop_oneof![Just(0), any::<u8>()],
    )
        .prop_map(|(width, height, first, boxes, grain)| Edit {
            width,
            height,
            first,
            boxes,
            grain,
        })
}

/// Two pages. Half of them are of any sizes; others are equally wide, so that their rows are matched: one page that was edited in
/// place, or one that was scrolled and cut elsewhere as well.
fn any_pair() -> impl Strategy<Value = (Edit, Edit)> {
    (any_edit(), any_edit(), 0..6_u8).prop_map(|(one, other, kind)| {
        let other = match kind {
            0..3 => other,
            3 => Edit {
                boxes: other.boxes,
                grain: other.grain,
                ..one.clone()
            },
            _ => Edit {
                width: one.width,
                grain: one.grain,
                ..other
            },
        };
        (one, other)
    })
}

fn compare(one: &Page, other: &Page, ignore: &[Rect]) -> Comparison {
    let options = CompareOptions {
        ignore: ignore.to_vec(),
        ..CompareOptions::default()
    };
    both::compare(&one.png(), &other.png(), &options)
}

/// What the baseline has and what the current picture has, or the other way round.
fn sides<T>([baseline, current]: [T; 2], turned: bool) -> [T; 2] {
    if turned {
        [current, baseline]
    } else {
        [baseline, current]
    }
}

/// Whether an area that is left out covers a place of the canvas, which it does wherever either picture shows a part of it.
fn covers(area: Rect, layout: &Layout, x: u32, y: u32) -> bool {
    let [lane] = &layout.lanes[..] else {
        panic!("so narrow a page has one lane: {layout:?}");
    };
    (area.x..area.right()).contains(&x)
        && lane.bands.iter().any(|band| {
            let is_in = |first: u32| (area.y..area.bottom()).contains(&(first + (y - band.y)));
            let mut firsts = [band.baseline_y, band.current_y].into_iter().flatten();
            (band.y..band.y + band.rows).contains(&y) && firsts.any(is_in)
        })
}

/// The properties below are to be those of pages whose rows were aligned, too.
#[test]
fn rows_of_some_pairs_are_aligned() {
    let (pairs, mut runner) = (any_pair(), TestRunner::deterministic());
    let aligned = (0..100).filter(|_| {
        let (one, other) = pairs.new_tree(&mut runner).unwrap().current();
        let result = compare(&one.after(), &other.after(), &[]);
        !result.layout.is_in_place()
    });
    let aligned = aligned.count();
    assert!((5..60).contains(&aligned), "{aligned} of 100");
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
    fn both_directions_count_the_same((one, other) in any_pair()) {
        let (one, other) = (one.after(), other.after());
        let there = compare(&one, &other, &[]);
        let back = compare(&other, &one, &[]);
        prop_assert_eq!(there.changed_pixels, back.changed_pixels);
        prop_assert_eq!(there.anti_aliased_pixels, back.anti_aliased_pixels);
        prop_assert_eq!(there.unaligned_pixels, back.unaligned_pixels);
        let lone_pixels = |result: &Comparison| [result.removed_pixels, result.inserted_pixels];
        prop_assert_eq!(lone_pixels(&there), sides(lone_pixels(&back), true));
        prop_assert!(there.mask == back.mask);
        let bands = |result: &Comparison, turned: bool| -> Vec<_> {
            let bands = result.layout.lanes.iter().flat_map(|lane| &lane.bands);
            let place = |band: &Band| {
                let rows = sides([band.baseline_y, band.current_y], turned);
                (band.y, band.rows, rows, band.moved)
            };
            bands.map(place).collect()
        };
        prop_assert_eq!(bands(&there, false), bands(&back, true));
        let places = |regions: &[Region], turned: bool| -> Vec<_> {
            let place = |region: &Region| {
                let both = sides([region.baseline_area, region.current_area], turned);
                (region.area, both, region.changed_pixels)
            };
            regions.iter().map(place).collect()
        };
        prop_assert_eq!(places(&there.regions, false), places(&back.regions, true));
        prop_assert!((there.score - back.score).abs() < 1e-9);
    }

    #[test]
    fn a_larger_ignored_area_never_raises_a_count(
        (one, other) in any_pair(),
        area in any_rect(),
        (right, down) in (0..30_u32, 0..30_u32),
    ) {
        let (one, other) = (one.after(), other.after());
        let larger = rect(area.x, area.y, area.width + right, area.height + down);
        let counts = |ignore: &[Rect]| {
            let result = compare(&one, &other, ignore);
            [
                result.changed_pixels,
                result.anti_aliased_pixels,
                result.inserted_pixels,
                result.removed_pixels,
                result.unaligned_pixels.unwrap_or_default(),
                result.total_pixels,
            ]
        };
        let [all, fewer, fewest] = [counts(&[]), counts(&[area]), counts(&[larger])];
        let never_more = |few: [u64; 6], more: [u64; 6]| few.iter().zip(more).all(|(few, more)| *few <= more);
        prop_assert!(never_more(fewest, fewer), "{fewest:?} {fewer:?}");
        prop_assert!(never_more(fewer, all), "{fewer:?} {all:?}");
    }

    /// What lies beside an ignored area is judged by what is there, ignored or not.
    #[test]
    fn an_ignored_area_loses_its_changed_pixels_and_no_others((one, other) in any_pair(), area in any_rect()) {
        let (one, other) = (one.after(), other.after());
        let whole = compare(&one, &other, &[]);
        let part = compare(&one, &other, &[area]);
        prop_assert_eq!(&part.layout, &whole.layout);
        for y in 0..whole.layout.size.height {
            for x in 0..whole.layout.size.width {
                let expected = whole.mask.get(x, y) && !covers(area, &whole.layout, x, y);
                prop_assert!(part.mask.get(x, y) == expected, "{x}, {y}");
            }
        }
    }

    #[test]
    fn every_changed_pixel_lies_in_exactly_one_region((one, other) in any_pair()) {
        let result = compare(&one.after(), &other.after(), &[]);
        let sum: u64 = result.regions.iter().map(|region| region.changed_pixels).sum();
        prop_assert_eq!(sum, result.changed_pixels);
        prop_assert_eq!(result.mask.count(), result.changed_pixels);
        for y in 0..result.layout.size.height {
            for x in (0..result.layout.size.width).filter(|&x| result.mask.get(x, y)) {
                let holds = |area: Rect| {
                    (area.x..area.right()).contains(&x) && (area.y..area.bottom()).contains(&y)
                };
                let is_loose = |region: &&Region| region.loose_rows.is_some();
                let holders = result.regions.iter().filter(|region| holds(region.area));
                let (loose, others): (Vec<&Region>, Vec<&Region>) = holders.partition(is_loose);
                let is_of_loose = loose.iter().filter_map(|region| region.loose_rows.as_ref())
                    .any(|rows| rows.places.iter().any(|place| place.contains(&y)));
                prop_assert!(others.len() == 1 || others.is_empty() && is_of_loose);
            }
        }
    }

    #[test]
    fn numbers_stay_in_their_ranges((one, other) in any_pair(), area in any_rect()) {
        let result = compare(&one.after(), &other.after(), &[area]);
        prop_assert!((0.0..=100.0).contains(&result.score));
        prop_assert!((0.0..=100.0).contains(&result.diff_percentage()));
        // Where rows were inserted as well as removed, the canvas has more pixels than the page.
        let most = if result.layout.is_in_place() {
            result.total_pixels
        } else {
            result.layout.size.pixels()
        };
        prop_assert!(result.changed_pixels <= most);
        prop_assert!(result.inserted_pixels + result.removed_pixels <= result.changed_pixels);
        prop_assert!(result.mean_delta <= result.max_delta && result.max_delta <= 1.0);
    }

    #[test]
    fn any_two_pages_are_compared_alike_on_both_backends((one, other) in any_pair(), area in any_rect()) {
        compare(&one.after(), &other.after(), &[area]);
    }
}
