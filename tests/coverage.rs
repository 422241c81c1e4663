//! The table of the interface's rules stays true: each row names a place and a test, and both are there.

use std::path::{Path, PathBuf};

/// Fewer rows than this are no table of the whole interface.
const FEWEST_ROWS: usize = 130;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the workspace's folder")
        .to_owned()
}

/// What stands between backquotes.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// Checks the tests that a row names as `file.rs: function`; the sentence says what is wrong.
fn check_tests(cell: &str) -> Result<(), String> {
    let mut count = 0;
    for named in quoted(cell) {
        let (file, function) = named
            .split_once(": ")
            .ok_or_else(|| format!("`{named}` is not `file: function`"))?;
        let text = std::fs::read_to_string(root().join(file))
            .map_err(|_| format!("there is no file {file}"))?;
        let begins = format!("fn {function}(");
        if !text.contains(&begins) {
            return Err(format!("{file} has no test {function}"));
        }
        count += 1;
    }
    if count == 0 {
        return Err("no test is named".to_owned());
    }
    Ok(())
}

/// Checks the places that a row names as `file.rs` or `file.rs: name`.
fn check_places(cell: &str) -> Result<(), String> {
    let mut count = 0;
    for named in quoted(cell) {
        let (file, name) = named.split_once(": ").unwrap_or((named, ""));
        let text = std::fs::read_to_string(root().join(file))
            .map_err(|_| format!("there is no file {file}"))?;
        if !text.contains(name) {
            return Err(format!("{file} has no {name}"));
        }
        count += 1;
    }
    if count == 0 {
        return Err("no place is named".to_owned());
    }
    Ok(())
}

#[test]
fn every_rule_has_its_place_and_its_test() {
    let table = std::fs::read_to_string(root().join("docs/interface-coverage.md")).unwrap();
    let mut wrong = Vec::new();
    let mut rows = 0;
    for line in table.lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        if line.starts_with("|---") || cells == ["rule", "where", "test"] {
            continue;
        }
        rows += 1;
        let checked = match cells.as_slice() {
            [_, place, tests] => check_places(place).and_then(|()| check_tests(tests)),
            _ => Err("a row has three cells".to_owned()),
        };
        if let Err(error) = checked {
            wrong.push(format!("{error}: {line}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(rows >= FEWEST_ROWS, "{rows} rows");
}

#[test]
fn a_row_without_a_test_or_with_one_that_is_gone_is_seen() {
    for (cell, said) in [
        ("", "no test is named"),
        ("`tests/coverage.rs`", "is not `file: function`"),
        ("`tests/gone.rs: x`", "there is no file"),
        ("`tests/coverage.rs: gone`", "has no test"),
    ] {
        let error = check_tests(cell).unwrap_err();
        assert!(error.contains(said), "{error}");
    }
    assert!(check_places("`server/src/gone.rs`").is_err());
    assert!(check_places("`server/src/lib.rs: gone_from_here`").is_err());
    assert!(check_tests("`tests/coverage.rs: every_rule_has_its_place_and_its_test`").is_ok());
}
