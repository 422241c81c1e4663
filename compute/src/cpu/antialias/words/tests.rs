use super::super::Around;
use super::*;
use crate::decode::Image;
use crate::geometry::Size;
use crate::mask::WORD_BITS;
use crate::pair::Pair;

/// In all vectors that this processor has.
fn in_all() -> Vec<Recent> {
    let mut ways = vec![Recent::Portable(Box::default())];
    #[cfg(target_arch = "x86_64")]
    ways.extend(pulp::x86::V3::try_new().map(|simd| Recent::ByEight(simd, Box::default())));
    ways
}

/// A picture and one that is a little other, in colours of which several are next to each other in brightness, in areas, edges and dots.
fn pictures(size: Size, salt: u32) -> [Image; 2] {
    let mixed =
        |x: u32, y: u32, salt: u32| (x * 31 + y * 17 + salt * 101).wrapping_mul(0x9e37_79b9) >> 16;
    [0, 1].map(|side| {
        let mut image = Image::of_greys(size, 3, |_, _| 0);
        for (at, pixel) in (0..).zip(image.data.chunks_exact_mut(3)) {
            let (x, y) = (at % size.width, at / size.width);
            let area = mixed(x / (2 + salt % 5), y / (2 + salt % 3), salt) % 7;
            let is_dot = mixed(x, y, salt + 7 * side).is_multiple_of(3 + 5 * (salt % 4));
            let colour = if is_dot {
                mixed(x, y, salt + 1) % 11
            } else {
                area
            };
            pixel.copy_from_slice(&COLOURS[colour as usize]);
        }
        image
    })
}

/// The ranks of the third to the fifth are near each other; the first and the last are the least and the largest.
const COLOURS: [[u8; 3]; 11] = [
    [0, 0, 0],
    [255, 255, 255],
    [100, 100, 100],
    [98, 101, 100],
    [102, 99, 100],
    [7, 0, 255],
    [200, 40, 40],
    [250, 250, 251],
    [251, 250, 250],
    [1, 0, 0],
    [255, 255, 254],
];

#[test]
fn words_are_decided_as_pixels_are_one_by_one() {
    let (mut found, mut others) = (0, 0);
    for salt in 0..60 {
        let widths = [1, 2, 3, 31, 32, 33, 36, 63, 64, 65, 70, 74, 75, 110, 150];
        let size = Size {
            width: widths[salt as usize % widths.len()],
            height: 1 + salt % 9,
        };
        let pair = Pair::in_place(&pictures(size, salt));
        for mut recent in in_all() {
            // Down the rows, over each word twice, and with words left out, as lines of tiles ask for them.
            for first in (0..size.width).step_by(WORD_BITS as usize).rev() {
                for y in (0..size.height).chain((0..size.height).filter(|y| y % 3 != 1)) {
                    let rows = pair.unsettled_rows(y);
                    for row in rows {
                        let around = Around::of(&pair, &row, y);
                        let Around::Opaque(hood) = &around else {
                            panic!("the pictures are opaque");
                        };
                        let columns = first..size.width.min(first + WORD_BITS);
                        let mut expected = 0;
                        for x in columns.clone() {
                            expected |= u32::from(around.is_anti_aliased(x)) << (x - first);
                        }
                        let all = u32::MAX >> (WORD_BITS - (columns.end - columns.start));
                        let wanted = all & !(salt.wrapping_mul(0x0101_0101) & y);
                        assert_eq!(
                            recent.find(hood, first, wanted),
                            expected & wanted,
                            "{salt} {size:?} {first} {y}"
                        );
                        found += expected.count_ones();
                        others += all.count_ones() - expected.count_ones();
                    }
                }
            }
        }
    }
    assert!(found > 2000 && others > 2000, "{found} {others}");
}
