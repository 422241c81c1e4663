//! Compares one pair of a tall page (1280×30000, drawn here) and prints the process' peak memory.
//!
//! Without arguments it starts itself once for each case and form, prints a table, and fails when a peak is beyond the bound.
//! Cases are `same` (in other files), `edit`, `shift`, `full`, `aside` (all of it went a few columns to the right) and `bar` (all but
//! a side bar went down). Forms are `png`, `rgba` (a PNG with an alpha channel that says nothing, as some tools write them),
//! `interlaced` (the same, all of whose rows come last) and `strips` of lines of text; and `noise` and `noise-strips`, whose files are
//! as long as their pixels; three that are `translucent`, whose pixels take four bytes; three that are `long`, of noise and 62,000
//! rows; and three whose pages of text are `drawn` side by side after comparing.

use std::fs::File;
use std::io::Write;
use std::process::{Command, ExitCode};

use flate2::write::ZlibEncoder;
use pentimento_compute::{
    BackendChoice, Comparator, CompareOptions, DiskFile, Drawing, Picture, PictureFile, to_strips,
};
use png::{BitDepth, ColorType, Compression, Encoder};

const WIDTH: u32 = 1280;
const HEIGHT: u32 = 30_000;

/// What a page shows at a place.
type Pixel = fn(u32, u32) -> [u8; 4];

/// Rows of the longest page of this width that is accepted, about.
const LONG_HEIGHT: u32 = 62_000;

/// Both pages in full take 230 MB as RGB, and 307 as RGBA.
const MAX_PEAK_MB: u64 = 300;

/// Both long pages in full take 476 MB as RGB, and 635 as RGBA.
const MAX_LONG_PEAK_MB: u64 = 330;

const CASES: [&str; 6] = ["same", "edit", "shift", "full", "aside", "bar"];
const FORMS: [&str; 15] = [
    "png",
    "rgba",
    "interlaced",
    "strips",
    "noise",
    "noise-strips",
    "translucent",
    "translucent-interlaced",
    "translucent-strips",
    "long",
    "long-strips",
    "long-translucent",
    "drawn",
    "drawn-strips",
    "drawn-long",
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => table(),
        ["draw", case, form, path] => {
            std::fs::write(path, file(case, form)).expect("the folder can be written");
            ExitCode::SUCCESS
        }
        [form, baseline, current] => {
            let (baseline, current) = (open(baseline), open(current));
            let (baseline, current) = (picture(form, &baseline), picture(form, &current));
            let comparator = Comparator::new(BackendChoice::Cpu).expect("the CPU needs nothing");
            let options = CompareOptions::default();
            let result = if form.starts_with("drawn") {
                let compared = comparator.compare_to_draw(baseline, current, &options);
                let mut compared = compared.expect("both files are good");
                let drawn = compared.draw(Drawing::SideBySide);
                drawn.expect("they are whole");
                compared.comparison
            } else {
                let compared = comparator.compare(baseline, current, &options);
                compared.expect("both files are good")
            };
            println!(
                "{} {} {}",
                peak_mb(),
                result.changed_pixels,
                result.layout.lanes[0].bands.len()
            );
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("usage: peak_memory");
            ExitCode::FAILURE
        }
    }
}

