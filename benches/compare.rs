//! How long comparisons take, end to end (decode, stages, regions), by page size, kind of change
//! and backend.
//!
//! `cargo bench -p pentimento-compute --features stage-bench`. The GPU rows appear when there is an adapter; on a software
//! one they measure the processor. With `RAYON_NUM_THREADS=1` all runs on one thread, so that its time is the processor's and a
//! stage can be set against `memory`.

use std::io::Cursor;
use std::sync::LazyLock;

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use pentimento_compute::{BackendChoice, Comparator, CompareOptions, thumbnail};
use png::{BitDepth, ColorType, Compression, Encoder};

/// Viewport, a long page, and a very long one; all 1280 pixels wide.
const HEIGHTS: [u32; 3] = [720, 8000, 16_000];
const WIDTH: u32 = 1280;

static CPU: LazyLock<Comparator> =
    LazyLock::new(|| Comparator::new(BackendChoice::Cpu).expect("the CPU needs nothing"));
static GPU: LazyLock<Option<Comparator>> =
    LazyLock::new(|| Comparator::new(BackendChoice::Gpu).ok());

fn main() {
    println!("{}\n", measured_on());
    divan::main();
}

/// What compares, in a line.
fn measured_on() -> String {
    let threads = rayon::current_num_threads();
    let gpu = GPU.as_ref().map(Comparator::report);
    let adapter = gpu.and_then(|report| Some(format!("{}, {}", report.adapter?, report.driver?)));
    let adapter = adapter.unwrap_or_else(|| "no adapter".to_owned());
    format!("threads: {threads}; gpu rows: {adapter}")
}

/// What happened between baseline and current picture.
#[derive(Clone, Copy)]
enum Change {
    /// The same pixels in a file of other bytes, so that they must be looked at.
    None,
    /// One line of text in the middle.
    Text,
    /// Every second pixel of the page.
    Heavy,
    /// The left edge of every letter is a little lighter, as another way of smoothing makes it.
    Soft,
    /// A banner above the first line: everything below moved down.
    Shift,
}

/// Rows of the banner.
const BANNER: u32 = 96;

#[divan::bench_group(sample_count = 10, sample_size = 1)]
mod cpu {
    use super::{Bencher, CPU, Change, HEIGHTS, compare};

    #[divan::bench(args = HEIGHTS)]
    fn identical(bencher: Bencher<'_, '_>, height: u32) {
        compare(bencher, Some(&CPU), height, Change::None);
    }

    #[divan::bench(args = HEIGHTS)]
    fn text(bencher: Bencher<'_, '_>, height: u32) {
        compare(bencher, Some(&CPU), height, Change::Text);
    }

    #[divan::bench(args = HEIGHTS)]
    fn heavy(bencher: Bencher<'_, '_>, height: u32) {
        compare(bencher, Some(&CPU), height, Change::Heavy);
    }
}

#[divan::bench_group(sample_count = 10, sample_size = 1)]
mod gpu {
    use super::{Bencher, Change, GPU, HEIGHTS, compare};

    #[divan::bench(args = HEIGHTS)]
    fn identical(bencher: Bencher<'_, '_>, height: u32) {
        compare(bencher, GPU.as_ref(), height, Change::None);
    }

    #[divan::bench(args = HEIGHTS)]
    fn text(bencher: Bencher<'_, '_>, height: u32) {
        compare(bencher, GPU.as_ref(), height, Change::Text);
    }

    #[divan::bench(args = HEIGHTS)]
    fn heavy(bencher: Bencher<'_, '_>, height: u32) {
        compare(bencher, GPU.as_ref(), height, Change::Heavy);
    }
}

/// What the memory gives in this run, to set the other rows against: two pages of 1280 × 16,000 in RGB.
#[divan::bench_group(sample_count = 20, sample_size = 1)]
mod memory {
    use divan::black_box;

    use super::{Bencher, BytesCount};

    const PAGE_BYTES: usize = 1280 * 16_000 * 3;

    /// Reads both pages to their ends.
    #[divan::bench]
    fn memcmp(bencher: Bencher<'_, '_>) {
        let (baseline, current) = (vec![1_u8; PAGE_BYTES], vec![1_u8; PAGE_BYTES]);
        bencher
            .counter(BytesCount::new(2 * PAGE_BYTES))
            .bench_local(|| black_box(&baseline[..]) == black_box(&current[..]));
    }

