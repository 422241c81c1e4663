//! Strokes that were moved by a part of a pixel, that came and that went; and runs set beside single pixels.

use proptest::prelude::*;
use proptest::sample::Index;

use super::*;
use crate::cpu;
use crate::decode::Image;
use crate::geometry::Size;

const SIZE: Size = Size {
    width: 60,
    height: 40,
};

/// A page of white on which something is drawn: how much of a pixel's ink is there, 0 to 1.
fn page(ink: f64, covered: impl Fn(u32, u32) -> f64) -> Image {
    Image::of_greys(SIZE, 3, |x, y| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "0 to 255"
        )]
        let grey = (255.0 - ink * covered(x, y)).round() as u8;
        grey
    })
}

/// How much of the pixel in this column lies in a stroke from here on, so many pixels wide.
fn stroke(x: u32, from: f64, width: f64) -> f64 {
    let x = f64::from(x);
    ((x + 1.0).min(from + width) - x.max(from)).clamp(0.0, 1.0)
}

/// How many pixels changed, and whether they may be drawn anew.
fn redrawn(before: Image, after: Image) -> (u64, bool) {
    redrawn_in(SIZE.width, before, after)
}

/// The same of an area so wide at the left.
fn redrawn_in(width: u32, before: Image, after: Image) -> (u64, bool) {
    let area = Rect {
        x: 0,
        y: 0,
        width,
        height: SIZE.height,
    };
    let mut pair = Pair::in_place(&[before, after]);
    let measured = cpu::measure(&pair);
    let changed = Changed {
        mask: &measured.changed,
        tiles: &measured.tiles,
        columns: pair.tiles().0,
    };
    let count = measured.changed.count();
    (count, is_redrawn(&mut pair, area, changed))
}

/// A picture of colours, most of them near those beside them.
fn coloured(size: Size, channels: usize, seeds: &[u8]) -> Image {
    let mut image = Image::of_greys(size, channels, |x, y| {
        let seed = seeds[(x / 7 + y * 31) as usize % seeds.len()];
        seed.wrapping_add(u8::try_from(x % 7 * 9).unwrap())
    });
    let pixels = image
        .data
        .chunks_exact_mut(channels)
        .zip(seeds.iter().cycle());
    for (at, (pixel, seed)) in pixels.enumerate() {
        pixel[at % 3] = pixel[at % 3].wrapping_add(seed / 4);
    }
    image
}

proptest! {
    #[test]
    fn a_run_at_once_is_as_far_as_its_pixels_one_by_one(
        width in 17..70_u32,
        channels in [3..=4_usize, 3..=4_usize],
        before in proptest::collection::vec(any::<u8>(), 1..90),
        edits in proptest::collection::vec((any::<Index>(), any::<u8>()), 0..60),
    ) {
        let size = Size { width, height: 20 };
        let mut after = before.clone();
        for (at, value) in edits {
            after[at.index(before.len())] = value;
        }
        let images = [(&before, channels[0]), (&after, channels[1])];
        let pair = Pair::in_place(&images.map(|(seeds, channels)| coloured(size, channels, seeds)));
        let rows = RowsAround::of(&pair, 0, 0);
        for y in 1..TILE {
            let [above, own, below] = [y - 1, y, y + 1].map(|y| rows.row(Some(y)).unwrap());
            let Some(whole) = WholeRows::of([above, own, below]) else {
                prop_assert!(channels.contains(&4));
                continue;
            };
            for left in 0..width {
                let at_edge = left == 0 || left + TILE >= width;
                let far = whole.far(left);
                prop_assert_eq!(far.is_none(), at_edge, "{} {}", left, y);
                for at in 0..TILE * u32::from(far.is_some()) {
                    let is_near = pixel_is_near(own, [Some(above), Some(own), Some(below)], left + at);
                    prop_assert_eq!(far.map(|far| far >> at & 1 == 0), Some(is_near), "{} {}", left + at, y);
                }
            }
        }
    }
}

