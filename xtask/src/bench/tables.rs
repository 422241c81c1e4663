//! The measurements as Markdown tables with aligned columns, so that they read well as plain text too.

use super::contender::{Group, Tool};
use super::corpus::Kind;
use super::results::{Failure, Ratio, Results, Time};
use super::statistics::three_digits;

const NOTHING: &str = "–";

/// The group's tools by kind: medians, and how many times longer each took than ours. `None` when nobody was measured.
pub(super) fn by_kind(results: &Results, group: Group) -> Option<String> {
    let members = members(results, group);
    let ours: Vec<usize> = members
        .iter()
        .copied()
        .filter(|&place| {
            let contender = &results.contenders[place];
            contender.tool == Tool::Pentimento && !contender.only_loads()
        })
        .collect();
    let with_image = matches!(group, Group::Image | Group::Mask);
    let mut head: Vec<String> = ["kind", "tool", "CPU ms", "wall ms"]
        .map(str::to_owned)
        .into();
    for &place in &ours {
        let name = if ours.len() == 1 {
            "ours"
        } else {
            results.contenders[place].label
        };
        head.push(format!("CPU ÷ {name}"));
        head.push("lowest".to_owned());
    }
    if with_image {
        head.push("image KiB".to_owned());
    }
    let mut rows = Vec::new();
    for kind in Kind::ALL
        .into_iter()
        .filter(|&kind| results.pairs_of(kind).next().is_some())
    {
        for &place in &members {
            let mut row = vec![
                kind.as_str().to_owned(),
                results.contenders[place].label.to_owned(),
            ];
            row.push(time(results, place, kind, Time::Cpu));
            row.push(time(results, place, kind, Time::Wall));
            for &mine in &ours {
                row.extend(ratio_cells(results.ratio(place, mine, kind, Time::Cpu)));
            }
            if with_image {
                let bytes = results.output_bytes(place, kind);
                row.push(
                    bytes.map_or_else(|| NOTHING.to_owned(), |bytes| three_digits(bytes / 1024.0)),
                );
            }
            rows.push(row);
        }
    }
    (!rows.is_empty()).then(|| table(&head, &rows))
}

/// The group's medians pair by pair: CPU time, and wall time in brackets.
pub(super) fn by_pair(results: &Results, group: Group) -> Option<String> {
    let members = members(results, group);
    let mut head = vec!["pair".to_owned(), "size".to_owned()];
    head.extend(
        members
            .iter()
            .map(|&place| results.contenders[place].label.to_owned()),
    );
    let rows: Vec<Vec<String>> = results
        .pairs
        .iter()
        .enumerate()
        .map(|(pair, about)| {
            let mut row = vec![
                about.name.clone(),
                format!("{} × {}", about.width, about.height),
            ];
            row.extend(members.iter().map(|&place| {
                let of = |time| results.of_pair(place, pair, time);
                of(Time::Cpu).zip(of(Time::Wall)).map_or_else(
                    || NOTHING.to_owned(),
                    |(cpu, wall)| format!("{} ({})", three_digits(cpu), three_digits(wall)),
                )
            }));
            row
        })
        .collect();
    (!members.is_empty()).then(|| table(&head, &rows))
}

/// How many pixels each tool found changed, so that nobody is quick by not looking.
pub(super) fn changed_pixels(results: &Results) -> String {
    let mut columns: Vec<(&str, usize)> = Vec::new();
    for tool in Tool::ALL {
        let first = results
            .contenders
            .iter()
            .position(|contender| contender.tool == tool);
        columns.extend(first.map(|place| (tool.as_str(), place)));
    }
    let mut head = vec!["pair".to_owned()];
    head.extend(columns.iter().map(|(name, _)| (*name).to_owned()));
    let rows: Vec<Vec<String>> = results
        .pairs
        .iter()
        .enumerate()
        .map(|(pair, about)| {
            let mut row = vec![about.name.clone()];
            row.extend(columns.iter().map(|&(_, place)| {
                let changed = results.cells[place][pair].changed;
                changed.map_or_else(|| NOTHING.to_owned(), |pixels| pixels.to_string())
            }));
            row
        })
        .collect();
    table(&head, &rows)
}

/// What could not be measured, and why, as a list; `None` when all was.
pub(super) fn failures(results: &Results) -> Option<String> {
    let line = |failure: Failure<'_>| {
        let why = failure.why.split_whitespace().collect::<Vec<_>>().join(" ");
        format!(
            "- {}, {}: {why}\n",
            failure.contender.label, failure.pair.name
        )
    };
    let lines: String = results.failures().map(line).collect();
    (!lines.is_empty()).then_some(lines)
}

/// Rows under a head; words stand to the left, numbers to the right.
pub(super) fn table(head: &[String], rows: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = head.iter().map(|cell| cell.chars().count()).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let is_left = |column: usize| {
        let mut cells = rows.iter().map(|row| &row[column]);
        column == 0 || cells.all(|cell| cell.starts_with(char::is_alphabetic))
    };
    let line = |row: &[String]| {
        let cells = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(column, (cell, &width))| {
                let gap = " ".repeat(width - cell.chars().count());
                if is_left(column) {
                    format!("{cell}{gap}")
                } else {
                    format!("{gap}{cell}")
                }
            });
        format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
    };
    let rule = widths.iter().enumerate().map(|(column, &width)| {
        if is_left(column) {
            "-".repeat(width + 2)
        } else {
            format!("{}:", "-".repeat(width + 1))
        }
    });
    let rule = format!("|{}|\n", rule.collect::<Vec<_>>().join("|"));
    let body: String = rows.iter().map(|row| line(row)).collect();
    format!("{}{rule}{body}", line(head))
}

fn members(results: &Results, group: Group) -> Vec<usize> {
    (0..results.contenders.len())
        .filter(|&place| results.contenders[place].group == group)
        .collect()
}

fn time(results: &Results, place: usize, kind: Kind, time: Time) -> String {
    match (
        results.of_kind(place, kind, time),
        results.failed(place, kind),
    ) {
        (Some(milliseconds), false) => three_digits(milliseconds),
        (Some(milliseconds), true) => format!("{} *", three_digits(milliseconds)),
        (None, true) => "failed".to_owned(),
        (None, false) => NOTHING.to_owned(),
    }
}

fn ratio_cells(ratio: Option<Ratio>) -> [String; 2] {
    ratio.map_or_else(
        || [NOTHING.to_owned(), NOTHING.to_owned()],
        |ratio| [three_digits(ratio.median), three_digits(ratio.lowest)],
    )
}
