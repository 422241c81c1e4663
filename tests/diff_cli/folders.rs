//! `pentimento diff` on two folders, page by page.

use super::*;

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
    said.complains(&["compared 0 of 6 pages", "compared 6 of 6 pages"]);
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

#[test]
fn every_name_that_ends_in_png_is_a_page_and_names_are_told_apart() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let desk = Desk::new();
    for folder in ["old", "new"] {
        desk.save(&format!("{folder}/.png"), &page());
        for name in [&b"x\xff.png"[..], b"x\xfe.png", b"x\\xff.png"] {
            let place = desk.path(folder).join(OsStr::from_bytes(name));
            std::fs::copy(desk.path(&format!("{folder}/.png")), place).unwrap();
        }
    }
    let report = desk.diff(&["old", "new", "--json"]).ends_with(0).json();
    let names: Vec<String> = statuses(&report).into_iter().map(|page| page.0).collect();
    assert_eq!(names, [".png", "x\\x5cxff.png", "x\\xfe.png", "x\\xff.png"]);
}

#[test]
fn results_are_there_when_nobody_reads_the_progress() {
    let desk = folders();
    for args in [&["old", "new"][..], &["old", "none"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
        let mut program = Command::new(env!("CARGO_BIN_EXE_pentimento"));
        program.arg("diff").args(args);
        let output = program
            .current_dir(desk.path(""))
            .stderr(full.unwrap())
            .output()
            .unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        if args[1] == "new" {
            assert_eq!(output.status.code(), Some(1));
            assert!(said.contains("6 pages: 1 the same, 3 changed"), "{said}");
        } else {
            assert_eq!(output.status.code(), Some(2));
        }
    }
}
