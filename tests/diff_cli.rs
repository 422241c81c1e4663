//! `pentimento diff`, as people and scripts call it: what it prints, what it writes, how it ends.

mod by_itself; // the program that only compares
mod folders; // two folders of pages
mod forms; // every form that a PNG may have
mod long_files; // files that are read piece by piece
mod outputs; // the pictures that it writes, and where it may not

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
#[derive(Debug, PartialEq, Eq)]
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
        self.run(
            Command::new(env!("CARGO_BIN_EXE_pentimento"))
                .arg("diff")
                .args(args),
        )
    }

    fn run(&self, command: &mut Command) -> Said {
        let output = command.current_dir(self.folder.path()).output().unwrap();
        Said {
            code: output.status.code(),
            // It may be a picture.
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
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
fn a_pipe_among_the_pages_is_no_page() {
    let desk = desk();
    desk.save("old/x.png", &page());
    desk.save("new/x.png", &page());
    let made = Command::new("mkfifo").arg(desk.path("new/y.png")).status();
    assert!(made.unwrap().success());
    desk.diff(&["old", "new"]).ends_with(0);
}

#[test]
fn areas_are_ignored() {
    let all = desk().diff(&["a.png", "b.png", "--ignore", "0,0,99,99"]);
    all.ends_with(0)
        .says(&["every pixel is ignored, so nothing was compared"]);
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
fn a_score_that_is_hardly_lower_is_told_from_that_of_the_same_picture() {
    let desk = Desk::new();
    let mut page = RgbImage::from_pixel(600, 500, Rgb([128; 3]));
    desk.save("a.png", &page);
    page.put_pixel(300, 250, Rgb([136; 3]));
    desk.save("b.png", &page);
    let said = desk.diff(&["a.png", "b.png", "--threshold", "0"]);
    said.ends_with(1).says(&["score 99.99"]);
}

#[test]
fn numbers_below_zero_are_refused_as_what_they_are() {
    let desk = desk();
    desk.diff(&["a.png", "b.png", "--threshold", "-0.1"])
        .ends_with(2)
        .complains(&["a number from 0 to 1 is wanted"]);
    desk.diff(&["a.png", "b.png", "--ignore", "-5,0,1,1"])
        .ends_with(2)
        .complains(&["-5,0,1,1", "--ignore"]);
}

#[test]
fn the_ways_of_comparing_are_options() {
    let desk = desk();
    desk.diff(&["a.png", "b.png", "--include-aa"])
        .ends_with(1)
        .says(&["Anti-aliased pixels are counted as changed."]);
    let auto = desk
        .diff(&["a.png", "b.png", "--backend", "auto"])
        .ends_with(1);
    let on_cpu = auto.stdout.contains("compared on the CPU");
    assert_eq!(auto.stderr.contains("note: compared on the CPU: "), on_cpu);
    let cpu = desk.diff(&["a.png", "b.png"]);
    assert_eq!(cpu.stderr, "", "nothing else was asked for");
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
    // Header and end, and nothing between: also beside its own copy.
    let bare = [&whole[..33], &whole[whole.len() - 12..]].concat();
    desk.write("bare.png", &bare);
    desk.diff(&["bare.png", "bare.png"])
        .ends_with(2)
        .complains(&["bare.png", "damaged or cut short"]);
    desk.diff(&["cut.png", "a.png"])
        .complains(&["damaged or cut short"]);
    desk.diff(&["a.png", "."])
        .ends_with(2)
        .complains(&[". is a folder and a.png is a file"]);
}