#[test]
fn strokes_a_part_of_a_pixel_further_are_redrawn() {
    let mut seen = 0;
    for ink in [255.0, 120.0] {
        for width in [1.0, 1.3, 2.0, 5.0] {
            for further in [0.2, 0.3, 0.5] {
                let strokes = |shift: f64| {
                    move |x, _| {
                        [10.0, 20.0, 30.0]
                            .map(|from| stroke(x, from + shift, width))
                            .iter()
                            .sum()
                    }
                };
                for (from, to) in [(0.0, further), (further, 0.0)] {
                    let (one, other) = (page(ink, strokes(from)), page(ink, strokes(to)));
                    let (changed, is_redrawn) = redrawn(one, other);
                    assert!(is_redrawn, "{ink} {width} from {from} to {to}");
                    seen += changed;
                }
            }
        }
    }
    assert!(seen > 1000, "{seen}");
}

#[test]
fn a_stroke_that_comes_or_goes_is_no_redrawing() {
    let faint = 100.0;
    let one = |x: u32, _| stroke(x, 10.0, 1.0) + stroke(x, 20.3, 1.0);
    let two = |x: u32, _| one(x, 0) + stroke(x, 26.0, 1.0);
    assert!(!redrawn(page(faint, one), page(faint, two)).1, "it came");
    assert!(!redrawn(page(faint, two), page(faint, one)).1, "it went");
    let moved = |x: u32, _| stroke(x, 10.0, 1.0) + stroke(x, 23.3, 1.0);
    assert!(!redrawn(page(faint, one), page(faint, moved)).1);
    // A one becomes a seven: a bar is drawn on top of a stroke that stays.
    let seven = |x: u32, y: u32| {
        let bar = if y == 5 && (5..10).contains(&x) {
            1.0
        } else {
            0.0
        };
        one(x, 0) + bar
    };
    assert!(!redrawn(page(faint, one), page(faint, seven)).1);
}

#[test]
fn what_belongs_to_another_region_does_not_count() {
    let at = |from: f64, rows: u32, new: f64| {
        move |x: u32, y: u32| {
            let short = if y < rows {
                stroke(x, 15.0 + from, 1.0)
            } else {
                0.0
            };
            let other = if y >= 34 {
                new * stroke(x, 31.0, 1.0)
            } else {
                0.0
            };
            stroke(x, from, 1.0) + short + other
        }
    };
    let before = || page(100.0, at(1.0, 8, 0.0));
    let after = |new| page(100.0, at(1.5, 8, new));
    // The stroke that is new lies in a tile that the area touches, and beside the area.
    let (changed, is_redrawn) = redrawn_in(18, before(), after(1.0));
    assert!(is_redrawn && changed > redrawn(before(), after(0.0)).0);
    assert!(!redrawn(before(), after(1.0)).1);
}

/// The same in the alpha alone: ink on nothing, as a part of a page is captured by itself.
#[test]
fn ink_on_a_transparent_ground_is_seen_by_its_alpha() {
    let inked = |ink: u8, covered: &dyn Fn(u32, u32) -> f64| {
        let mut image = Image::of_greys(SIZE, 4, |_, _| ink);
        let pixels = image.data.chunks_exact_mut(4);
        for (at, pixel) in (0..).zip(pixels) {
            let covered = covered(at % SIZE.width, at / SIZE.width);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "0 to 160"
            )]
            let alpha = (160.0 * covered).round() as u8;
            pixel[3] = alpha;
        }
        image
    };
    let strokes = |last: f64| move |x: u32, _: u32| stroke(x, 10.0, 1.0) + stroke(x, last, 1.0);
    for ink in [0, 255] {
        let page = |last| inked(ink, &strokes(last));
        let (changed, is_redrawn) = redrawn(page(20.0), page(26.0));
        assert!(changed > 0 && !is_redrawn, "another place, ink {ink}");
        let (changed, is_redrawn) = redrawn(page(20.0), page(20.5));
        assert!(changed > 0 && is_redrawn, "a part of a pixel, ink {ink}");
    }
}
