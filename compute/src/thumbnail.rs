//! Small pictures for lists.

use crate::crop::cut;
use crate::error::Error;
use crate::geometry::{Rect, Size};
use crate::picture::Picture;

/// Scales a picture down to `max_width` by area, laid over white, and cuts it off below
/// `max_height`; it is never enlarged.
///
/// Of a stored capture only the strips that show are unpacked; a PNG is read to its end.
///
/// # Errors
/// As [`crate::read_size`]; [`Error::Corrupt`] when it cannot be decoded;
/// [`Error::EmptyThumbnail`].
pub fn thumbnail<'a>(
    picture: impl Into<Picture<'a>>,
    max_width: u32,
    max_height: u32,
) -> Result<Vec<u8>, Error> {
    if max_width == 0 || max_height == 0 {
        return Err(Error::EmptyThumbnail);
    }
    cut(picture.into(), |size| {
        let (to, height) = fit(size, max_width, max_height);
        let area = Rect {
            x: 0,
            y: 0,
            width: size.width,
            height,
        };
        Ok((area, to))
    })
}

/// The size of the thumbnail, and how many rows of the picture it shows.
fn fit(size: Size, max_width: u32, max_height: u32) -> (Size, u32) {
    let width = size.width.min(max_width);
    let scaled = |rows: u32, times: u32, by: u32| {
        u32::try_from((u64::from(rows) * u64::from(times)).div_ceil(u64::from(by)))
            .unwrap_or(u32::MAX)
    };
    let height = scaled(size.height, width, size.width).min(max_height);
    let rows = scaled(height, size.width, width).clamp(height, size.height);
    (Size { width, height }, rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fits_the_width_and_cuts_the_height() {
        let check = |from: (u32, u32), max: (u32, u32), to: (u32, u32), rows: u32| {
            let size = Size {
                width: from.0,
                height: from.1,
            };
            assert_eq!(
                fit(size, max.0, max.1),
                (
                    Size {
                        width: to.0,
                        height: to.1
                    },
                    rows
                ),
                "{from:?} in {max:?}"
            );
        };
        check((1280, 720), (320, 400), (320, 180), 720);
        check((1280, 16_000), (320, 400), (320, 400), 1600);
        check((100, 50), (320, 400), (100, 50), 50);
        check((1, 1), (320, 400), (1, 1), 1);
        check((80_000_000, 1), (320, 400), (320, 1), 1);
        check((1, 80_000_000), (320, 400), (1, 400), 400);
    }
}