    /// Reads one page and writes another.
    #[divan::bench]
    fn memcpy(bencher: Bencher<'_, '_>) {
        let (source, mut target) = (vec![1_u8; PAGE_BYTES], vec![2_u8; PAGE_BYTES]);
        bencher
            .counter(BytesCount::new(2 * PAGE_BYTES))
            .bench_local(|| {
                target.copy_from_slice(black_box(&source));
                black_box(&target);
            });
    }
}

/// Single stages over pages of 1280 × 16,000, alone: what they look at is ready beforehand. Bytes are those of both pages' pixels
/// in RGB (of one page's, where there is one), so that a row can be set against the group `memory`; a stage that looks at
/// what differs alone passes over most of them.
#[divan::bench_group(sample_count = 20, sample_size = 1)]
mod stages {
    use pentimento_compute::{Staged, Unaligned, decode_png, to_strips, unpack_strips};

    use super::{Bencher, BytesCount, Change, Compression, WIDTH, page};

    const HEIGHT: u32 = 16_000;
    const PAGE_BYTES: usize = 3 * WIDTH as usize * HEIGHT as usize;

    /// Reads one PNG.
    #[divan::bench]
    fn decode(bencher: Bencher<'_, '_>) {
        let png = page(HEIGHT, Change::None, Compression::Fast);
        (bencher.counter(BytesCount::new(PAGE_BYTES))).bench_local(|| decode_png(&png));
    }

    /// Reads both PNGs side by side, and hashes their rows.
    #[divan::bench]
    fn decode_pair(bencher: Bencher<'_, '_>) {
        let (baseline, current) = pages(Change::Text);
        of_both(bencher).bench_local(|| Unaligned::load(&baseline, &current).map(drop));
    }

    /// Makes the stored form of a capture, the PNG's decoding included.
    #[divan::bench]
    fn store(bencher: Bencher<'_, '_>) {
        let png = page(HEIGHT, Change::None, Compression::Fast);
        (bencher.counter(BytesCount::new(PAGE_BYTES))).bench_local(|| to_strips(&png));
    }

    /// Reads all of a stored capture.
    #[divan::bench]
    fn unpack(bencher: Bencher<'_, '_>) {
        let png = page(HEIGHT, Change::None, Compression::Fast);
        let file = to_strips(&png).expect("the page is a PNG");
        (bencher.counter(BytesCount::new(PAGE_BYTES))).bench_local(|| unpack_strips(&file));
    }

    /// Matches the rows of a page with those of the same page pushed down.
    #[divan::bench]
    fn align_shifted(bencher: Bencher<'_, '_>) {
        let (baseline, current) = pages(Change::Shift);
        let loaded = Unaligned::load(&baseline, &current).expect("both pages are PNGs");
        assert_eq!(loaded.align(), 3, "one band was inserted");
        of_both(bencher).bench_local(|| loaded.align());
    }

    /// Finds and decides every difference.
    #[divan::bench]
    fn compare_text(bencher: Bencher<'_, '_>) {
        staged(bencher, Change::Text, |bencher, staged| {
            bencher.bench_local(|| staged.compare());
        });
    }

    /// Finds which blocks differ.
    #[divan::bench]
    fn find_text(bencher: Bencher<'_, '_>) {
        staged(bencher, Change::Text, |bencher, staged| {
            bencher.bench_local(|| staged.find());
        });
    }

    /// Finds which blocks differ, and the colour distances in them.
    #[divan::bench]
    fn color_delta_soft(bencher: Bencher<'_, '_>) {
        staged(bencher, Change::Soft, |bencher, staged| {
            bencher.bench_local(|| staged.color_delta());
        });
    }

    /// Tells smoothed edges from changes.
    #[divan::bench]
    fn antialias_soft(bencher: Bencher<'_, '_>) {
        staged(bencher, Change::Soft, |bencher, staged| {
            let bencher = bencher.with_inputs(|| staged.colored());
            bencher.bench_local_values(|mut found| (staged.antialias(&mut found), found));
        });
    }

    /// Sums up changed pixels by tiles.
    #[divan::bench]
    fn tiles_soft(bencher: Bencher<'_, '_>) {
        staged(bencher, Change::Soft, |bencher, staged| {
            let bencher = bencher.with_inputs(|| staged.colored());
            bencher.bench_local_values(|mut found| (staged.tiles(&mut found), found));
        });
    }

    /// The similarity of the windows that touch a difference.
    #[divan::bench]
    fn ssim_text(bencher: Bencher<'_, '_>) {
        staged(bencher, Change::Text, |bencher, staged| {
            bencher.bench_local(staged.ssim());
        });
    }

