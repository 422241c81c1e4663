//! The words along a line of both pictures, and how far each went.

use std::ops::Range;

use crate::pair::Pair;
use crate::raster::row::{CELL_GAP_PX, EDGE, Row, apart};

/// Pixels by which the width of a part may differ: it begins and ends in other parts of a pixel.
const SLACK_PX: u32 = 2;

/// Parts of a line at most; nothing is told of one that has more.
const MAX_PARTS: usize = 64;

/// Something that is as wide in both pictures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Move {
    /// Where the current picture shows it.
    pub(super) columns: Range<u32>,
    /// How many pixels to the right of its place in the baseline.
    pub(super) right: i32,
}

/// How far each part went that some rows of the canvas show in some columns: parts are laid against each other in their order, from both
/// ends on where one picture has more. Beside one that went is none like it that stayed.
pub(super) fn moves(pair: &Pair<'_>, rows: Range<u32>, columns: &Range<u32>) -> Vec<Move> {
    let mut edges = [Edges::default(), Edges::default()];
    for y in rows.clone() {
        if let Some(shown) = pair.row_pair(y, columns.start) {
            for (edges, row) in edges.iter_mut().zip(shown.rows()) {
                edges.mark(row.within(columns.clone()));
            }
        }
    }
    let [before, after] = edges.map(|edges| edges.parts());
    if before.len().max(after.len()) > MAX_PARTS {
        return Vec::new();
    }
    let stays = |part: &Range<u32>| {
        rows.clone().all(|y| {
            let shown = pair.row_pair(y, columns.start);
            shown.is_none_or(|shown| {
                let [before, after] = shown.rows();
                before.same_part(after, part.clone())
            })
        })
    };
    let move_of = |(was, is): (&Range<u32>, &Range<u32>)| {
        let wider = i64::from(is.end - is.start) - i64::from(was.end - was.start);
        if wider.unsigned_abs() > SLACK_PX.into() {
            return None;
        }
        let by = |is: u32, was: u32| i64::from(is) - i64::from(was);
        let right = (by(is.start, was.start) + by(is.end, was.end)).div_euclid(2);
        let [was, is] = [was, is].map(|part| columns.start + part.start..columns.start + part.end);
        (right == 0 || !stays(&was) && !stays(&is)).then(|| Move {
            columns: is,
            right: i32::try_from(right).expect("a picture's columns fit 31 bits"),
        })
    };
    if before.len() == after.len() {
        return before.iter().zip(&after).filter_map(move_of).collect();
    }
    let both = before.len().min(after.len());
    let first: Vec<Move> = (before.iter().zip(&after)).map_while(move_of).collect();
    let from_end = before.iter().rev().zip(after.iter().rev());
    let last = from_end.take(both - first.len()).map_while(move_of);
    let mut last: Vec<Move> = last.collect();
    last.reverse();
    first.into_iter().chain(last).collect()
}

/// Where rows below each other have edges.
#[derive(Default)]
struct Edges {
    channels: usize,
    /// For each byte of a row 1 where in some row the next pixel's is further from it than where there is no edge.
    marks: Vec<u8>,
}

impl Edges {
    /// Adds those of a row; all rows have as many pixels and channels.
    fn mark(&mut self, row: Row<'_>) {
        self.channels = row.channels;
        self.marks.resize(row.bytes.len(), 0);
        let pairs = row.bytes.iter().zip(&row.bytes[row.channels..]);
        for (mark, (own, next)) in self.marks.iter_mut().zip(pairs) {
            *mark |= u8::from(apart(*own, *next) > EDGE);
        }
    }

    /// Runs of columns with an edge at their left or right side, without gaps between them.
    fn parts(&self) -> Vec<Range<u32>> {
        let mut parts: Vec<Range<u32>> = Vec::new();
        let pixels = self.marks.chunks_exact(self.channels.max(1));
        let at_edges = (0..).zip(pixels).filter(|(_, marks)| marks.contains(&1));
        for (x, _) in at_edges {
            match parts.last_mut() {
                Some(last) if x < last.end + CELL_GAP_PX => last.end = x + 2,
                _ => parts.push(x..x + 2),
            }
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::Image;
    use crate::geometry::Size;

    const WIDTH: u32 = 200;

    /// Words of these widths from these columns on.
    fn moves_of(before: &[(u32, u32)], after: &[(u32, u32)]) -> Vec<(u32, i32)> {
        let size = Size {
            width: WIDTH,
            height: 3,
        };
        let pair = Pair::in_place(&[before, after].map(|words| {
            Image::of_greys(size, 3, |x, _| {
                let is_ink = |&(start, width): &(u32, u32)| (start..start + width).contains(&x);
                u8::from(!words.iter().any(is_ink)) * 255
            })
        }));
        let moves = moves(&pair, 0..3, &(0..WIDTH));
        moves
            .into_iter()
            .map(|it| (it.columns.start + 1, it.right))
            .collect()
    }

    #[test]
    fn words_are_laid_against_each_other_in_their_order() {
        assert_eq!(
            moves_of(&[(10, 5), (40, 7), (90, 3)], &[(10, 5), (61, 7), (80, 3)]),
            [(10, 0), (61, 21), (80, -10)]
        );
    }

    #[test]
    fn a_word_of_another_width_tells_nothing() {
        assert_eq!(
            moves_of(&[(10, 5), (40, 3), (80, 4)], &[(12, 6), (61, 7), (99, 4)]),
            [(12, 2), (99, 19)]
        );
    }

    #[test]
    fn what_is_like_one_that_stayed_beside_it_did_not_go_there() {
        assert_eq!(
            moves_of(&[(10, 7), (40, 7), (70, 7)], &[(40, 7), (70, 7)]),
            [(40, 0), (70, 0)]
        );
        assert_eq!(
            moves_of(&[(10, 7), (70, 7)], &[(10, 7), (40, 7), (70, 7)]),
            [(10, 0), (70, 0)]
        );
    }

    #[test]
    fn beside_a_cell_with_more_words_both_ends_tell() {
        assert_eq!(
            moves_of(
                &[(10, 5), (60, 4), (90, 7)],
                &[(10, 5), (50, 1), (80, 9), (120, 7)]
            ),
            [(10, 0), (120, 30)]
        );
        assert_eq!(moves_of(&[], &[(10, 5)]), []);
    }
}
