//! The pictures that `pentimento diff` writes, and the places where it may not.

use std::os::unix::fs::symlink;
use std::process::Stdio;

use super::*;

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
    // A folder that is not there yet hides that both are one.
    desk.diff(&["a.png", "b.png", "--diff", "c.png", "--mask", "x/../c.png"])
        .ends_with(2)
        .complains(&["c.png", "its own place"]);
    // The standard output has another name, and a file of that name too.
    for output in ["--mask", "--diff", "--side-by-side"] {
        desk.diff(&["a.png", "b.png", output, "-"])
            .ends_with(2)
            .complains(&["/dev/stdout", "./-"]);
    }
    assert!(!desk.path("-").exists());
    assert_eq!(std::fs::read(desk.path("a.png")).unwrap(), before);
    assert!(!desk.path("c.png").exists());
    desk.save("old/x.png", &page());
    desk.save("new/x.png", &edited());
    for place in ["new/diffs", "nowhere/../new/diffs", "old", "."] {
        desk.diff(&["old", "new", "--diff", place])
            .ends_with(2)
            .complains(&["name another place"]);
    }
    assert!(!desk.path("new/diffs").exists());
    desk.diff(&["old", "new", "--mask", "out", "--diff", "out/diffs"])
        .ends_with(2)
        .complains(&["out/diffs lies in out", "its own place"]);
    assert!(!desk.path("out").exists());
}

#[test]
fn no_link_and_no_way_round_leads_over_what_is_compared() {
    let desk = desk();
    let before = std::fs::read(desk.path("a.png")).unwrap();
    // A folder that is not there yet hides where the way leads.
    desk.diff(&["a.png", "b.png", "--diff", "out/../a.png"])
        .ends_with(2)
        .complains(&["a.png", "name another place"]);
    // A page that is a link, and the folder that it leads to.
    std::fs::create_dir(desk.path("old")).unwrap();
    desk.save("pool/x.png", &page());
    symlink("../pool/x.png", desk.path("old/x.png")).unwrap();
    desk.save("new/x.png", &edited());
    let pooled = std::fs::read(desk.path("pool/x.png")).unwrap();
    desk.diff(&["old", "new", "--diff", "pool"])
        .ends_with(2)
        .says(&["x.png", "name another place"]);
    assert_eq!(std::fs::read(desk.path("pool/x.png")).unwrap(), pooled);
    // The same where another page has the name of what a page leads to.
    desk.save("twins/a.png", &page());
    desk.save("twins/b.png", &page());
    desk.save("store/b.png", &edited());
    std::fs::create_dir(desk.path("links")).unwrap();
    symlink("../store/b.png", desk.path("links/a.png")).unwrap();
    desk.save("links/b.png", &edited());
    let stored = std::fs::read(desk.path("store/b.png")).unwrap();
    desk.diff(&["twins", "links", "--diff", "store"])
        .ends_with(2)
        .says(&["store/b.png", "name another place"]);
    assert_eq!(std::fs::read(desk.path("store/b.png")).unwrap(), stored);
    // A folder among the outputs that leads back into what is compared, to another page.
    desk.save("new/sub/x.png", &edited());
    desk.save("old/sub/x.png", &page());
    desk.save("old/other/x.png", &page());
    let other = std::fs::read(desk.path("old/other/x.png")).unwrap();
    std::fs::create_dir(desk.path("diffs")).unwrap();
    symlink("../old/other", desk.path("diffs/sub")).unwrap();
    desk.diff(&["old", "new", "--diff", "diffs"])
        .ends_with(2)
        .says(&["diffs/sub/x.png", "name another place"]);
    assert_eq!(std::fs::read(desk.path("old/other/x.png")).unwrap(), other);
    // A link to it, and what is the same file by another name: that one is replaced, not written through.
    std::fs::create_dir(desk.path("masks")).unwrap();
    symlink("../a.png", desk.path("masks/linked.png")).unwrap();
    desk.diff(&["a.png", "b.png", "--mask", "masks/linked.png"])
        .ends_with(2)
        .complains(&["name another place"]);
    std::fs::hard_link(desk.path("a.png"), desk.path("masks/same.png")).unwrap();
    desk.diff(&["a.png", "b.png", "--mask", "masks/same.png"])
        .ends_with(1);
    assert_eq!(std::fs::read(desk.path("a.png")).unwrap(), before);
    assert_ne!(std::fs::read(desk.path("masks/same.png")).unwrap(), before);
    desk.diff(&["a.png", "b.png", "--mask", "/dev/null"])
        .ends_with(1);
    assert!(!std::path::Path::new("/dev/null").is_file());
}