/// Files are drawn and compared by processes of their own, so that drawing does not count.
fn table() -> ExitCode {
    let folder = std::env::temp_dir().join(format!("pentimento-memory-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder can be written");
    let run = |arguments: &[&str]| {
        let program = std::env::current_exe().expect("this program has a path");
        let output = Command::new(program)
            .args(arguments)
            .output()
            .expect("this program can be started");
        assert!(output.status.success(), "{arguments:?} failed");
        String::from_utf8(output.stdout).expect("it prints text")
    };
    let mut beyond = Vec::new();
    println!("case    form                    peak MB   changed pixels   bands");
    for form in FORMS {
        let path = |case: &str| {
            let path = folder.join(format!("{case}.{form}"));
            path.to_str().expect("the folder's name is text").to_owned()
        };
        run(&["draw", "base", form, &path("base")]);
        for case in CASES {
            run(&["draw", case, form, &path(case)]);
            let answer = run(&[form, &path("base"), &path(case)]);
            let numbers: Vec<u64> = answer
                .split_whitespace()
                .map(|number| number.parse().expect("numbers are printed"))
                .collect();
            let [peak, changed, bands] = numbers[..] else {
                panic!("not three numbers: {answer}")
            };
            println!("{case:<8}{form:<24}{peak:>7}{changed:>17}{bands:>8}");
            let most = match form {
                "long" | "long-strips" | "long-translucent" | "drawn-long" => MAX_LONG_PEAK_MB,
                _ => MAX_PEAK_MB,
            };
            if peak > most {
                beyond.push(format!("{case} {form}: {peak} MB are more than {most}"));
            }
        }
    }
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
    if beyond.is_empty() {
        return ExitCode::SUCCESS;
    }
    eprintln!("{}", beyond.join("\n"));
    ExitCode::FAILURE
}

/// The most memory this process had at once, as Linux counts it.
fn peak_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("this is Linux");
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .expect("Linux counts the peak");
    let kilobytes = line.trim().trim_end_matches(" kB").parse::<u64>();
    kilobytes.expect("it is a number") * 1024 / 1_000_000
}

/// As the program opens them: long files are read piece by piece.
fn open(path: &str) -> PictureFile {
    let open = || {
        let file = File::open(path)?;
        let about = file.metadata()?;
        if PictureFile::stays_on_disk(&about) {
            return Ok(PictureFile::Disk(DiskFile::new(file, about.len())));
        }
        Ok(PictureFile::Memory(std::fs::read(path)?))
    };
    open().unwrap_or_else(|error: std::io::Error| panic!("{path}: {error}"))
}

fn picture<'a>(form: &str, file: &'a PictureFile) -> Picture<'a> {
    if form.ends_with("strips") {
        Picture::strips(file)
    } else {
        Picture::png(file)
    }
}

fn file(case: &str, form: &str) -> Vec<u8> {
    match form {
        "png" | "drawn" => page(case, ColorType::Rgb, text, HEIGHT),
        "rgba" => page(case, ColorType::Rgba, text, HEIGHT),
        "interlaced" => interlaced(case, text),
        "strips" | "drawn-strips" => stored(&page(case, ColorType::Rgb, text, HEIGHT)),
        "noise" => page(case, ColorType::Rgb, noise, HEIGHT),
        "noise-strips" => stored(&page(case, ColorType::Rgb, noise, HEIGHT)),
        "translucent-interlaced" => interlaced(case, noise),
        "translucent-strips" => stored(&page(case, ColorType::Rgba, noise, HEIGHT)),
        "long" => page(case, ColorType::Rgb, noise, LONG_HEIGHT),
        "drawn-long" => page(case, ColorType::Rgb, text, LONG_HEIGHT),
        "long-translucent" => page(case, ColorType::Rgba, noise, LONG_HEIGHT),
        "long-strips" => stored(&page(case, ColorType::Rgb, noise, LONG_HEIGHT)),
        _ => page(case, ColorType::Rgba, noise, HEIGHT),
    }
}

fn stored(png: &[u8]) -> Vec<u8> {
    to_strips(png).expect("it is a good picture")
}

