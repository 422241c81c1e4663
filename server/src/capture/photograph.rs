//! The picture of a whole page: in one piece where the browser can, else in bands that are put together.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chromiumoxide::Page;
use chromiumoxide::cdp::browser_protocol::page::{
    CaptureScreenshotFormat, CaptureScreenshotParams, Viewport,
};
use pentimento_api::capture::PageExtent;
use tokio::sync::mpsc;

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

/// Takes the pieces band by band, and has them put together meanwhile.
async fn in_bands(page: &Page, width: i64, height: i64) -> Result<Vec<u8>, CaptureError> {
    // A piece that waits is a file: pixels are one band's alone. Without a sender the other thread ends.
    let (to_be_joined, pieces) = mpsc::channel(1);
    let joining = tokio::task::spawn_blocking(move || join(width, height, pieces));
    for area in bands(width, height).into_iter().flatten() {
        let png = piece(page, area).await?;
        if to_be_joined.send(png).await.is_err() {
            // It says by itself why it wants no more.
            break;
        }
    }
    drop(to_be_joined);
    joining.await.map_err(|error| misfit(&error))?
}

/// Writes the rows of each band to one PNG as its pieces come.
fn join(
    width: i64,
    height: i64,
    mut pieces: mpsc::Receiver<Vec<u8>>,
) -> Result<Vec<u8>, CaptureError> {
    let side = |pixels: i64| u32::try_from(pixels).map_err(|error| misfit(&error));
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, side(width)?, side(height)?);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header().map_err(|error| misfit(&error))?;
    let mut stream = writer.stream_writer().map_err(|error| misfit(&error))?;
    for band in bands(width, height) {
        let mut pictures = Vec::new();
        for area in band {
            let piece = (pieces.blocking_recv()).ok_or_else(|| misfit(&"one did not come"))?;
            pictures.push(decode(&piece, area)?);
        }
        let rows = pictures.first().map_or(0, image::RgbImage::height);
        for row in 0..rows {
            for picture in &pictures {
                let stride = 3 * picture.width() as usize;
                let from = row as usize * stride;
                std::io::Write::write_all(&mut stream, &picture.as_raw()[from..from + stride])
                    .map_err(|error| misfit(&error))?;
            }
        }
    }
    stream.finish().map_err(|error| misfit(&error))?;
    writer.finish().map_err(|error| misfit(&error))?;
    Ok(png)
}

/// The pixels of a piece, which has its area's size.
fn decode(piece: &[u8], [_, _, width, height]: [i64; 4]) -> Result<image::RgbImage, CaptureError> {
    let picture = image::load_from_memory_with_format(piece, image::ImageFormat::Png)
        .map_err(|error| misfit(&error))?
        .into_rgb8();
    if (i64::from(picture.width()), i64::from(picture.height())) != (width, height) {
        return Err(misfit(&format!(
            "one is {} × {} px, not {width} × {height}",
            picture.width(),
            picture.height(),
        )));
    }
    Ok(picture)
}

fn misfit(error: &dyn std::fmt::Display) -> CaptureError {
    CaptureError::Page(format!(
        "the browser's pictures of it do not fit together: {error}"
    ))
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
    let damaged = || CaptureError::Page("the browser sent a damaged screenshot".to_owned());
    let encoded = shot.result.data;
    let decoding = tokio::task::spawn_blocking(move || STANDARD.decode::<&[u8]>(encoded.as_ref()));
    let decoded = decoding.await.map_err(|_| damaged())?;
    decoded.map_err(|_| damaged())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A piece whose pixels say where on the page they are.
    fn taken([x, y, width, height]: [i64; 4]) -> Vec<u8> {
        let [x, y, width, height] = [x, y, width, height].map(|side| u32::try_from(side).unwrap());
        let picture =
            image::RgbImage::from_fn(width, height, |column, row| place(x + column, y + row));
        let mut png = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut png, image::ImageFormat::Png).unwrap();
        png.into_inner()
    }

    fn place(x: u32, y: u32) -> image::Rgb<u8> {
        let number = (y * 100_000 + x).to_be_bytes();
        image::Rgb([number[1], number[2], number[3]])
    }

    /// What comes of a page of this extent when so many of its pieces come.
    fn joined(width: i64, height: i64, pieces: usize) -> Result<Vec<u8>, CaptureError> {
        let (to_be_joined, receiver) = mpsc::channel(1);
        let joining = std::thread::spawn(move || join(width, height, receiver));
        for area in bands(width, height).into_iter().flatten().take(pieces) {
            to_be_joined.blocking_send(taken(area)).unwrap();
        }
        drop(to_be_joined);
        joining.join().unwrap()
    }

    #[test]
    fn joined_pieces_lie_where_they_were_on_the_page() {
        for (width, height) in [(8_200, 3), (2, 8_200)] {
            let png = joined(width, height, 2).unwrap();
            let page = image::load_from_memory(&png).unwrap().into_rgb8();
            let size = (i64::from(page.width()), i64::from(page.height()));
            assert_eq!(size, (width, height));
            for (x, y, pixel) in page.enumerate_pixels() {
                assert_eq!(*pixel, place(x, y), "at {x}, {y}");
            }
        }
    }

    #[test]
    fn a_page_whose_last_piece_does_not_come_is_none() {
        let error = joined(8_200, 3, 1).unwrap_err().to_string();
        assert!(error.contains("one did not come"), "{error}");
    }

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
