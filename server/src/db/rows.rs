//! Many rows in one statement, of no more values than both databases take.

use std::fmt::Write;

/// Most rows of one statement. SQLite takes 32,766 values in one, PostgreSQL 65,535; with so many rows it no longer
/// counts what a statement costs by itself.
pub(super) const AT_ONCE: usize = 500;

/// `($3, $4), ($5, $6)`: the places of so many rows of so many values, from the place `first` on.
pub(super) fn places(rows: usize, columns: usize, first: usize) -> String {
    let mut text = String::new();
    for row in 0..rows {
        text.push_str(if row == 0 { "(" } else { ", (" });
        for column in 0..columns {
            let place = first + row * columns + column;
            let comma = if column == 0 { "" } else { ", " };
            write!(text, "{comma}${place}").expect("a string takes all that is written");
        }
        text.push(')');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_on_from_row_to_row() {
        assert_eq!(places(2, 3, 4), "($4, $5, $6), ($7, $8, $9)");
        assert_eq!(places(1, 1, 1), "($1)");
    }
}
