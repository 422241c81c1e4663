//! Plain tables for terminals.

use std::collections::HashMap;

use unicode_width::UnicodeWidthStr;

use super::names::printable;

/// Characters of the widest cell; longer ones lose their middle, unless others of their column would then read alike.
const MAX_CELL_CHARS: usize = 60;

/// Characters of each of three parts that a cell keeps whose end and beginning others have too.
const PART_CHARS: usize = (MAX_CELL_CHARS - 2) / 3;

/// Of these, how many stand in front of where it parts from the others.
const CHARS_BEFORE: usize = 4;

/// To which side a column's cells lean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// Lines up rows under their heads, as wide as terminals draw them.
pub(super) fn table<const N: usize>(heads: [(&str, Align); N], rows: &[[String; N]]) -> String {
    let columns: [Vec<String>; N] = std::array::from_fn(|column| {
        let cells: Vec<&str> = rows.iter().map(|row| row[column].as_str()).collect();
        let head = heads[column].0.to_owned();
        std::iter::once(head).chain(shortened(&cells)).collect()
    });
    let widths = (columns.each_ref()).map(|column| {
        let widths = column.iter().map(|cell| cell.width());
        widths.max().unwrap_or(0)
    });
    let line = |row: usize| {
        let cells = columns.each_ref().map(|column| &column[row]);
        let cells: Vec<String> = std::iter::zip(cells, widths)
            .zip(heads)
            .map(|((cell, width), (_, align))| {
                let gap = " ".repeat(width - cell.width());
                match align {
                    Align::Left => format!("{cell}{gap}"),
                    Align::Right => format!("{gap}{cell}"),
                }
            })
            .collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    (0..=rows.len()).map(line).collect()
}

/// The cells of a column, each on one line: of a bounded length where two that differ still do then, else whole.
fn shortened(cells: &[&str]) -> Vec<String> {
    let cells: Vec<Vec<char>> = (cells.iter())
        .map(|cell| printable(cell).chars().collect())
        .collect();
    let mut texts: Vec<String> = cells.iter().map(|cell| without_middle(cell)).collect();
    for rows in alike(&texts, &cells) {
        let part = common_start(rows.iter().map(|&row| cells[row].as_slice()));
        for row in rows {
            texts[row] = with_place(&cells[row], part);
        }
    }
    for row in alike(&texts, &cells).into_iter().flatten() {
        texts[row] = cells[row].iter().collect();
    }
    texts
}

/// The rows that read alike although their cells differ, those together that do.
fn alike(texts: &[String], cells: &[Vec<char>]) -> Vec<Vec<usize>> {
    let mut rows_of: HashMap<&str, Vec<usize>> = HashMap::new();
    for (row, text) in texts.iter().enumerate() {
        rows_of.entry(text).or_default().push(row);
    }
    let differ = |rows: &Vec<usize>| rows.iter().any(|&row| cells[row] != cells[rows[0]]);
    rows_of.into_values().filter(differ).collect()
}

/// How many characters all of them begin with.
fn common_start<'c>(mut cells: impl Iterator<Item = &'c [char]>) -> usize {
    let first = cells.next().unwrap_or_default();
    cells.fold(first.len(), |start, cell| {
        let same = std::iter::zip(&first[..start], cell).take_while(|(one, other)| one == other);
        same.count()
    })
}

fn without_middle(cell: &[char]) -> String {
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

/// The same with what stands at a place in the middle.
fn with_place(cell: &[char], place: usize) -> String {
    if cell.len() <= MAX_CELL_CHARS {
        return cell.iter().collect();
    }
    let last = cell.len() - PART_CHARS;
    let from = place.saturating_sub(CHARS_BEFORE);
    let from = from.clamp(PART_CHARS, last - PART_CHARS);
    let to = from + PART_CHARS;
    // Where nothing is left out, nothing says so.
    let gap = |left_out: bool| left_out.then_some('…');
    let mut text: String = cell[..PART_CHARS].iter().collect();
    text.extend(gap(from > PART_CHARS));
    text.extend(&cell[from..to]);
    text.extend(gap(to < last));
    text.extend(&cell[last..]);
    text
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
    fn columns_line_up_beside_letters_that_take_two_or_none() {
        let rows = [
            ["日本.png", "1"],
            ["e\u{301}te\u{301}", "2"],
            ["abcdefgh", "3"],
        ];
        let rows = rows.map(|row| row.map(str::to_owned));
        let text = table([("page", Align::Left), ("px", Align::Right)], &rows);
        assert_eq!(
            text,
            "page      px\n日本.png   1\ne\u{301}te\u{301}        2\nabcdefgh   3\n"
        );
    }

    #[test]
    fn long_cells_lose_their_middle() {
        let long = format!("start/{}/end.png", "x".repeat(200));
        let cell = shortened(&[&long]).remove(0);
        assert_eq!(cell.chars().count(), MAX_CELL_CHARS);
        assert!(
            cell.starts_with("start/x") && cell.ends_with("x/end.png"),
            "{cell}"
        );
        assert_eq!(shortened(&["two\nlines"]), ["two\\x0alines"]);
    }

    #[test]
    fn long_cells_that_differ_are_told_apart() {
        let named = |part: &str| format!("{}/{part}/{}", "start".repeat(9), "end".repeat(20));
        let [one, two] = ["product-17", "product-18"].map(named);
        let other = format!("{}/index.png", "folder/".repeat(20));
        let cells = shortened(&[&one, &two, &other, &one]);
        for (cell, shown) in cells.iter().zip(["ct-17/", "ct-18/", "…", "ct-17/"]) {
            assert!(cell.chars().count() <= MAX_CELL_CHARS, "{cell}");
            assert!(cell.contains(shown), "{cell}");
        }
        assert_eq!(cells[0], cells[3], "they are the same");
        assert!(cells[0].starts_with("startstart") && cells[0].ends_with("endend"));
        assert!(cells[2].starts_with("folder/folder/"), "{}", cells[2]);

        // They part in front of their ends, which are shown anyway.
        let near = |part: &str| format!("{}{part}{}", "s".repeat(80), "e".repeat(31));
        let cells = shortened(&[&near("1"), &near("2")]);
        assert!(
            cells[0].contains("s1e") && cells[1].contains("s2e"),
            "{cells:?}"
        );

        // Neither their ends nor one place tell these apart.
        let lengths = [70, 71, 72].map(|length| "x".repeat(length));
        let whole: Vec<&str> = lengths.iter().map(String::as_str).collect();
        assert_eq!(shortened(&whole), whole);
    }
}
