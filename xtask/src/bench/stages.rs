//! Reads the medians out of what divan prints: a tree of names, each with fastest, slowest, median and mean time.

/// The median of a benchmark in milliseconds, by its path such as `memory/memcmp`.
pub(super) fn median_ms(printed: &str, wanted: &str) -> Option<f64> {
    let mut path: Vec<&str> = Vec::new();
    for line in printed.lines() {
        let Some((depth, rest)) = branch(line) else {
            continue;
        };
        let mut cells = rest.split('│');
        // The first cell holds the name and the fastest time, two spaces or more apart.
        let name = cells.next()?.split("  ").next()?.trim();
        path.truncate(depth);
        path.push(name);
        if path.join("/") == wanted {
            return cells.nth(1).and_then(milliseconds);
        }
    }
    None
}

/// How deep a line's branch is, and what follows it; `None` for lines that only continue another.
fn branch(line: &str) -> Option<(usize, &str)> {
    let (before, after) = line.split_once("├─ ").or_else(|| line.split_once("╰─ "))?;
    // Three characters a level: a line or nothing, and two spaces.
    let drawing = before.chars().all(|part| matches!(part, '│' | ' '));
    drawing.then(|| (before.chars().count() / 3, after))
}

fn milliseconds(text: &str) -> Option<f64> {
    let (value, unit) = text.trim().split_once(' ')?;
    let in_ms = match unit {
        "ns" => 1e-6,
        "µs" => 1e-3,
        "ms" => 1.0,
        "s" => 1e3,
        _ => return None,
    };
    value.parse::<f64>().ok().map(|value| value * in_ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = "\
Timer precision: 20 ns
compare           fastest       │ slowest       │ median        │ mean          │ samples │ iters
├─ cpu                          │               │               │               │         │
│  ╰─ text                      │               │               │               │         │
│     ├─ 720      1.1 ms        │ 2 ms          │ 1.5 ms        │ 1.6 ms        │ 10      │ 10
│     │           800 Mitem/s   │ 400 Mitem/s   │ 600 Mitem/s   │ 590 Mitem/s   │         │
│     ╰─ 8000     9 ms          │ 12 ms         │ 10.25 ms      │ 10.3 ms       │ 10      │ 10
╰─ memory                       │               │               │               │         │
   ╰─ memcmp      900 µs        │ 1.2 ms        │ 950.5 µs      │ 1 ms          │ 20      │ 20
";

    #[test]
    fn medians_are_found_by_path() {
        for (path, expected) in [
            ("cpu/text/720", Some(1.5)),
            ("cpu/text/8000", Some(10.25)),
            ("memory/memcmp", Some(0.9505)),
            ("memory", None),
            ("memory/memcpy", None),
        ] {
            assert_eq!(median_ms(PRINTED, path), expected, "{path}");
        }
    }
}