#[test]
fn a_picture_on_the_standard_output_is_alone_there() {
    let desk = desk();
    let said = desk.diff(&["a.png", "b.png", "--mask", "/dev/stdout"]);
    assert!(said.stdout.starts_with("\u{FFFD}PNG"), "{}", said.stdout);
    assert!(!said.stdout.contains("Different"), "{}", said.stdout);
    said.ends_with(1).complains(&["Different: 50 of"]);
    let said = desk.diff(&["a.png", "b.png", "--json", "--diff", "/dev/stdout"]);
    assert_eq!(said.stdout, "");
    said.ends_with(2)
        .complains(&["name a file for the picture"]);
}

#[test]
fn whoever_takes_no_picture_has_seen_enough() {
    let desk = desk();
    let mut program = Command::new(env!("CARGO_BIN_EXE_pentimento"));
    program.args(["diff", "a.png", "b.png", "--mask", "/dev/stdout"]);
    let (out, said) = (Stdio::piped(), Stdio::piped());
    let mut program = (program.current_dir(desk.path("")).stdout(out).stderr(said))
        .spawn()
        .unwrap();
    drop(program.stdout.take());
    let output = program.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("Different: 50 of"), "{said}");
}

#[test]
fn no_link_to_what_is_open_is_replaced() {
    let desk = desk();
    desk.write("open.txt", b"open");
    let program = || {
        let mut program = Command::new(env!("CARGO_BIN_EXE_pentimento"));
        program.args(["diff", "a.png", "b.png", "--mask", "/proc/self/fd/0"]);
        program
    };
    let open = std::fs::File::open(desk.path("open.txt")).unwrap();
    desk.run(program().stdin(open))
        .ends_with(2)
        .complains(&["/proc/self/fd/0", "name the file itself"]);
    assert_eq!(std::fs::read(desk.path("open.txt")).unwrap(), b"open");
}

#[test]
fn pictures_that_cannot_be_written_are_told_with_what_was_found() {
    let desk = desk();
    desk.save("old/x.png", &page());
    desk.save("new/x.png", &edited());
    // A file where a folder is wanted is noticed before anything is compared.
    let said = desk.diff(&["old", "new", "--diff", "a.png/diffs"]);
    assert_eq!(said.stdout, "");
    said.ends_with(2)
        .complains(&["cannot write into a.png/diffs"]);
    // A folder where a picture is wanted.
    std::fs::create_dir_all(desk.path("diffs/x.png")).unwrap();
    let said = desk.diff(&["old", "new", "--diff", "diffs", "--json"]);
    let report = said.ends_with(2).json();
    let page = &report["pages"][0];
    assert_eq!(page["status"], "error");
    assert!(page["error"].as_str().unwrap().contains("diffs/x.png"));
    assert_eq!(page["comparison"]["changedPixels"], 50);
    // The same with files.
    let said = desk.diff(&["a.png", "b.png", "--mask", "old"]);
    said.ends_with(2)
        .says(&["Different: 50 of"])
        .complains(&["cannot write old: "]);
    let said = desk.diff(&["a.png", "b.png", "--mask", "old", "--json"]);
    assert_eq!(said.ends_with(2).json()["changedPixels"], 50);
}
