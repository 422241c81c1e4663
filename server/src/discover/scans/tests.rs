//! Scans: what they let through, and how long they may take.

use std::time::Duration;

use pentimento_api::crawl::ScanOptions;

use super::*;

fn scan(pattern: &str, limit: Option<u32>, exclude: &[&str]) -> Scan {
    Scan {
        pattern: pattern.to_owned(),
        options: Some(ScanOptions {
            limit,
            exclude: Some(exclude.iter().map(|&glob| glob.to_owned()).collect()),
            ..ScanOptions::default()
        }),
    }
}

fn in_time() -> Instant {
    Instant::now() + Duration::from_mins(5)
}

#[test]
fn scans_filter_limit_and_exclude() {
    let paths = ["/", "/docs/a", "/docs/b", "/docs/deep/c", "/blog/x?page=2"].map(Arc::from);
    for (scan, expected) in [
        (scan("/docs/*", None, &[]), vec!["/docs/a", "/docs/b"]),
        (scan("/docs/**", Some(2), &[]), vec!["/docs/a", "/docs/b"]),
        (
            scan("/docs/**", Some(1), &["/docs/a", "/docs/b"]),
            vec!["/docs/deep/c"],
        ),
        (scan("/blog/*", None, &[]), vec!["/blog/x?page=2"]),
        (scan("/shop/**", None, &[]), vec![]),
        (scan("/**", None, &["/**"]), vec![]),
    ] {
        let scans = std::slice::from_ref(&scan);
        let chosen = apply(scans, &paths, in_time()).unwrap();
        let found: Vec<&str> = chosen.pages.iter().map(|(path, _)| &**path).collect();
        assert_eq!(found, expected, "{scan:?}");
        assert_eq!(chosen.warnings.len(), usize::from(expected.is_empty()));
    }
}

#[test]
fn a_page_tells_the_scan_that_let_it_through_first() {
    let paths = ["/a", "/b", "/c"].map(Arc::from);
    let told = |scans: &[Scan]| -> Vec<(String, usize)> {
        let chosen = apply(scans, &paths, in_time()).unwrap();
        let pages = chosen.pages.into_iter();
        pages.map(|(path, scan)| (path.to_string(), scan)).collect()
    };
    let page = |path: &str, scan| (path.to_owned(), scan);
    let scans = [scan("/b", None, &[]), scan("/*", None, &[])];
    assert_eq!(told(&scans), [page("/b", 0), page("/a", 1), page("/c", 1)]);
    // A limit counts what a scan matches, whichever scan let it through before; another scan's exclusion is its own.
    let scans = [
        scan("/*", Some(1), &["/b"]),
        scan("/*", Some(2), &[]),
        scan("/c", None, &[]),
    ];
    assert_eq!(told(&scans), [page("/a", 0), page("/b", 1), page("/c", 2)]);
}

#[test]
fn no_path_is_told_twice_however_many_scans_match_it() {
    let paths: Vec<Arc<str>> = (0..5_000)
        .map(|number| format!("/{number}").into())
        .collect();
    let scans: Vec<Scan> = (0..200)
        .map(|number| scan(&format!("/*{number}*"), None, &[]))
        .collect();
    let all: Vec<Scan> = scans.into_iter().chain([scan("/**", None, &[])]).collect();
    let chosen = apply(&all, &paths, in_time()).unwrap();
    assert_eq!(chosen.pages.len(), paths.len());
}

#[test]
fn more_globs_than_one_set_takes_are_several_sets() {
    let long = "a".repeat(900);
    let mut globs = Globs::default();
    for number in 0..100 {
        globs.number(&format!("/{number}{long}*")).unwrap();
    }
    let mut matching = Matching::of(globs, in_time()).unwrap();
    assert!(matching.sets.len() > 1);
    matching.look_at(&format!("/77{long}b")).unwrap();
    let matched: Vec<usize> = (0..100)
        .filter(|glob| matching.matches(*glob).unwrap())
        .collect();
    assert_eq!(matched, [77]);
}

#[test]
fn globs_that_are_matched_together_and_alone_say_the_same() {
    let patterns = ["/a/*", "/a/**", "/a/*/c", "/**/c", "/a", "/*"];
    for path in ["/a", "/a/b", "/a/b/c", "/b/a/c", "/a/c"] {
        let mut globs = Globs::default();
        for pattern in patterns {
            globs.number(pattern).unwrap();
        }
        let mut matching = Matching::of(globs, in_time()).unwrap();
        matching.look_at(path).unwrap();
        for (number, pattern) in patterns.iter().enumerate() {
            let expected = path_glob(pattern).unwrap().compile_matcher().is_match(path);
            assert_eq!(matching.matches(number), Ok(expected), "{pattern} {path}");
        }
    }
}

#[test]
fn scans_end_at_their_deadline() {
    let paths = ["/a"].map(Arc::from);
    let passed = Instant::now();
    assert_eq!(
        apply(&[scan("/*", None, &[])], &paths, passed).unwrap_err(),
        Fault::OutOfTime
    );
}

#[test]
fn scans_end_while_they_are_compiled_and_between_globs() {
    let passed = Instant::now();
    // The first is matched together with others, the second alone.
    let patterns = ["/*", "/**/a"];
    for pattern in patterns {
        let compiled = apply(&[scan(pattern, None, &[])], &[], passed);
        assert_eq!(compiled.unwrap_err(), Fault::OutOfTime, "{pattern}");
    }
    let mut globs = Globs::default();
    for pattern in patterns {
        globs.number(pattern).unwrap();
    }
    let mut matching = Matching::of(globs, in_time()).unwrap();
    matching.look_at("/a").unwrap();
    matching.deadline = passed;
    assert_eq!(matching.matches(0), Ok(true), "it is known already");
    assert_eq!(matching.matches(1), Err(Fault::OutOfTime));
    assert_eq!(matching.look_at("/a"), Err(Fault::OutOfTime));
}
