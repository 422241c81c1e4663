//! `pentimento diff`, as people and scripts call it: what it prints, what it writes, how it ends.

use std::path::{Path, PathBuf};
use std::process::Command;

use image::{DynamicImage, GenericImageView as _, GrayImage, Rgb, RgbImage};
use serde_json::{Value, json};
use tempfile::TempDir;

const WHITE: Rgb<u8> = Rgb([255; 3]);
const BLACK: Rgb<u8> = Rgb([0; 3]);

/// A folder to compare in.
struct Desk {
    folder: TempDir,
}

/// What one call gave.
struct Said {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Desk {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Saves as PNG whatever the name says.
    fn save(&self, name: &str, picture: &RgbImage) {
        self.write(name, &png(&DynamicImage::from(picture.clone())));
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    /// Runs `pentimento diff` in the folder.
    fn diff(&self, args: &[&str]) -> Said {
        let output = Command::new(env!("CARGO_BIN_EXE_pentimento"))
            .arg("diff")
            .args(args)
            .current_dir(self.folder.path())
            .output()
            .unwrap();
        Said {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    fn read(&self, name: &str) -> DynamicImage {
        image::open(self.path(name)).unwrap()
    }
}

impl Said {
    #[track_caller]
    fn ends_with(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}\n{}", self.stdout, self.stderr);
        self
    }

    #[track_caller]
    fn says(self, words: &[&str]) -> Self {
        for word in words {
            assert!(self.stdout.contains(word), "{word}: {}", self.stdout);
        }
        self
    }

    #[track_caller]
    fn complains(self, words: &[&str]) -> Self {
        for word in words {
            assert!(self.stderr.contains(word), "{word}: {}", self.stderr);
        }
        self
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", self.stdout))
    }
}

fn png(picture: &DynamicImage) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture
        .write_to(&mut bytes, image::ImageFormat::Png)
        .unwrap();
    bytes.into_inner()
}

fn page() -> RgbImage {
    RgbImage::from_pixel(60, 50, WHITE)
}

/// The page with a black box of 10×5 at 20,30.
fn edited() -> RgbImage {
    let mut page = page();
    for y in 30..35 {
        for x in 20..30 {
            page.put_pixel(x, y, BLACK);
        }
    }
    page
}

/// A desk with the page as `a.png` and the edited one as `b.png`.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.save("a.png", &page());
    desk.save("b.png", &edited());
    desk
}

#[test]
fn the_exit_status_tells_how_it_came_out() {
    let desk = desk();
    desk.diff(&["a.png", "a.png"])
        .ends_with(0)
        .says(&["Same: none of 3,000 pixels changed", "score 100.00"]);
    desk.diff(&["a.png", "b.png"]).ends_with(1).says(&[
        "Different: 50 of 3,000 pixels changed (1.67 %)",
        "Anti-aliased pixels: 0 (not counted)",
        "10×5 at 20,30",
    ]);
    desk.diff(&["a.png", "none.png"])
        .ends_with(2)
        .complains(&["cannot read none.png"]);
    desk.diff(&["a.png"]).ends_with(2);
}

#[test]
fn json_mirrors_the_comparison() {
    let desk = desk();
    let report = desk.diff(&["a.png", "b.png", "--json"]).ends_with(1).json();
    let size = json!({ "width": 60, "height": 50 });
    let area = json!({ "x": 20, "y": 30, "w": 10, "h": 5 });
    for (key, expected) in [
        ("baseline", json!("a.png")),
        ("current", json!("b.png")),
        ("same", json!(false)),
        ("baselineSize", size.clone()),
        ("currentSize", size),
        ("changedPixels", json!(50)),
        ("antiAliasedPixels", json!(0)),
        ("insertedPixels", json!(0)),
        ("removedPixels", json!(0)),
        ("unalignedPixels", Value::Null),
        ("unalignedPercentage", Value::Null),
        ("totalPixels", json!(3000)),
        ("backend", json!("cpu")),
    ] {
        assert_eq!(report.get(key), Some(&expected), "{key}: {report:#}");
    }
    let percentage = report["diffPercentage"].as_f64().unwrap();
    assert!(
        (percentage - 100.0 * 50.0 / 3000.0).abs() < 1e-9,
        "{percentage}"
    );
    for delta in ["meanDelta", "maxDelta"] {
        let delta = report[delta].as_f64().unwrap();
        assert!((delta - 0.933).abs() < 1e-3, "black on white: {delta}");
    }
    let score = report["score"].as_f64().unwrap();
    assert!((1.0..99.9).contains(&score), "{score}");
    let region = &report["regions"][0];
    assert_eq!(
        (&region["label"], &region["box"], &region["changedPixels"]),
        (&json!("A"), &area, &json!(50))
    );
    assert!(
        region["kind"].is_string() && region["currentBox"] == area,
        "{region:#}"
    );
    let layout = &report["layout"];
    assert_eq!(
        (&layout["width"], &layout["height"]),
        (&json!(60), &json!(50))
    );
    let band = &layout["lanes"][0]["bands"][0];
    assert_eq!(
        band,
        &json!({ "y": 0, "rows": 50, "baselineY": 0, "currentY": 0, "moved": null })
    );
    let same = desk.diff(&["a.png", "a.png", "--json"]).ends_with(0).json();
    assert_eq!(
        (&same["same"], &same["score"]),
        (&json!(true), &json!(100.0))
    );
}

#[test]
fn pictures_are_written_where_asked() {
    let desk = desk();
    desk.diff(&[
        "a.png",
        "b.png",
        "--mask",
        "mask.png",
        "--diff",
        "new/diff.png",
        "--side-by-side",
        "side.png",
    ])
    .ends_with(1)
    .says(&["Wrote mask.png.", "Wrote new/diff.png.", "Wrote side.png."]);
    let mask = desk.read("mask.png");
    assert_eq!(mask.dimensions(), (60, 50));
    let set = mask.pixels().filter(|(_, _, pixel)| pixel.0[3] == 255);
    assert_eq!(set.count(), 50);
    assert_eq!(mask.get_pixel(20, 30).0, [255; 4]);
    let diff = desk.read("new/diff.png");
    assert_eq!(diff.dimensions(), (60, 50));
    let [red, green, blue, _] = diff.get_pixel(25, 32).0;
    assert!(
        red > 200 && green < 50 && blue < 200,
        "the paint of changed pixels"
    );
    assert_eq!(desk.read("side.png").dimensions(), (3 * 60 + 2 * 16, 50));
}

#[test]
fn nothing_is_written_over_what_is_compared() {
    let desk = desk();
    let before = std::fs::read(desk.path("a.png")).unwrap();
    desk.diff(&["a.png", "b.png", "--diff", "./a.png"])
        .ends_with(2)
        .complains(&["a.png", "name another place"]);
    desk.diff(&["a.png", "b.png", "--diff", "c.png", "--mask", "c.png"])
        .ends_with(2)
        .complains(&["c.png", "its own place"]);
    assert_eq!(std::fs::read(desk.path("a.png")).unwrap(), before);
    assert!(!desk.path("c.png").exists());
    desk.save("old/x.png", &page());
    desk.save("new/x.png", &edited());
    for place in ["new/diffs", "old", "."] {
        desk.diff(&["old", "new", "--diff", place])
            .ends_with(2)
            .complains(&["name another place"]);
    }
    assert!(!desk.path("new/diffs").exists());
}

#[test]
fn areas_are_ignored() {
    let desk = desk();
    desk.diff(&["a.png", "b.png", "--ignore", "20,30,10,5"])
        .ends_with(0)
        .says(&["none of 2,950 pixels"]);
    let two = [
        "a.png",
        "b.png",
        "--ignore",
        "20,30,5,5",
        "--ignore",
        "25,30,4,5",
    ];
    desk.diff(&two).ends_with(1).says(&["5 of 2,955 pixels"]);
    for wrong in ["20,30,10", "20,30,0,5", "a,b,c,d"] {
        desk.diff(&["a.png", "b.png", "--ignore", wrong])
            .ends_with(2)
            .complains(&["--ignore", "x,y,width,height"]);
    }
}

#[test]
fn the_threshold_decides_what_a_change_is() {
    let desk = Desk::new();
    desk.save("a.png", &page());
    let mut faint = page();
    faint.put_pixel(7, 7, Rgb([245, 245, 245]));
    desk.save("b.png", &faint);
    desk.diff(&["a.png", "b.png"]).ends_with(0);
    desk.diff(&["a.png", "b.png", "--threshold", "0.01"])
        .ends_with(1);
    desk.diff(&["a.png", "b.png", "--threshold", "0"])
        .ends_with(1);
    for wrong in ["1.5", "-0.1", "NaN", "much"] {
        desk.diff(&["a.png", "b.png", &format!("--threshold={wrong}")])
            .ends_with(2)
            .complains(&["--threshold", "from 0 to 1"]);
    }
}

#[test]
fn the_ways_of_comparing_are_options() {
    let desk = desk();
    desk.diff(&["a.png", "b.png", "--include-aa"])
        .ends_with(1)
        .says(&["(counted as changed)"]);
    desk.diff(&["a.png", "b.png", "--backend", "auto"])
        .ends_with(1);
    desk.diff(&["a.png", "b.png", "--backend", "tpu"])
        .ends_with(2)
        .complains(&["tpu"]);
}

#[test]
fn rows_stay_in_place_when_alignment_is_off() {
    let desk = Desk::new();
    let striped = |from: u32| {
        RgbImage::from_fn(60, 80, |x, y| {
            let row = from + y;
            Rgb([row, row * 7 + x, row * 13].map(|value| value.to_le_bytes()[0]))
        })
    };
    desk.save("a.png", &striped(10));
    desk.save("b.png", &striped(0));
    let said = desk.diff(&["a.png", "b.png", "--no-align", "--json"]);
    let report = said.ends_with(1).json();
    assert_eq!(report["unalignedPixels"], Value::Null);
    assert_eq!(
        report["layout"],
        json!({
            "width": 60,
            "height": 80,
            "lanes": [{
                "x": 0,
                "width": 60,
                "bands": [{ "y": 0, "rows": 80, "baselineY": 0, "currentY": 0, "moved": null }],
            }],
        })
    );
}

#[test]
fn the_gpu_counts_the_same() {
    let desk = desk();
    let counted = |backend| {
        let report = desk.diff(&["a.png", "b.png", "--json", "--backend", backend]);
        let report = report.ends_with(1).json();
        assert_eq!(report["backend"], backend);
        (report["changedPixels"].clone(), report["regions"].clone())
    };
    assert_eq!(counted("gpu"), counted("cpu"));
}

#[test]
fn pictures_of_different_sizes_are_compared() {
    let desk = Desk::new();
    desk.save("a.png", &page());
    desk.save("b.png", &RgbImage::from_pixel(70, 50, WHITE));
    desk.diff(&["a.png", "b.png"])
        .ends_with(1)
        .says(&["The baseline is 60×50, the current picture 70×50 pixels."]);
}

#[test]
fn damaged_files_and_other_files_are_named() {
    let desk = desk();
    // Noise does not compress, so that half of the file is half of the picture.
    let noise = RgbImage::from_fn(60, 50, |x, y| {
        let value = (x * 7919 + y * 104_729 + x * y * 31).to_le_bytes();
        Rgb([value[0], value[1], value[0] ^ value[1]])
    });
    let whole = png(&DynamicImage::from(noise));
    desk.write("cut.png", &whole[..whole.len() / 2]);
    desk.write("empty.png", b"");
    desk.write("web.png", b"<!doctype html><title>404</title>");
    desk.write("head.png", &whole[..20]);
    for name in ["cut.png", "empty.png", "web.png", "head.png"] {
        for files in [[name, "a.png"], ["a.png", name], [name, name]] {
            let said = desk.diff(&files).ends_with(2).complains(&[name, "PNG"]);
            assert!(!said.stderr.contains("a.png"), "{}", said.stderr);
            assert_eq!(said.stdout, "");
        }
    }
    desk.diff(&["cut.png", "a.png"])
        .complains(&["damaged or cut short"]);
    desk.diff(&["a.png", "."])
        .ends_with(2)
        .complains(&[". is a folder and a.png is a file"]);
}

/// Writes raw samples in any of PNG's forms.
fn encoded(form: (png::ColorType, png::BitDepth), palette: &[u8], samples: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 16, 16);
    encoder.set_color(form.0);
    encoder.set_depth(form.1);
    if !palette.is_empty() {
        encoder.set_palette(palette.to_vec());
    }
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(samples).unwrap();
    writer.finish().unwrap();
    bytes
}

