//! One picture in every form it can be handed in (RGB or RGBA, a PNG or a stored capture) gives one
//! result, on any number of threads.

use pentimento_compute::{CompareOptions, Comparison, Picture, Rect, to_strips};
use proptest::prelude::*;

use crate::both;
use crate::pages::{Page, rect};

/// A page of few kinds of rows and what was done to it: every shift is ambiguous, every tie occurs.
#[derive(Debug, Clone)]
struct Rows {
    width: u32,
    kinds: u16,
    before: Vec<u16>,
    /// Where, how many rows, which kind: inserted, removed or replaced in turn.
    edits: Vec<(prop::sample::Index, usize, u16)>,
    translucent: bool,
}

fn any_rows() -> impl Strategy<Value = Rows> {
    let edit = (any::<prop::sample::Index>(), 1..40_usize, any::<u16>());
    (
        prop_oneof![1..40_u32, 120..280_u32],
        prop_oneof![2..8_u16, 10..60_u16, Just(u16::MAX)],
        proptest::collection::vec(any::<u16>(), 1..420),
        proptest::collection::vec(edit, 0..6),
        any::<bool>(),
    )
        .prop_map(|(width, kinds, before, edits, translucent)| Rows {
            width,
            kinds,
            before,
            edits,
            translucent,
        })
}

impl Rows {
    fn page(&self, rows: &[u16]) -> Page {
        let height = u32::try_from(rows.len()).unwrap();
        Page::drawn(self.width, height, |x, y| {
            let kind = rows[y as usize] % self.kinds;
            let [r, g, b, a, ..] = crate::pages::random(kind.into(), x / 5, 0);
            let alpha = if self.translucent && kind.is_multiple_of(5) {
                a
            } else {
                255
            };
            [r & 0xc0, g & 0xc0, b & 0xc0, alpha]
        })
    }

    fn both(&self) -> [Page; 2] {
        let mut rows = self.before.clone();
        for (turn, (at, count, kind)) in self.edits.iter().enumerate() {
            let at = at.index(rows.len());
            let end = (at + count).min(rows.len());
            match turn % 3 {
                0 => drop(rows.splice(at..at, vec![*kind; *count])),
                1 if end - at < rows.len() => drop(rows.drain(at..end)),
                _ => rows[at..end].iter_mut().for_each(|row| *row ^= kind),
            }
        }
        [self.page(&self.before), self.page(&rows)]
    }
}

fn compare(one: Picture<'_>, other: Picture<'_>, ignore: &[Rect]) -> Comparison {
    let options = CompareOptions {
        ignore: ignore.to_vec(),
        ..CompareOptions::default()
    };
    both::compare(one, other, &options)
}

