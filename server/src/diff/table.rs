//! Plain tables for terminals.

use super::names::printable;

/// Characters of the widest cell; longer ones lose their middle.
const MAX_CELL_CHARS: usize = 60;

/// To which side a column's cells lean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// Lines up rows under their heads.
pub(super) fn table<const N: usize>(heads: [(&str, Align); N], rows: &[[String; N]]) -> String {
    let rows: Vec<[String; N]> = std::iter::once(heads.map(|(head, _)| head.to_owned()))
        .chain(
            rows.iter()
                .map(|row| row.each_ref().map(|cell| shortened(cell))),
        )
        .collect();
    let widths: [usize; N] = std::array::from_fn(|column| {
        let widths = rows.iter().map(|row| row[column].chars().count());
        widths.max().unwrap_or(0)
    });
    let line = |row: &[String; N]| {
        let cells: Vec<String> = std::iter::zip(row, widths)
            .zip(heads)
            .map(|((cell, width), (_, align))| match align {
                Align::Left => format!("{cell:<width$}"),
                Align::Right => format!("{cell:>width$}"),
            })
            .collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

/// A cell on one line, of a bounded length.
fn shortened(cell: &str) -> String {
    let cell: Vec<char> = printable(cell).chars().collect();
    if cell.len() <= MAX_CELL_CHARS {
        return cell.iter().collect();
    }
    let kept = MAX_CELL_CHARS - 1;
    let (head, tail) = (kept / 2, kept - kept / 2);
    (cell[..head].iter())
        .chain(['…'].iter())
        .chain(&cell[cell.len() - tail..])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = [["a", "1"], ["longer", "1,234"]].map(|row| row.map(str::to_owned));
        assert_eq!(
            table([("page", Align::Left), ("px", Align::Right)], &rows),
            "page       px\na           1\nlonger  1,234\n"
        );
    }

    #[test]
    fn long_cells_lose_their_middle() {
        let long = format!("start/{}/end.png", "x".repeat(200));
        let cell = shortened(&long);
        assert_eq!(cell.chars().count(), MAX_CELL_CHARS);
        assert!(
            cell.starts_with("start/x") && cell.ends_with("x/end.png"),
            "{cell}"
        );
        assert_eq!(shortened("two\nlines"), "two\\x0alines");
    }
}