/// An interlaced picture of 16×16 grey pixels of one value: the rows of the seven passes, each with
/// its filter byte, in a chunk that we write ourselves, since no encoder at hand interlaces.
fn interlaced(grey: u8) -> Vec<u8> {
    let passes = [(2, 2), (2, 2), (4, 2), (4, 4), (8, 4), (8, 8), (16, 8)];
    let mut raw = Vec::new();
    for (width, height) in passes {
        for _ in 0..height {
            raw.push(0);
            raw.extend(std::iter::repeat_n(grey, width));
        }
    }
    let mut data = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut data, &raw).unwrap();
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, data) in [
        (b"IHDR", vec![0, 0, 0, 16, 0, 0, 0, 16, 8, 0, 0, 0, 1]),
        (b"IDAT", data.finish().unwrap()),
        (b"IEND", Vec::new()),
    ] {
        let mut crc = flate2::Crc::new();
        crc.update(name);
        crc.update(&data);
        bytes.extend(u32::try_from(data.len()).unwrap().to_be_bytes());
        bytes.extend(name);
        bytes.extend(data);
        bytes.extend(crc.sum().to_be_bytes());
    }
    bytes
}

#[test]
fn every_form_of_png_is_read() {
    use png::BitDepth::{Eight, Four, One, Sixteen, Two};
    use png::ColorType::{Grayscale, GrayscaleAlpha, Indexed, Rgb, Rgba};
    const WHITE_AND_BLACK: &[u8] = &[255, 255, 255, 0, 0, 0];
    let desk = Desk::new();
    desk.write(
        "white.png",
        &png(&DynamicImage::from(GrayImage::from_pixel(
            16,
            16,
            image::Luma([255]),
        ))),
    );
    let forms = [
        ("grey 1", Grayscale, One, 2, 0xff),
        ("grey 2", Grayscale, Two, 4, 0xff),
        ("grey 4", Grayscale, Four, 8, 0xff),
        ("grey 8", Grayscale, Eight, 16, 0xff),
        ("grey 16", Grayscale, Sixteen, 32, 0xff),
        ("grey and alpha 8", GrayscaleAlpha, Eight, 32, 0xff),
        ("grey and alpha 16", GrayscaleAlpha, Sixteen, 64, 0xff),
        ("rgb 8", Rgb, Eight, 48, 0xff),
        ("rgb 16", Rgb, Sixteen, 96, 0xff),
        ("rgba 8", Rgba, Eight, 64, 0xff),
        ("rgba 16", Rgba, Sixteen, 128, 0xff),
        ("palette 1", Indexed, One, 2, 0),
        ("palette 2", Indexed, Two, 4, 0),
        ("palette 4", Indexed, Four, 8, 0),
        ("palette 8", Indexed, Eight, 16, 0),
    ];
    let check = |name: &str, white: &[u8], edited: &[u8], changed: u64| {
        desk.write("form.png", white);
        let same = desk.diff(&["white.png", "form.png", "--json"]);
        assert_eq!(same.code, Some(0), "{name}: {}", same.stderr);
        desk.write("form.png", edited);
        let different = desk.diff(&["white.png", "form.png", "--json"]).ends_with(1);
        assert_eq!(different.json()["changedPixels"], changed, "{name}");
    };
    for (name, color, depth, stride, white) in forms {
        let palette = if color == Indexed {
            WHITE_AND_BLACK
        } else {
            &[]
        };
        let form = |samples: &[u8]| encoded((color, depth), palette, samples);
        let mut samples = vec![white; stride * 16];
        let page = form(&samples);
        // The first sample's row turns black, but stays opaque.
        for (index, sample) in samples[..stride].iter_mut().enumerate() {
            let pixel_bytes = (stride / 16).max(1);
            let sample_bytes = if depth == Sixteen { 2 } else { 1 };
            let has_alpha = matches!(color, GrayscaleAlpha | Rgba);
            let is_alpha = has_alpha && index % pixel_bytes >= pixel_bytes - sample_bytes;
            *sample = match (color, depth, is_alpha) {
                (Indexed, Eight, _) => 1,
                (Indexed, Four, _) => 0x11,
                (Indexed, Two, _) => 0x55,
                (Indexed, _, _) | (_, _, true) => 0xff,
                _ => 0,
            };
        }
        check(name, &page, &form(&samples), 16);
    }
    check("interlaced", &interlaced(255), &interlaced(0), 256);
}