fn check(before: &Page, after: &Page, ignore: &[Rect]) -> Comparison {
    let (before_png, after_png) = (before.png(), after.png());
    let (before_strips, after_strips) = (
        to_strips(&before_png).unwrap(),
        to_strips(&after_png).unwrap(),
    );
    let expected = compare(Picture::png(&before_png), Picture::png(&after_png), ignore);
    for (name, one, other) in [
        (
            "two stored captures",
            Picture::strips(&before_strips),
            Picture::strips(&after_strips),
        ),
        (
            "a stored capture and a PNG",
            Picture::strips(&before_strips),
            Picture::png(&after_png),
        ),
        (
            "a PNG and a stored capture",
            Picture::png(&before_png),
            Picture::strips(&after_strips),
        ),
    ] {
        assert_eq!(compare(one, other, ignore), expected, "{name}");
    }
    if before.is_opaque() {
        let opaque = before.opaque_png();
        let result = compare(Picture::png(&opaque), Picture::png(&after_png), ignore);
        assert_eq!(result, expected, "RGB and RGBA");
        assert_eq!(to_strips(&opaque).unwrap(), before_strips);
    }
    expected
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 150,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_form_gives_the_same(rows in any_rows(), area in prop::option::of((0..90_u32, 0..90_u32, 1..90_u32))) {
        let [before, after] = rows.both();
        let ignore: Vec<Rect> =
            area.into_iter().map(|(x, y, side)| rect(x, y, side, side)).collect();
        check(&before, &after, &ignore);
    }

    /// Swapping both pictures swaps insertions and removals and nothing else.
    #[test]
    fn both_directions_tell_the_same(rows in any_rows()) {
        let [before, after] = rows.both();
        let there = compare((&before.png()).into(), (&after.png()).into(), &[]);
        let back = compare((&after.png()).into(), (&before.png()).into(), &[]);
        let bands = |result: &Comparison, turned: bool| -> Vec<_> {
            let lanes = result.layout.lanes.iter();
            lanes
                .flat_map(|lane| lane.bands.iter().map(move |band| (lane.x, lane.width, *band)))
                .map(|(x, width, band)| {
                    let both = [band.baseline_y, band.current_y];
                    let both = if turned { [both[1], both[0]] } else { both };
                    (x, width, band.y, band.rows, both, band.moved)
                })
                .collect()
        };
        prop_assert_eq!(bands(&there, false), bands(&back, true));
        prop_assert_eq!(there.changed_pixels, back.changed_pixels);
        prop_assert_eq!(there.anti_aliased_pixels, back.anti_aliased_pixels);
        prop_assert_eq!(
            (there.inserted_pixels, there.removed_pixels),
            (back.removed_pixels, back.inserted_pixels)
        );
        prop_assert_eq!(there.unaligned_pixels, back.unaligned_pixels);
        prop_assert!(there.mask == back.mask);
        prop_assert!((there.score - back.score).abs() < 1e-9);
        let areas = |result: &Comparison| -> Vec<_> {
            result.regions.iter().map(|region| (region.area, region.changed_pixels)).collect()
        };
        prop_assert_eq!(areas(&there), areas(&back));
    }

    #[test]
    fn any_number_of_threads_gives_the_same(rows in any_rows()) {
        let [before, after] = rows.both().map(|page| page.png());
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| compare((&before).into(), (&after).into(), &[]))
        };
        let alone = on(1);
        prop_assert_eq!(&alone, &on(4));
        prop_assert_eq!(&alone, &on(4));
        // On none of rayon's.
        prop_assert_eq!(&alone, &compare((&before).into(), (&after).into(), &[]));
    }

    /// Areas and counts of regions fit the mask and the pictures.
    #[test]
    fn regions_lie_on_the_pictures(rows in any_rows(), narrower in 0..8_u32) {
        let [before, after] = rows.both();
        let width = (before.size.width.saturating_sub(narrower)).max(1);
        let before = Page::drawn(width, before.size.height, |x, y| before.color_at(x, y));
        let result = check(&before, &after, &[]);
        let sum: u64 = result.regions.iter().map(|region| region.changed_pixels).sum();
        prop_assert_eq!((sum, result.mask.count()), (result.changed_pixels, result.changed_pixels));
        for region in &result.regions {
            for (area, size) in [
                (Some(region.area), result.layout.size),
                (region.baseline_area, result.baseline),
                (region.current_area, result.current),
            ] {
                let Some(area) = area else { continue };
                prop_assert!(area.width > 0 && area.height > 0, "{:?}", region);
                prop_assert!(
                    area.right() <= size.width && area.bottom() <= size.height,
                    "{:?} on {}", region, size
                );
            }
            prop_assert!(region.baseline_area.is_some() || region.current_area.is_some());
        }
    }
}

/// A translucent strip among opaque ones, and rows of strips that only the alignment asks for.
#[test]
fn translucent_strips_among_opaque_ones() {
    let page = Page::prose(200, 700, 3)
        .fill(rect(20, 130, 90, 40), [200, 30, 30, 128])
        .fill(rect(0, 420, 200, 1), [0, 0, 0, 0]);
    let news = Page::translucent_noise(200, 70, 4);
    let longer = Page::stacked(&[(&page, 0..300), (&news, 0..70), (&page, 300..700)])
        .fill(rect(50, 500, 9, 9), [0, 60, 0, 200]);
    let result = check(&page, &longer, &[rect(0, 350, 30, 200)]);
    assert_eq!(result.layout.lanes[0].bands.len(), 3);
    assert!(result.changed_pixels > result.inserted_pixels);
    check(&longer, &page, &[]);
    check(
        &page,
        &page.clone().fill(rect(20, 130, 90, 40), [200, 30, 30, 255]),
        &[],
    );
}

/// Lanes are found by the hashes of cells, which stored captures bring along and PNGs are asked for; here most cells, or none,
/// are the same in both pictures, and strips of one of them may be translucent.
#[test]
fn lanes_are_the_same_in_every_form() {
    let height = 600;
    // A bar of whole cells, and one that ends within a cell.
    for (bar_width, is_noise) in [(128, false), (128, true), (160, false), (160, true)] {
        let width = 512 - bar_width;
        let (bar, news) = (
            Page::prose(bar_width, height, 31),
            Page::noise(width, 40, 33),
        );
        let text = if is_noise {
            Page::noise(width, height, 32)
        } else {
            Page::prose(width, height, 34)
        };
        let pushed = Page::stacked(&[(&text, 0..200), (&news, 0..40), (&text, 200..height - 40)]);
        let (before, after) = (bar.beside(&text), bar.beside(&pushed));
        let translucent = bar.beside(&pushed).pixel(3, 300, [10, 20, 30, 100]);
        for after in [after, translucent] {
            let result = check(&before, &after, &[]);
            let lanes: Vec<_> = result.layout.lanes.iter().map(|lane| lane.x).collect();
            assert_eq!(lanes, [0, bar_width]);
        }
    }
}
