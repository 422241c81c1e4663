//! Scaling down by area: every pixel of the result is the mean of what it covers, laid over white.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "positions and channel values are in range before they are cut to whole numbers"
)]

use std::ops::Range;

use rayon::prelude::*;

use crate::decode::Image;
use crate::geometry::{Rect, Size};
use crate::pool::Buffer;
use crate::raster::Raster;
use crate::workers;

/// Scales an area of a picture to `to`, as opaque RGB; `to` must not be larger than it.
pub(crate) fn shrink(picture: &Raster<'_>, area: Rect, to: Size) -> Image {
    shrink_drawn(area.size(), to, |y, out| {
        let row = picture.row(area.y + y);
        for (x, out) in (area.x..).zip(out) {
            *out = over_white(row.pixel(x));
        }
    })
}

/// Scales a picture of the size `from` whose rows `draw` draws; `to` must not be larger.
pub(crate) fn shrink_drawn(
    from: Size,
    to: Size,
    draw: impl Fn(u32, &mut [[u8; 3]]) + Sync,
) -> Image {
    Image {
        size: to,
        channels: 3,
        data: shrink_rows(from, to, 0..to.height, draw),
    }
}

/// Some rows of the same, as opaque RGB.
pub(crate) fn shrink_rows(
    from: Size,
    to: Size,
    rows: Range<u32>,
    draw: impl Fn(u32, &mut [[u8; 3]]) + Sync,
) -> Buffer {
    let stride = to.width as usize * 3;
    let mut data = Buffer::take(stride * rows.len());
    let step = f64::from(from.height) / f64::from(to.height);
    workers::map(data.par_chunks_mut(stride).enumerate(), |(at, out)| {
        let mut sums = vec![0.0_f32; stride];
        let mut row = vec![[0; 3]; from.width as usize];
        let covered = Span::new(rows.start as usize + at, step, from.height);
        for (y, weight) in covered.pixels() {
            draw(y, &mut row);
            add_row(&mut sums, &row, weight);
        }
        for (out, sum) in out.iter_mut().zip(sums) {
            *out = sum.round().clamp(0.0, 255.0) as u8;
        }
    });
    data
}

/// A colour laid over white, as RGB.
pub(crate) fn over_white([r, g, b, a]: [u8; 4]) -> [u8; 3] {
    let blend = |channel: u8| {
        let alpha = u32::from(a);
        let sum = u32::from(channel) * alpha + 255 * (255 - alpha);
        ((sum + 127) / 255) as u8
    };
    [blend(r), blend(g), blend(b)]
}

/// Adds one row, scaled to the width of `sums`, with a weight.
fn add_row(sums: &mut [f32], row: &[[u8; 3]], weight: f32) {
    let (sums, _) = sums.as_chunks_mut::<3>();
    let width = u32::try_from(row.len()).expect("pictures are at most MAX_SIDE wide");
    let step = f64::from(width) / sums.len() as f64;
    for (x, sum) in sums.iter_mut().enumerate() {
        for (x, share) in Span::new(x, step, width).pixels() {
            for (sum, channel) in sum.iter_mut().zip(row[x as usize]) {
                *sum += f32::from(channel) * share * weight;
            }
        }
    }
}

/// The stretch of an axis that one pixel of the result covers.
struct Span {
    from: f64,
    until: f64,
    length: u32,
}

impl Span {
    fn new(at: usize, step: f64, length: u32) -> Self {
        Self {
            from: at as f64 * step,
            until: (at + 1) as f64 * step,
            length,
        }
    }

    /// The pixels it touches, each with its share of the whole.
    fn pixels(&self) -> impl Iterator<Item = (u32, f32)> {
        let first = (self.from as u32).min(self.length - 1);
        let end = (self.until.ceil() as u32).clamp(first + 1, self.length);
        let (from, until) = (self.from, self.until);
        (first..end).map(move |at| {
            let covered = until.min(f64::from(at) + 1.0) - from.max(f64::from(at));
            (at, (covered.max(0.0) / (until - from)) as f32)
        })
    }
}