/// Two folders: `same`, `little`, `much`, `deep/er/little`, one only in each, one cut short, and a
/// file that is no page.
fn folders() -> Desk {
    let desk = Desk::new();
    let mut little = page();
    little.put_pixel(3, 3, BLACK);
    for (name, before, after) in [
        ("same.png", page(), page()),
        ("little.png", page(), little.clone()),
        ("much.PNG", page(), edited()),
        ("deep/er/little.png", page(), little),
    ] {
        desk.save(&format!("old/{name}"), &before);
        desk.save(&format!("new/{name}"), &after);
    }
    desk.save("old/gone.png", &page());
    desk.save("new/fresh.png", &page());
    desk.write("old/notes.txt", b"no picture");
    desk
}

fn statuses(report: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let pages = report["pages"].as_array().unwrap();
    pages
        .iter()
        .map(|page| (text(&page["name"]), text(&page["status"])))
        .collect()
}

#[test]
fn folders_are_compared_page_by_page() {
    let desk = folders();
    let report = desk.diff(&["old", "new", "--json"]).ends_with(1).json();
    let expected = [
        ("deep/er/little.png", "changed"),
        ("fresh.png", "added"),
        ("gone.png", "removed"),
        ("little.png", "changed"),
        ("much.PNG", "changed"),
        ("same.png", "same"),
    ];
    assert_eq!(
        statuses(&report),
        expected.map(|(name, status)| (name.to_owned(), status.to_owned()))
    );
    assert_eq!(
        report["summary"],
        json!({ "pages": 6, "same": 1, "changed": 3, "added": 1, "removed": 1, "errors": 0 })
    );
    let pages = report["pages"].as_array().unwrap();
    assert_eq!(pages[4]["comparison"]["changedPixels"], 50);
    assert_eq!(pages[1].get("comparison"), None);

    let said = desk.diff(&["old", "new"]).ends_with(1);
    let said = said.says(&["6 pages: 1 the same, 3 changed, 1 added, 1 removed."]);
    let lines: Vec<&str> = said.stdout.lines().collect();
    let names: Vec<&str> = (lines.iter())
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(
        names[..6],
        [
            "page",
            "gone.png",
            "fresh.png",
            "much.PNG",
            "deep/er/little.png",
            "little.png"
        ],
        "worst first: {}",
        said.stdout
    );
    assert!(!said.stdout.contains("same.png"), "{}", said.stdout);
    said.complains(&["compared 6 of 6 pages"]);
}

