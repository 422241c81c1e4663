//! The picture of a whole page: in one piece where the browser can, else in bands that are put together.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chromiumoxide::Page;
use chromiumoxide::cdp::browser_protocol::page::{
    CaptureScreenshotFormat, CaptureScreenshotParams, Viewport,
};
use pentimento_api::capture::PageExtent;

use super::CaptureError;
use super::failure::explain;
use super::quiet::Extent;

/// Pixels of one capture at most; the comparison takes no more either.
#[expect(
    clippy::cast_possible_wrap,
    reason = "80 million is far below the limit of i64"
)]
const MAX_PIXELS: i64 = pentimento_compute::MAX_PIXELS as i64;

/// Pixels across at most: the rest of the pixels goes down, where pages grow.
const MAX_WIDTH: i64 = 40_000;

/// The largest side that is taken in one piece: the largest texture of most graphics cards, beyond which Chromium repeats
/// rows or leaves them blank where it draws with one.
const MAX_PIECE_SIDE: i64 = 16_384;

/// Sides of a piece where there are several; a band of them is in memory at once.
const PIECE_WIDTH: i64 = 8_192;
const BAND_PIXELS: i64 = 16_000_000;

/// A page's picture.
pub(super) struct Photograph {
    pub(super) png: Vec<u8>,
    /// The page's own size where the picture shows less.
    pub(super) truncated_from: Option<PageExtent>,
}

/// Takes the picture of a page of this extent; what is more than a capture holds is cut off, at the bottom and, of a page that
/// is wider than anything, at its right.
pub(super) async fn photograph(page: &Page, extent: Extent) -> Result<Photograph, CaptureError> {
    let width = extent.width.clamp(1, MAX_WIDTH);
    let height = extent.height.clamp(1, MAX_PIXELS / width);
    let is_cut = (width, height) != (extent.width, extent.height);
    let png = if width.max(height) <= MAX_PIECE_SIDE {
        piece(page, [0, 0, width, height]).await?
    } else {
        in_bands(page, width, height).await?
    };
    let side = |pixels: i64| u32::try_from(pixels).unwrap_or(u32::MAX);
    Ok(Photograph {
        png,
        truncated_from: is_cut.then(|| PageExtent {
            width: side(extent.width),
            height: side(extent.height),
        }),
    })
}

/// Takes the pieces band by band, and writes each band's rows to one PNG as they come.
async fn in_bands(page: &Page, width: i64, height: i64) -> Result<Vec<u8>, CaptureError> {
    let damaged = |error: &dyn std::fmt::Display| {
        CaptureError::Page(format!(
            "the browser's pictures of it do not fit together: {error}"
        ))
    };
    let side = |pixels: i64| u32::try_from(pixels).map_err(|error| damaged(&error));
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, side(width)?, side(height)?);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header().map_err(|error| damaged(&error))?;
    let mut stream = writer.stream_writer().map_err(|error| damaged(&error))?;
    for band in bands(width, height) {
        let mut pictures = Vec::new();
        for area in &band {
            let png = piece(page, *area).await?;
            let picture = tokio::task::spawn_blocking(move || {
                image::load_from_memory_with_format(&png, image::ImageFormat::Png)
                    .map(image::DynamicImage::into_rgb8)
            });
            let picture = picture
                .await
                .map_err(|error| damaged(&error))?
                .map_err(|error| damaged(&error))?;
            if (i64::from(picture.width()), i64::from(picture.height())) != (area[2], area[3]) {
                return Err(damaged(&format!(
                    "one is {} × {} px, not {} × {}",
                    picture.width(),
                    picture.height(),
                    area[2],
                    area[3]
                )));
            }
            pictures.push(picture);
        }
        let rows = pictures.first().map_or(0, image::RgbImage::height);
        for row in 0..rows {
            for picture in &pictures {
                let stride = 3 * picture.width() as usize;
                let from = row as usize * stride;
                std::io::Write::write_all(&mut stream, &picture.as_raw()[from..from + stride])
                    .map_err(|error| damaged(&error))?;
            }
        }
    }
    stream.finish().map_err(|error| damaged(&error))?;
    writer.finish().map_err(|error| damaged(&error))?;
    Ok(png)
}

/// The pieces of a page, band by band from the top, each band's from the left: `[x, y, width, height]`.
fn bands(width: i64, height: i64) -> Vec<Vec<[i64; 4]>> {
    let rows = (BAND_PIXELS / width).clamp(1, MAX_PIECE_SIDE / 2);
    let spans = |whole: i64, most: i64| {
        (0..(whole + most - 1) / most).map(move |number| {
            let from = number * most;
            (from, most.min(whole - from))
        })
    };
    spans(height, rows)
        .map(|(y, rows)| {
            spans(width, PIECE_WIDTH)
                .map(|(x, columns)| [x, y, columns, rows])
                .collect()
        })
        .collect()
}

/// One piece as PNG.
async fn piece(page: &Page, [x, y, width, height]: [i64; 4]) -> Result<Vec<u8>, CaptureError> {
    let clip = Viewport {
        x: x as f64,
        y: y as f64,
        width: width as f64,
        height: height as f64,
        scale: 1.0,
    };
    let params = CaptureScreenshotParams::builder()
        .format(CaptureScreenshotFormat::Png)
        .clip(clip)
        .capture_beyond_viewport(true)
        .from_surface(true)
        .optimize_for_speed(true)
        .build();
    let shot = page
        .execute(params)
        .await
        .map_err(|error| explain(&error))?;
    let encoded: &[u8] = shot.result.data.as_ref();
    STANDARD
        .decode(encoded)
        .map_err(|_| CaptureError::Page("the browser sent a damaged screenshot".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_a_page_once() {
        for (width, height) in [
            (1280, 40_000),
            (390, 16_385),
            (40_000, 2_000),
            (20_000, 16_500),
            (1, 80_000),
        ] {
            let mut down = 0;
            for band in bands(width, height) {
                let mut across = 0;
                for [x, y, columns, rows] in &band {
                    assert_eq!((*x, *y), (across, down));
                    assert_eq!(*rows, band[0][3]);
                    assert!(columns.max(rows) <= &MAX_PIECE_SIDE && *columns > 0 && *rows > 0);
                    across += columns;
                }
                assert_eq!(across, width);
                down += band[0][3];
                assert!(width * band[0][3] <= BAND_PIXELS.max(width));
            }
            assert_eq!(down, height);
        }
    }
}
