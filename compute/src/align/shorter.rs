//! Of two neighbouring blocks that changed places, which one is told as moved.
//!
//! A histogram diff keeps what has the most rare rows in its place, which may be the shorter of the two. Who looks at both pictures
//! sees less that moved when the taller one stays.

use super::stretch::{Stretch, push};

/// Rows that must be the same where the taller block is laid on itself, in percent.
const SAME_PERCENT: usize = 80;

/// The bands in which of two blocks that changed places the shorter one is what only one picture has at either place.
pub(super) fn with_shorter_moves(
    bands: &[Stretch],
    baseline: &[u64],
    current: &[u64],
) -> Vec<Stretch> {
    let mut told = Vec::with_capacity(bands.len());
    let mut rest = bands;
    while let Some((first, behind)) = rest.split_first() {
        let turned = (rest.first_chunk()).and_then(|three| turned(three, baseline, current));
        let (own, left) = match &turned {
            Some(turned) => (turned.as_slice(), &rest[3..]),
            None => (std::slice::from_ref(first), behind),
        };
        for stretch in own {
            push(&mut told, stretch.rows, stretch.baseline, stretch.current);
        }
        rest = left;
    }
    told
}

/// A block that is told as gone above or below another one and as come on its other side: the other one instead, where that is shorter
/// and the first is the same as itself.
fn turned(
    &[above, between, below]: &[Stretch; 3],
    baseline: &[u64],
    current: &[u64],
) -> Option<Vec<Stretch>> {
    let (went, came) = match (above, below) {
        (
            Stretch {
                baseline: Some(went),
                current: None,
                ..
            },
            Stretch {
                baseline: None,
                current: Some(came),
                ..
            },
        ) => ((went, above.rows), (came, below.rows)),
        (
            Stretch {
                baseline: None,
                current: Some(came),
                ..
            },
            Stretch {
                baseline: Some(went),
                current: None,
                ..
            },
        ) => ((went, below.rows), (came, above.rows)),
        _ => return None,
    };
    let lone = |baseline, current| Stretch {
        rows: between.rows,
        baseline,
        current,
    };
    // What lay above the block that now stays was the first of the baseline, or is the first of the current picture.
    let (first, last) = match above.baseline {
        None => (lone(between.baseline, None), lone(None, between.current)),
        Some(_) => (lone(None, between.current), lone(between.baseline, None)),
    };
    between.baseline.zip(between.current)?;
    let rows = went.1.min(came.1);
    let same = |from: [u32; 2]| {
        let is_same =
            |row: &u32| baseline[(from[0] + row) as usize] == current[(from[1] + row) as usize];
        (0..rows).filter(is_same).count()
    };
    // The one of more rows has them at its end or at its beginning.
    let ends = [
        [went.0, came.0],
        [went.0 + went.1 - rows, came.0 + came.1 - rows],
    ];
    let (at, most) = ends
        .map(same)
        .into_iter()
        .enumerate()
        .max_by_key(|&(at, same)| (same, 1 - at))?;
    if between.rows >= rows || most * 100 < rows as usize * SAME_PERCENT {
        return None;
    }
    let over_went = (went.1 > rows).then(|| Stretch {
        rows: went.1 - rows,
        baseline: Some(if at == 0 { went.0 + rows } else { went.0 }),
        current: None,
    });
    let over_came = (came.1 > rows).then(|| Stretch {
        rows: came.1 - rows,
        baseline: None,
        current: Some(if at == 0 { came.0 + rows } else { came.0 }),
    });
    let over = over_went.or(over_came);
    let [ours, theirs] = ends[at];
    let stays = Stretch {
        rows,
        baseline: Some(ours),
        current: Some(theirs),
    };
    let (before, behind) = if at == 0 { (None, over) } else { (over, None) };
    let parts = [Some(first), before, Some(stays), behind, Some(last)];
    Some(parts.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten rows and thirty change places, of which the thirty may have lost or got some at their end.
    #[test]
    fn of_two_blocks_the_shorter_one_moves() {
        for (went, came) in [(30, 30), (30, 33), (34, 30)] {
            let rows = |from: u32, rows: u32| (u64::from(from)..).take(rows as usize);
            let before: Vec<u64> = rows(0, 5)
                .chain(rows(100, 10))
                .chain(rows(200, went))
                .chain(rows(50, 5))
                .collect();
            let after: Vec<u64> = rows(0, 5)
                .chain(rows(200, came))
                .chain(rows(100, 10))
                .chain(rows(50, 5))
                .collect();
            let told = [
                Stretch::new(5, Some(0), Some(0)),
                Stretch::new(came, None, Some(5)),
                Stretch::new(10, Some(5), Some(5 + came)),
                Stretch::new(went, Some(15), None),
                Stretch::new(5, Some(15 + went), Some(15 + came)),
            ];
            let over = match went.cmp(&came) {
                std::cmp::Ordering::Less => Some(Stretch::new(came - went, None, Some(35))),
                std::cmp::Ordering::Equal => None,
                std::cmp::Ordering::Greater => Some(Stretch::new(went - came, Some(45), None)),
            };
            let parts = [
                Some(Stretch::new(5, Some(0), Some(0))),
                Some(Stretch::new(10, Some(5), None)),
                Some(Stretch::new(30, Some(15), Some(5))),
                over,
                Some(Stretch::new(10, None, Some(5 + came))),
                Some(Stretch::new(5, Some(15 + went), Some(15 + came))),
            ];
            let mut wanted = Vec::new();
            for part in parts.into_iter().flatten() {
                push(&mut wanted, part.rows, part.baseline, part.current);
            }
            assert_eq!(with_shorter_moves(&told, &before, &after), wanted);
            // And with both pictures exchanged.
            let swapped = |bands: &[Stretch]| -> Vec<Stretch> {
                bands
                    .iter()
                    .map(|band| Stretch::new(band.rows, band.current, band.baseline))
                    .collect()
            };
            assert_eq!(
                with_shorter_moves(&swapped(&told), &after, &before),
                swapped(&wanted)
            );
            // The shorter one moves already.
            assert_eq!(with_shorter_moves(&wanted, &before, &after), wanted);
            // Another block came.
            let other: Vec<u64> = after
                .iter()
                .map(|row| row + u64::from(*row >= 200) * 1_000)
                .collect();
            assert_eq!(with_shorter_moves(&told, &before, &other), told);
        }
    }
}