#[test]
fn a_page_that_cannot_be_compared_does_not_stop_the_others() {
    let desk = folders();
    let whole = png(&DynamicImage::from(edited()));
    desk.write("new/same.png", &whole[..whole.len() - 30]);
    desk.write("new/little.png", b"not a picture");
    let report = desk.diff(&["old", "new", "--json"]).ends_with(2).json();
    assert_eq!(report["summary"]["errors"], 2);
    assert_eq!(report["summary"]["changed"], 2);
    for name in ["same.png", "little.png"] {
        let pages = report["pages"].as_array().unwrap();
        let page = pages.iter().find(|page| page["name"] == name).unwrap();
        assert_eq!(page["status"], "error");
        let path = Path::new("new").join(name);
        let error = page["error"].as_str().unwrap();
        assert!(error.contains(path.to_str().unwrap()), "{error}");
    }
    desk.diff(&["old", "new"])
        .ends_with(2)
        .says(&["error: new/same.png", "2 not comparable"]);
}

#[test]
fn folders_of_pictures_are_written_for_pages_that_differ() {
    let desk = folders();
    desk.diff(&[
        "old",
        "new",
        "--mask",
        "masks",
        "--diff",
        "diffs",
        "--side-by-side",
        "sides",
    ])
    .ends_with(1);
    for folder in ["masks", "diffs", "sides"] {
        for name in ["little.png", "much.PNG", "deep/er/little.png"] {
            let bytes = std::fs::read(desk.path(folder).join(name)).unwrap();
            let picture = image::load_from_memory(&bytes).unwrap();
            assert_eq!(picture.height(), 50, "{folder}/{name}");
        }
        for name in ["same.png", "gone.png", "fresh.png"] {
            assert!(!desk.path(folder).join(name).exists(), "{folder}/{name}");
        }
    }
}

#[test]
fn equal_folders_are_the_same_and_empty_ones_an_error() {
    let desk = folders();
    desk.diff(&["old", "old"])
        .ends_with(0)
        .says(&["5 pages: 5 the same."]);
    std::fs::create_dir_all(desk.path("empty")).unwrap();
    desk.diff(&["empty", "empty"])
        .ends_with(2)
        .complains(&["ends in .png"]);
}

#[cfg(unix)]
#[test]
fn links_lead_to_files_but_not_in_circles() {
    let desk = folders();
    std::os::unix::fs::symlink("../old", desk.path("old/circle")).unwrap();
    std::os::unix::fs::symlink("same.png", desk.path("old/link.png")).unwrap();
    let report = desk.diff(&["old", "old", "--json"]).ends_with(0).json();
    let names: Vec<String> = (statuses(&report).into_iter())
        .map(|(name, _)| name)
        .collect();
    assert_eq!(
        names,
        [
            "deep/er/little.png",
            "gone.png",
            "link.png",
            "little.png",
            "much.PNG",
            "same.png"
        ]
    );
}
