//! Columns of a table: what went as far in one line below the other.

use std::ops::Range;

use super::parts::Move;

/// Lines that a table has at least, and that must tell of a column.
const MIN_LINES: usize = 3;
const MIN_LINES_OF_COLUMN: usize = 2;

/// Parts of a column that tell how far it went.
const MOST_TOLD: usize = 16;

/// Columns of a table at most.
pub(super) const MAX_COLUMNS: usize = 64;

/// Pixels by which parts of a column may seem to have gone further than others: they begin at another part of a pixel.
const SLACK_PX: u32 = 1;

/// Rows of the canvas below each other that changed, and how far went what they show.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) rows: Range<u32>,
    pub(super) moves: Vec<Move>,
}

/// Columns that went sideways, each as far in all lines.
#[derive(Debug)]
pub(super) struct Table {
    /// Rows of the canvas.
    pub(super) rows: Range<u32>,
    /// Those that changed, in lines of which none has more than [`super::LINE_ROWS`].
    pub(super) lines: Vec<Range<u32>>,
    /// Columns of the canvas that it lies in.
    pub(super) lane: Range<u32>,
    /// From left to right.
    pub(super) columns: Vec<Column>,
}

/// A column of a table: up to the middle between what it shows and what the next one shows.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) before: Range<u32>,
    pub(super) after: Range<u32>,
    /// How many pixels to the right what it shows went.
    pub(super) right: i32,
}

/// What lines below each other tell of a column: where the current picture shows it, and how far it went.
#[derive(Debug)]
struct Told {
    columns: Range<u32>,
    /// Of the first [`MOST_TOLD`] parts.
    rights: Vec<i32>,
}

impl Told {
    /// The middle of what was told.
    fn right(&self) -> i32 {
        let mut rights = self.rights.clone();
        let middle = rights.len() / 2;
        *rights.select_nth_unstable(middle).1
    }

    fn agrees(&self, right: i32) -> bool {
        self.right().abs_diff(right) <= SLACK_PX
    }

    /// Whether both went as far, as some part of each says: what is drawn at parts of a pixel tells now one number, now the next.
    fn went_with(&self, other: &Self) -> bool {
        let is_told = |right: &i32| other.rights.contains(right);
        self.agrees(other.right()) && self.rights.iter().any(is_told)
    }

    fn absorb(&mut self, other: Self) {
        self.columns.start = self.columns.start.min(other.columns.start);
        self.columns.end = self.columns.end.max(other.columns.end);
        let room = MOST_TOLD.saturating_sub(self.rights.len());
        self.rights.extend(other.rights.into_iter().take(room));
    }
}

/// A table as far as it was gone through.
#[derive(Default)]
struct Growing {
    lines: Vec<Range<u32>>,
    told: Vec<Told>,
}

impl Table {
    /// All tables that lines of a lane make, from the top down.
    pub(super) fn all(lines: Vec<Line>, lane: &Range<u32>) -> Vec<Self> {
        let mut tables = Vec::new();
        let mut growing = Growing::default();
        for line in lines {
            if !growing.fits(&line) {
                tables.extend(std::mem::take(&mut growing).grown(lane));
            }
            growing.add(line);
        }
        tables.extend(growing.grown(lane));
        tables
    }
}

impl Growing {
    /// Whether most of what a line tells of columns is what was told of them so far.
    fn fits(&self, line: &Line) -> bool {
        let (mut same, mut other) = (0, 0);
        for it in &line.moves {
            let over = (self.told.iter()).filter(|told| overlap(&told.columns, &it.columns));
            match over.map(|told| told.agrees(it.right)).min() {
                Some(true) => same += 1,
                Some(false) => other += 1,
                None => {}
            }
        }
        other <= same
    }

    fn add(&mut self, line: Line) {
        self.lines.push(line.rows);
        for Move { columns, right } in line.moves {
            let over = |told: &Told| overlap(&told.columns, &columns);
            if self
                .told
                .iter()
                .any(|told| over(told) && !told.agrees(right))
            {
                continue;
            }
            let mut told = Told {
                columns: columns.clone(),
                rights: vec![right],
            };
            for other in self.told.extract_if(.., |it| over(it)) {
                told.absorb(other);
            }
            self.told.push(told);
        }
    }

    fn grown(mut self, lane: &Range<u32>) -> Option<Table> {
        let [first, .., last] = self.lines.as_slice() else {
            return None;
        };
        let rows = first.start..last.end;
        if self.lines.len() < MIN_LINES {
            return None;
        }
        self.told
            .retain(|told| told.rights.len() >= MIN_LINES_OF_COLUMN);
        self.told.sort_by_key(|told| told.columns.start);
        let mut told: Vec<Told> = Vec::new();
        for next in self.told {
            match told.last_mut() {
                Some(last) if last.went_with(&next) => last.absorb(next),
                _ => told.push(next),
            }
        }
        if told.len() > MAX_COLUMNS || told.iter().all(|told| told.right() == 0) {
            return None;
        }
        Some(Table {
            rows,
            lines: self.lines,
            lane: lane.clone(),
            columns: columns(&told, lane)?,
        })
    }
}

