//! Tables of words in four columns, between rules.

use crate::pages::{Page, random};

/// Rows of an entry, of which the middle ones hold its words and the last one is a rule.
pub(crate) const ENTRY: u32 = 34;

/// The rows of its words.
pub(crate) const WORDS: std::ops::Range<u32> = 11..22;

/// How wide a table is.
pub(crate) const WIDTH: u32 = 900;

/// Where the columns of a table begin.
pub(crate) type Columns = [u32; 4];

pub(crate) const NARROW: Columns = [20, 190, 400, 720];

/// A table with some entries.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) entries: Vec<u32>,
    pub(crate) columns: Columns,
    /// Words of all columns but the first begin a quarter of a pixel further to the left.
    pub(crate) is_broken: bool,
    /// Entries and columns that show another word.
    pub(crate) edited: Vec<(u32, usize)>,
}

impl Table {
    /// One with so many entries.
    pub(crate) fn of(entries: u32) -> Self {
        Self {
            entries: (0..entries).collect(),
            columns: NARROW,
            is_broken: false,
            edited: Vec::new(),
        }
    }

    /// How it looks.
    pub(crate) fn page(&self) -> Page {
        let word_of = |entry: u32, column: usize| {
            let text = 10 * entry + u32::try_from(column).unwrap();
            let is_edited = self.edited.contains(&(entry, column));
            let text = u64::from(1000 + text + u32::from(is_edited) * 5000);
            let [_, _, _, _, length, ..] = random(text, 1, 1);
            (Page::prose(100, 11, text), 30 + u32::from(length) % 60)
        };
        let cells: Vec<[(Page, u32); 4]> = (self.entries.iter())
            .map(|&entry| [0, 1, 2, 3].map(|column| word_of(entry, column)))
            .collect();
        let grey = |(word, length): &(Page, u32), column: usize, x: u32, y: u32| {
            let at = |x: u32| match x {
                x if x < *length => u32::from(word.color_at(x, y)[0]),
                _ => 255,
            };
            let grey = if self.is_broken && column > 0 {
                (3 * at(x) + at(x + 1)) / 4
            } else {
                at(x)
            };
            u8::try_from(grey).unwrap()
        };
        let rows = ENTRY * u32::try_from(self.entries.len()).unwrap();
        Page::drawn(WIDTH, rows, |x, y| {
            let (entry, row) = ((y / ENTRY) as usize, y % ENTRY);
            let column = self.columns.iter().rposition(|&first| first <= x);
            let grey = match column {
                _ if row == ENTRY - 1 => 220,
                Some(at) if WORDS.contains(&row) => grey(
                    &cells[entry][at],
                    at,
                    x - self.columns[at],
                    row - WORDS.start,
                ),
                _ => 255,
            };
            [grey, grey, grey, 255]
        })
    }
}
