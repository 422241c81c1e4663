//! Longest common subsequences of hashes, within bounds.

use rustc_hash::FxHashMap;

/// Table cells up to which the longest common subsequence is found exactly.
const MAX_CELLS: usize = 1 << 16;
/// Times a stretch is split at hashes unique within it before repeated hashes are paired in order.
const MAX_SPLITS: u32 = 8;

/// A stretch of both sequences still to be compared, and how often it was split.
struct Stretch {
    ours: (usize, usize),
    theirs: (usize, usize),
    splits: u32,
}

/// Indices of a common subsequence, ascending in both: the longest for short stretches, else split
/// at what is unique in both (the patience diff).
pub(super) fn common_subsequence(ours: &[u64], theirs: &[u64]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let mut open = vec![Stretch {
        ours: (0, ours.len()),
        theirs: (0, theirs.len()),
        splits: 0,
    }];
    while let Some(mut stretch) = open.pop() {
        strip_ends(ours, theirs, &mut stretch, &mut pairs);
        let (from, to) = (stretch.ours.0, stretch.theirs.0);
        let our_part = &ours[from..stretch.ours.1];
        let their_part = &theirs[to..stretch.theirs.1];
        if our_part.is_empty() || their_part.is_empty() {
            continue;
        }
        let found = if our_part.len() * their_part.len() <= MAX_CELLS {
            exact(our_part, their_part)
        } else {
            let unique = in_order(&occurrences(our_part, their_part, Occurrences::Unique));
            if !unique.is_empty() && stretch.splits < MAX_SPLITS {
                open.extend(between(&unique, &stretch));
                unique
            } else {
                in_order(&occurrences(our_part, their_part, Occurrences::All))
            }
        };
        pairs.extend(found.into_iter().map(|(i, j)| (from + i, to + j)));
    }
    pairs.sort_unstable();
    pairs
}

/// Pairs what is equal at both ends.
fn strip_ends(
    ours: &[u64],
    theirs: &[u64],
    stretch: &mut Stretch,
    pairs: &mut Vec<(usize, usize)>,
) {
    let Stretch {
        ours: (i, i_end),
        theirs: (j, j_end),
        ..
    } = stretch;
    while *i < *i_end && *j < *j_end && ours[*i] == theirs[*j] {
        pairs.push((*i, *j));
        (*i, *j) = (*i + 1, *j + 1);
    }
    while *i < *i_end && *j < *j_end && ours[*i_end - 1] == theirs[*j_end - 1] {
        (*i_end, *j_end) = (*i_end - 1, *j_end - 1);
        pairs.push((*i_end, *j_end));
    }
}

/// What lies between pairs that were found within a stretch.
fn between(found: &[(usize, usize)], stretch: &Stretch) -> Vec<Stretch> {
    let (from, to) = (stretch.ours.0, stretch.theirs.0);
    let (mut i, mut j) = (from, to);
    let ends = found.iter().map(|(x, y)| (from + x, to + y));
    let mut stretches = Vec::new();
    for (x, y) in ends.chain([(stretch.ours.1, stretch.theirs.1)]) {
        stretches.push(Stretch {
            ours: (i, x),
            theirs: (j, y),
            splits: stretch.splits + 1,
        });
        (i, j) = (x + 1, y + 1);
    }
    stretches
}

/// By the textbook table of lengths.
fn exact(ours: &[u64], theirs: &[u64]) -> Vec<(usize, usize)> {
    let width = theirs.len() + 1;
    let mut lengths = vec![0_u32; (ours.len() + 1) * width];
    for i in (0..ours.len()).rev() {
        for j in (0..theirs.len()).rev() {
            lengths[i * width + j] = if ours[i] == theirs[j] {
                lengths[(i + 1) * width + j + 1] + 1
            } else {
                lengths[(i + 1) * width + j].max(lengths[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < ours.len() && j < theirs.len() {
        if ours[i] == theirs[j] {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Occurrences {
    /// Only hashes that stand once in each sequence.
    Unique,
    /// The first with the first, the second with the second, and so on.
    All,
}

/// Pairs equal hashes, in the order of the first sequence.
fn occurrences(ours: &[u64], theirs: &[u64], which: Occurrences) -> Vec<(usize, usize)> {
    let places = |hashes: &[u64]| {
        let mut places: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        for (at, hash) in hashes.iter().enumerate() {
            places.entry(*hash).or_default().push(at);
        }
        places
    };
    let (our_places, their_places) = (places(ours), places(theirs));
    let mut used: FxHashMap<u64, usize> = FxHashMap::default();
    let mut pairs = Vec::new();
    for (at, hash) in ours.iter().enumerate() {
        let Some(found) = their_places.get(hash) else {
            continue;
        };
        if which == Occurrences::Unique && (found.len() > 1 || our_places[hash].len() > 1) {
            continue;
        }
        let next = used.entry(*hash).or_default();
        if let Some(other) = found.get(*next) {
            pairs.push((at, *other));
            *next += 1;
        }
    }
    pairs
}

/// The longest part of the pairs, ascending in their first, that ascends in their second too.
fn in_order(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let keys: Vec<usize> = pairs.iter().map(|(_, other)| *other).collect();
    let kept = longest_ascending(&keys);
    kept.into_iter().map(|at| pairs[at]).collect()
}

/// Indices of a longest strictly ascending subsequence, by patience sorting.
fn longest_ascending(keys: &[usize]) -> Vec<usize> {
    let mut tails: Vec<usize> = Vec::new();
    let mut previous = vec![usize::MAX; keys.len()];
    for (at, key) in keys.iter().enumerate() {
        let place = tails.partition_point(|tail| keys[*tail] < *key);
        if place > 0 {
            previous[at] = tails[place - 1];
        }
        match tails.get_mut(place) {
            Some(tail) => *tail = at,
            None => tails.push(at),
        }
    }
    let last = tails.last().copied();
    let back = |at: &usize| Some(previous[*at]).filter(|at| *at != usize::MAX);
    let mut chain: Vec<usize> = std::iter::successors(last, back).collect();
    chain.reverse();
    chain
}