/// A page that changed as the case says.
fn page(case: &str, color: ColorType, pixel: Pixel, height: u32) -> Vec<u8> {
    let mut png = Vec::new();
    let mut encoder = Encoder::new(&mut png, WIDTH, height);
    encoder.set_color(color);
    encoder.set_depth(BitDepth::Eight);
    // Another compression, so that equal pages differ as files.
    encoder.set_compression(if case == "base" {
        Compression::Fast
    } else {
        Compression::Balanced
    });
    let pixels: Vec<u8> = (0..height)
        .flat_map(|y| (0..WIDTH).map(move |x| changed(case, pixel, x, y)))
        .flat_map(|rgba| rgba.into_iter().take(color.samples()))
        .collect();
    let mut writer = encoder.write_header().expect("the size is valid");
    writer.write_image_data(&pixels).expect("the rows fit");
    writer.finish().expect("memory does not fail");
    png
}

/// The same page in RGBA whose rows come in seven passes (PNG specification, third edition, section 8.1), which the `png` crate
/// does not write.
fn interlaced(case: &str, pixel: Pixel) -> Vec<u8> {
    const PASSES: [[u32; 4]; 7] = [
        [0, 0, 8, 8],
        [4, 0, 8, 8],
        [0, 4, 4, 8],
        [2, 0, 4, 4],
        [0, 2, 2, 4],
        [1, 0, 2, 2],
        [0, 1, 1, 2],
    ];
    let level = flate2::Compression::new(if case == "base" { 1 } else { 6 });
    let mut rows = ZlibEncoder::new(Vec::new(), level);
    for [left, top, across, down] in PASSES {
        for y in (top..HEIGHT).step_by(down as usize) {
            let mut row = vec![0];
            for x in (left..WIDTH).step_by(across as usize) {
                row.extend(changed(case, pixel, x, y));
            }
            rows.write_all(&row).expect("memory does not fail");
        }
    }
    let rows = rows.finish().expect("memory does not fail");
    let mut header = [WIDTH, HEIGHT].map(u32::to_be_bytes).concat();
    header.extend([8, 6, 0, 0, 1]);
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, contents) in [(b"IHDR", header), (b"IDAT", rows), (b"IEND", Vec::new())] {
        let mut checksum = flate2::Crc::new();
        checksum.update(name);
        checksum.update(&contents);
        let length = u32::try_from(contents.len()).expect("a page's rows fit a chunk");
        png.extend(length.to_be_bytes());
        png.extend(name);
        png.extend(&contents);
        png.extend(checksum.sum().to_be_bytes());
    }
    png
}

fn changed(case: &str, pixel: Pixel, x: u32, y: u32) -> [u8; 4] {
    match case {
        "edit" if (300..900).contains(&x) && (15_000..15_020).contains(&y) => [230, 200, 210, 255],
        // A banner of 300 rows near the top.
        "shift" if (100..400).contains(&y) => [(y / 3).to_le_bytes()[0], 90, 160, 255],
        "shift" if y >= 400 => pixel(x, y - 300),
        "aside" => pixel(x.saturating_sub(7), y),
        // It is no whole number of cells wide.
        "bar" if x >= 200 => pixel(x, y.wrapping_sub(300)),
        "full" => {
            let [red, green, blue, alpha] = pixel(x, y);
            [255 - red, 255 - green, 255 - blue, alpha]
        }
        _ => pixel(x, y),
    }
}

/// Lines of text in which hardly two rows are alike.
fn text(x: u32, y: u32) -> [u8; 4] {
    let ink = (60..1200).contains(&x)
        && y % 20 < 11
        && mix(x / 9, y / 20) >> 28 > 4
        && mix(x / 3, y) >> 30 > 0;
    if ink { [40, 40, 48, 255] } else { [255; 4] }
}

/// Pixels of which hardly two are alike, between blank margins.
fn noise(x: u32, y: u32) -> [u8; 4] {
    if (40..WIDTH - 40).contains(&x) {
        mix(x ^ mix(y, x), y).to_be_bytes()
    } else {
        [255; 4]
    }
}

fn mix(at: u32, row: u32) -> u32 {
    (at.wrapping_mul(0x9e37_79b9) ^ row.wrapping_mul(0x85eb_ca6b)).wrapping_mul(0xc2b2_ae35)
}
