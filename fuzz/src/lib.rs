//! What the fuzz targets share: one comparator, pictures made from a few bytes, and the promises that
//! every comparison keeps.

use std::io::Write;
use std::sync::LazyLock;

use pentimento_compute::{
    BackendChoice, Comparator, CompareOptions, Comparison, DiskFile, Picture, Size, read_size,
};
use png::{BitDepth, ColorType, Compression, Encoder};

/// Pixels beyond which a header is believed but not followed, to keep runs short and small.
const SMALL: u64 = 1 << 20;

/// The CPU backend.
pub static CPU: LazyLock<Comparator> =
    LazyLock::new(|| Comparator::new(BackendChoice::Cpu).expect("the CPU needs nothing"));

/// Whether a file is refused at once or announces a picture that is quick to decode.
pub fn is_small(png: &[u8]) -> bool {
    read_size(png).map_or(true, |size| size.pixels() <= SMALL)
}

/// Compares two pictures that are known to be good.
pub fn compare(
    baseline: Picture<'_>,
    current: Picture<'_>,
    options: &CompareOptions,
) -> Comparison {
    CPU.compare(baseline, current, options)
        .expect("both pictures are good")
}

/// What holds for every comparison.
pub fn check(result: &Comparison) {
    let in_regions: u64 = result
        .regions
        .iter()
        .map(|region| region.changed_pixels)
        .sum();
    assert_eq!(result.mask.count(), result.changed_pixels);
    assert_eq!(in_regions, result.changed_pixels);
    assert_eq!(result.mask.size(), result.layout.size);
    assert!(result.inserted_pixels + result.removed_pixels <= result.changed_pixels);
    assert!((0.0..=100.0).contains(&result.score));
    assert!(result.mean_delta <= result.max_delta && result.max_delta <= 1.0);
    let mut x = 0;
    for lane in &result.layout.lanes {
        assert_eq!(lane.x, x);
        x += lane.width;
        let (mut y, mut rows) = (0, [0, 0]);
        for band in &lane.bands {
            assert!(band.rows > 0 && band.y == y, "bands lie below each other");
            y += band.rows;
            for (rows, first) in rows.iter_mut().zip([band.baseline_y, band.current_y]) {
                if let Some(first) = first {
                    assert_eq!(first, *rows, "every row has one place, in order");
                    *rows += band.rows;
                }
            }
        }
        assert_eq!(rows, [result.baseline.height, result.current.height]);
    }
    assert_eq!(x, result.layout.size.width);
    for region in &result.regions {
        let fits = |area: pentimento_compute::Rect, size: Size| {
            assert!(area.width > 0 && area.height > 0);
            assert!(area.right() <= size.width && area.bottom() <= size.height);
        };
        fits(region.area, result.layout.size);
        region
            .baseline_area
            .iter()
            .for_each(|area| fits(*area, result.baseline));
        region
            .current_area
            .iter()
            .for_each(|area| fits(*area, result.current));
    }
}

/// Encodes RGBA pixels, or their colours alone.
pub fn encode(size: Size, color: ColorType, pixels: &[[u8; 4]]) -> Vec<u8> {
    let mut png = Vec::new();
    let mut encoder = Encoder::new(&mut png, size.width, size.height);
    encoder.set_color(color);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::NoCompression);
    let bytes: Vec<u8> = match color {
        ColorType::Rgba => pixels.as_flattened().to_vec(),
        _ => pixels
            .iter()
            .flat_map(|pixel| &pixel[..3])
            .copied()
            .collect(),
    };
    let mut writer = encoder.write_header().expect("the size is valid");
    writer.write_image_data(&bytes).expect("the rows fit");
    writer.finish().expect("memory does not fail");
    png
}

/// Takes bytes from the input, zeros when it has ended.
pub struct Bytes<'d>(pub &'d [u8]);

impl Bytes<'_> {
    /// The next byte.
    pub fn next(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        first
    }

    /// A number below `end`, which counts as 1 when it is 0.
    pub fn below(&mut self, end: usize) -> usize {
        (usize::from(self.next()) << 8 | usize::from(self.next())) % end.max(1)
    }
}

/// A file with these bytes, to be read piece by piece.
pub fn on_disk(bytes: &[u8]) -> DiskFile {
    let mut file = tempfile::tempfile().expect("files can be made");
    file.write_all(bytes).expect("they can be written");
    DiskFile::new(file, bytes.len() as u64)
}
