//! The panel that shows what changed: the current picture faded to grey, changed pixels painted.
//!
//! It is drawn in numbers of a palette, a third of the bytes of RGB to draw and to encode.

use pulp::{Arch, Simd, WithSimd};

use super::laid::{Content, GROUND, HATCH, Laid, hatch};
use super::overlay::{self, Ink};
use crate::encode::Palette;
use crate::mask::{BitMask, WORD_BITS};
use crate::raster::row::Row;

/// Changed pixels: a magenta that pages seldom use.
const CHANGED_COLOR: [u8; 3] = [0xe6, 0x00, 0x7a];

/// Greys of the faded picture, from white down; the others come behind them.
const GREYS: u8 = 64;
const WHITE: u8 = 0;
const CHANGED: u8 = GREYS;
const OUTLINE: u8 = GREYS + 1;
const NOTHING: u8 = GREYS + 2;
const HATCHED: u8 = GREYS + 3;

/// How outlines and letters look in this panel.
pub(super) const INK: Ink<u8> = Ink {
    outline: OUTLINE,
    letter: WHITE,
};

/// Rec. 601 luma in 256ths.
const LUMA: [u16; 3] = [77, 150, 29];

/// The luma of white in 256ths.
const FULL_LUMA: u16 = 255 << 8;

/// From 256ths of luma to a quarter of it: the faded picture spans the lightest quarter of greys.
const FADE_SHIFT: u32 = 10;

/// Pixels that are faded together, or not at all when they equal those above them; short enough that
/// a word between blank margins leaves most of its row alone.
const RUN_PX: usize = 64;

/// Draws the panel from top to bottom.
pub(super) struct DiffPanel<'a> {
    current: Laid<'a>,
    mask: &'a BitMask,
    /// The row drawn last.
    faded: Vec<u8>,
    /// The picture in the row drawn last, in each piece of it.
    above: Vec<Option<Row<'a>>>,
}

/// The colours of the panel.
pub(super) fn palette() -> Palette {
    let mut colors: Palette = (0..GREYS).map(|step| [255 - step; 3]).collect();
    colors.extend([CHANGED_COLOR, overlay::OUTLINE, GROUND, HATCH]);
    colors
}

impl<'a> DiffPanel<'a> {
    pub(super) fn new(current: Laid<'a>, mask: &'a BitMask) -> Self {
        Self {
            current,
            mask,
            faded: vec![WHITE; current.width()],
            above: Vec::new(),
        }
    }

    /// Draws row `y` without what changed; rows come in order.
    pub(super) fn draw(&mut self, y: u32, row: &mut [u8]) {
        self.fade(y);
        row.copy_from_slice(&self.faded);
    }

    /// Paints the changed pixels of row `y`. After all else, because an outline at the page's edge, or the tag of another
    /// region, would hide them.
    pub(super) fn paint_changed(&self, y: u32, row: &mut [u8]) {
        paint(row, self.mask.row(y));
    }

    fn fade(&mut self, y: u32) {
        for (piece, (columns, content)) in self.current.row(y).enumerate() {
            if self.above.len() <= piece {
                self.above.push(None);
            }
            let start = columns.start;
            let to = &mut self.faded[columns];
            let above = self.above[piece].take();
            match content {
                Content::Picture(row) => {
                    let above = above.filter(|above| above.channels == row.channels);
                    let above = above.map_or(&[][..], |above| above.bytes);
                    let from = row.bytes;
                    if row.channels == 3 {
                        Arch::new().dispatch(FadeRuns::<3> { to, from, above });
                    } else {
                        Arch::new().dispatch(FadeRuns::<4> { to, from, above });
                    }
                    self.above[piece] = Some(row);
                }
                Content::Lacking => hatch(to, start, y, HATCHED, WHITE),
                Content::Nothing => to.fill(NOTHING),
            }
        }
    }
}

/// Fades the runs that differ from those above them, which `to` still holds; `above` is empty when
/// it does not.
struct FadeRuns<'a, const N: usize> {
    to: &'a mut [u8],
    from: &'a [u8],
    above: &'a [u8],
}

impl<const N: usize> WithSimd for FadeRuns<'_, N>
where
    [u8; N]: Faded,
{
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let mut above = self.above.chunks(RUN_PX * N);
        for (to, from) in (self.to.chunks_mut(RUN_PX)).zip(self.from.chunks(RUN_PX * N)) {
            if above.next() != Some(from) {
                for (to, pixel) in to.iter_mut().zip(from.as_chunks::<N>().0) {
                    *to = pixel.grey();
                }
            }
        }
    }
}

/// Pixels that fade to one of the panel's greys.
trait Faded {
    /// The number of the faded pixel's grey: 0 is white.
    fn grey(self) -> u8;
}

impl Faded for [u8; 3] {
    #[inline(always)]
    fn grey(self) -> u8 {
        let [r, g, b] = self.map(u16::from);
        let darkness = FULL_LUMA - (LUMA[0] * r + LUMA[1] * g + LUMA[2] * b);
        (darkness >> FADE_SHIFT).to_le_bytes()[0]
    }
}

impl Faded for [u8; 4] {
    /// Over white, an alpha of a half is half as dark.
    #[inline(always)]
    fn grey(self) -> u8 {
        let [r, g, b, alpha] = self.map(u16::from);
        let darkness = FULL_LUMA - (LUMA[0] * r + LUMA[1] * g + LUMA[2] * b);
        let darkness = u32::from(darkness) * u32::from(alpha) / 255;
        (darkness >> FADE_SHIFT).to_le_bytes()[0]
    }
}

/// Paints the pixels whose bits are set.
fn paint(row: &mut [u8], words: &[u32]) {
    for (pixels, &word) in row.chunks_mut(WORD_BITS as usize).zip(words) {
        if word == u32::MAX {
            pixels.fill(CHANGED);
            continue;
        }
        let mut left = word;
        while left != 0 {
            if let Some(pixel) = pixels.get_mut(left.trailing_zeros() as usize) {
                *pixel = CHANGED;
            }
            left &= left - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greys_run_from_white_down_to_a_quarter_of_black() {
        assert_eq!([255, 255, 255].grey(), WHITE);
        assert_eq!([0, 0, 0].grey(), GREYS - 1);
        assert_eq!([0, 0, 0, 255].grey(), GREYS - 1);
        assert_eq!([0, 0, 0, 0].grey(), WHITE);
        assert_eq!([0, 0, 0, 127].grey(), GREYS / 2 - 1);
        for value in 0..=255 {
            assert_eq!([value; 3].grey(), (255 - value) / 4);
            assert_eq!([value, value, value, 255].grey(), (255 - value) / 4);
        }
    }

    #[test]
    fn bits_are_painted_where_they_are_set() {
        let mut row = [WHITE; 70];
        paint(&mut row, &[1 | 1 << 31, u32::MAX, 1 << 5]);
        for (x, &pixel) in row.iter().enumerate() {
            let set = x == 0 || (31..64).contains(&x) || x == 69;
            assert_eq!(pixel == CHANGED, set, "{x}");
        }
    }
}