/// The columns between what was told; `None` where they are not in one order in both pictures.
fn columns(told: &[Told], lane: &Range<u32>) -> Option<Vec<Column>> {
    let mut columns: Vec<Column> = Vec::new();
    for told in told {
        let was = |x: u32| x.checked_add_signed(-told.right());
        columns.push(Column {
            before: was(told.columns.start)?..was(told.columns.end)?,
            after: told.columns.clone(),
            right: told.right(),
        });
    }
    for at in 1..columns.len() {
        let [left, right] = &mut columns[at - 1..=at] else {
            return None;
        };
        for (left, right) in [
            (&mut left.before, &mut right.before),
            (&mut left.after, &mut right.after),
        ] {
            if left.end > right.start {
                return None;
            }
            left.end = left.end.midpoint(right.start);
            right.start = left.end;
        }
    }
    let first = columns.first_mut()?;
    (first.before.start, first.after.start) = (lane.start, lane.start);
    let last = columns.last_mut()?;
    (last.before.end, last.after.end) = (lane.end, lane.end);
    Some(columns)
}

fn overlap(one: &Range<u32>, other: &Range<u32>) -> bool {
    one.start < other.end && other.start < one.end
}

#[cfg(test)]
mod tests {
    use super::*;

    const LANE: Range<u32> = 0..500;

    /// A line of eight rows that tells these columns, and how far they went.
    fn line(y: u32, told: &[(Range<u32>, i32)]) -> Line {
        let moves = told.iter().map(|(columns, right)| Move {
            columns: columns.clone(),
            right: *right,
        });
        Line {
            rows: y..y + 8,
            moves: moves.collect(),
        }
    }

    /// Where each column is now, and how far it went, of each table.
    fn columns_of(lines: Vec<Line>) -> Vec<Vec<(Range<u32>, i32)>> {
        let of = |table: Table| {
            let columns = table.columns.into_iter();
            columns.map(|column| (column.after, column.right)).collect()
        };
        Table::all(lines, &LANE).into_iter().map(of).collect()
    }

    #[test]
    fn what_went_as_far_in_each_line_is_a_column() {
        let lines = vec![
            line(10, &[(20..60, 0), (120..150, 20), (300..340, -10)]),
            line(30, &[(20..80, 0), (121..180, 21), (290..310, -10)]),
            line(50, &[(20..50, 0), (120..140, 20)]),
        ];
        let tables = Table::all(lines, &LANE);
        let [table] = tables.as_slice() else {
            panic!("{tables:?}");
        };
        assert_eq!((&table.rows, &table.lane), (&(10..58), &LANE));
        let column = |before, after, right| Column {
            before,
            after,
            right,
        };
        assert_eq!(
            table.columns,
            [
                column(0..90, 0..100, 0),
                column(90..230, 100..235, 20),
                column(230..500, 235..500, -10)
            ]
        );
    }

    #[test]
    fn few_lines_are_no_table() {
        let line = |y| line(y, &[(20..60, 20)]);
        assert!(columns_of(vec![line(10), line(30)]).is_empty());
        assert_eq!(
            columns_of(vec![line(10), line(30), line(50)]),
            [[(LANE, 20)]]
        );
    }

    #[test]
    fn what_stayed_is_no_table() {
        let line = |y| line(y, &[(20..60, 0), (80..90, 0)]);
        assert!(columns_of(vec![line(10), line(30), line(50)]).is_empty());
    }

    #[test]
    fn one_cell_that_went_otherwise_is_passed_over() {
        let lines = vec![
            line(10, &[(20..60, 0), (120..150, 20)]),
            line(30, &[(20..60, 0), (120..150, 35), (200..220, 20)]),
            line(50, &[(20..60, 0), (120..150, 20), (200..220, 20)]),
        ];
        assert_eq!(columns_of(lines), [[(0..90, 0), (90..500, 20)]]);
    }

    #[test]
    fn another_table_begins_where_the_columns_go_otherwise() {
        let upper = [10, 30, 50].map(|y| line(y, &[(20..60, 8), (120..150, 20)]));
        let lower = [110, 130, 150].map(|y| line(y, &[(20..60, 15), (120..150, 40)]));
        let lines = upper.into_iter().chain(lower).collect();
        assert_eq!(
            columns_of(lines),
            [[(0..90, 8), (90..500, 20)], [(0..90, 15), (90..500, 40)]]
        );
    }

    #[test]
    fn columns_that_changed_places_are_no_table() {
        let line = |y| line(y, &[(20..60, -200), (120..150, 100), (230..260, 210)]);
        assert!(columns_of(vec![line(10), line(30), line(50)]).is_empty());
    }
}
