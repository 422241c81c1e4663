//! Areas cut out of pictures: what changed, as it looked before or after.

use crate::encode::encode_rgb;
use crate::error::Error;
use crate::geometry::{Rect, Size};
use crate::picture::{Form, Picture};
use crate::png_rows::PngRows;
use crate::raster::Raster;
use crate::scale::shrink;

/// Cuts an area out of a picture, laid over white, and scales it down to `max` where it is larger. What of the area lies
/// beyond the picture is left out.
///
/// Of a stored capture only the strips that the area touches are unpacked; a PNG is read to its end.
///
/// # Errors
/// As [`crate::read_size`]; [`Error::Corrupt`] when it cannot be decoded; [`Error::EmptyCrop`] when nothing is left of the
/// area, or `max` has no pixels.
pub fn crop<'a>(picture: impl Into<Picture<'a>>, area: Rect, max: Size) -> Result<Vec<u8>, Error> {
    cut(picture.into(), |size| {
        let area = area.within(size).ok_or(Error::EmptyCrop)?;
        Ok((area, fit(area.size(), max).ok_or(Error::EmptyCrop)?))
    })
}

/// An area of a picture, laid over white and scaled down to a size; `of` says both, given the picture's size.
pub(crate) fn cut(
    picture: Picture<'_>,
    of: impl FnOnce(Size) -> Result<(Rect, Size), Error>,
) -> Result<Vec<u8>, Error> {
    let (mut raster, area, to) = match picture.form {
        Form::Png => {
            let rows = PngRows::open(picture.file)?;
            let (area, to) = of(rows.size())?;
            (Raster::of_rows(rows, area.y..area.bottom())?, area, to)
        }
        Form::Strips => {
            let raster = Raster::open(picture)?;
            let (area, to) = of(raster.size)?;
            (raster, area, to)
        }
    };
    let small = shrink(&raster, area, to);
    match raster.take_failure() {
        Some(error) => Err(error),
        None => encode_rgb(to, |y, out| {
            out.copy_from_slice(small.row(y).unwrap_or_default());
        }),
    }
}

/// The largest size of the same shape within bounds, at least a pixel each way; no larger than it is.
fn fit(size: Size, max: Size) -> Option<Size> {
    if max.width == 0 || max.height == 0 {
        return None;
    }
    let (width, height) = (u64::from(size.width), u64::from(size.height));
    // The side that is beyond its bound the most decides.
    let (times, by) = if width * u64::from(max.height) > height * u64::from(max.width) {
        (u64::from(max.width), width)
    } else {
        (u64::from(max.height), height)
    };
    if times >= by {
        return Some(size);
    }
    let scaled = |side: u64| u32::try_from((side * times / by).max(1)).unwrap_or(u32::MAX);
    Some(Size {
        width: scaled(width),
        height: scaled(height),
    })
}