    /// The same of a page that differs at every edge of every letter.
    #[divan::bench]
    fn ssim_soft(bencher: Bencher<'_, '_>) {
        staged(bencher, Change::Soft, |bencher, staged| {
            bencher.bench_local(staged.ssim());
        });
    }

    /// Clusters tiles and says what became of each region.
    #[divan::bench]
    fn regions_soft(bencher: Bencher<'_, '_>) {
        staged(bencher, Change::Soft, |bencher, staged| {
            bencher.bench_local(|| staged.regions());
        });
    }

    /// The changed pixels as a PNG of one bit a pixel.
    #[divan::bench]
    fn mask_soft(bencher: Bencher<'_, '_>) {
        staged(bencher, Change::Soft, |bencher, staged| {
            bencher.bench_local(|| staged.mask_png());
        });
    }

    fn staged(
        bencher: Bencher<'_, '_>,
        change: Change,
        bench: impl FnOnce(Bencher<'_, '_>, &mut Staged<'_>),
    ) {
        let (baseline, current) = pages(change);
        let mut staged = Staged::decode(&baseline, &current).expect("both pages are PNGs");
        bench(of_both(bencher), &mut staged);
    }

    fn of_both<'a, 'b>(bencher: Bencher<'a, 'b>) -> Bencher<'a, 'b> {
        bencher.counter(BytesCount::new(2 * PAGE_BYTES))
    }

    fn pages(change: Change) -> (Vec<u8>, Vec<u8>) {
        (
            page(HEIGHT, Change::None, Compression::Fast),
            page(HEIGHT, change, Compression::Fast),
        )
    }
}

/// Byte-identical files, which are not decoded.
#[divan::bench(args = HEIGHTS)]
fn same_file(bencher: Bencher<'_, '_>, height: u32) {
    let png = page(height, Change::None, Compression::Fast);
    bencher.bench_local(|| {
        CPU.compare(&png, &png, &CompareOptions::default())
            .expect("the page is a PNG")
    });
}

#[divan::bench(args = HEIGHTS, sample_count = 10, sample_size = 1)]
fn list_thumbnail(bencher: Bencher<'_, '_>, height: u32) {
    let png = page(height, Change::None, Compression::Fast);
    bencher.bench_local(|| thumbnail(&png, 400, 300).expect("the page is a PNG"));
}

fn compare(bencher: Bencher<'_, '_>, comparator: Option<&Comparator>, height: u32, change: Change) {
    let Some(comparator) = comparator else { return };
    // Another compression, so that even identical pages differ as files.
    let (baseline, current) = (
        page(height, Change::None, Compression::Fast),
        page(height, change, Compression::Balanced),
    );
    let options = CompareOptions::default();
    bencher
        .counter(ItemsCount::new(WIDTH as usize * height as usize))
        .bench_local(|| {
            comparator
                .compare(&baseline, &current, &options)
                .expect("both pages are PNGs")
        });
}

/// A page of bars that look like text in two columns, as an RGB PNG.
fn page(height: u32, change: Change, compression: Compression) -> Vec<u8> {
    let pixel = |x: u32, y: u32| -> [u8; 3] {
        let y = match change {
            Change::Shift if y < BANNER => return [90, 40, (x / 5 + y / 3).to_le_bytes()[0]],
            Change::Shift => y - BANNER,
            _ => y,
        };
        let word = (x / 9).wrapping_mul(0x9e37_79b9) ^ (y / 20).wrapping_mul(0x85eb_ca6b);
        let ink =
            (60..1200).contains(&x) && y % 20 < 11 && word >> 28 > 4 && !(x ^ y).is_multiple_of(3);
        let edited = match change {
            Change::Soft if ink && x.is_multiple_of(9) => return [150, 150, 156],
            Change::None | Change::Shift | Change::Soft => false,
            Change::Text => (300..900).contains(&x) && (height / 2..height / 2 + 20).contains(&y),
            Change::Heavy => (x + y).is_multiple_of(2),
        };
        match (ink, edited) {
            (false, false) => [255, 255, 255],
            (true, false) => [40, 40, 48],
            (false, true) => [230, 200, 210],
            (true, true) => [150, 90, 48],
        }
    };
    let pixels: Vec<u8> = (0..height)
        .flat_map(|y| (0..WIDTH).flat_map(move |x| pixel(x, y)))
        .collect();
    let mut png = Cursor::new(Vec::new());
    let mut encoder = Encoder::new(&mut png, WIDTH, height);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(compression);
    let mut writer = encoder.write_header().expect("the size is valid");
    writer.write_image_data(&pixels).expect("the rows fit");
    writer.finish().expect("memory does not fail");
    png.into_inner()
}
