//! Which of several siblings kept their order when some were moved.

/// What one sibling counts for when those that stayed are chosen: as many as can, then those that are larger,
/// have more in them, and lastly those that went up, since one moves down past the others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Weight {
    pub(super) count: i64,
    pub(super) area: i128,
    pub(super) nodes: i64,
    pub(super) up: i64,
}

impl Weight {
    fn plus(self, other: Self) -> Self {
        Self {
            count: self.count + other.count,
            area: self.area + other.area,
            nodes: self.nodes + other.nodes,
            up: self.up + other.up,
        }
    }
}

/// Indices of the strictly ascending subsequence that weighs most; the keys are the numbers from 0 in any order.
pub(super) fn heaviest_ascending(keys: &[usize], weights: &[Weight]) -> Vec<usize> {
    let mut best = BestBelow::new(keys.len());
    let mut previous = Vec::with_capacity(keys.len());
    for (at, (key, weight)) in keys.iter().zip(weights).enumerate() {
        let (sum, last) = best.below(*key);
        previous.push(last);
        best.offer(*key, (sum.plus(*weight), Some(at)));
    }
    let (_, last) = best.below(keys.len());
    let mut chain: Vec<usize> = std::iter::successors(last, |at| previous[*at]).collect();
    chain.reverse();
    chain
}

/// The heaviest chain by its last key, as a Fenwick tree of maxima.
struct BestBelow(Vec<(Weight, Option<usize>)>);

impl BestBelow {
    fn new(keys: usize) -> Self {
        Self(vec![Default::default(); keys + 1])
    }

    /// The heaviest chain whose last key is below this one, and the index of its end.
    fn below(&self, key: usize) -> (Weight, Option<usize>) {
        let (mut at, mut best) = (key, Default::default());
        while at > 0 {
            best = self.0[at].max(best);
            at &= at - 1;
        }
        best
    }

    fn offer(&mut self, key: usize, chain: (Weight, Option<usize>)) {
        let mut at = key + 1;
        while let Some(best) = self.0.get_mut(at) {
            *best = chain.max(*best);
            at += at & at.wrapping_neg();
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_order() -> impl Strategy<Value = (Vec<usize>, Vec<Weight>)> {
        let numbers = (1..9_usize).prop_flat_map(|count| {
            let weight = (0..3_i64, 0..4_i32).prop_map(|(count, area)| Weight {
                count,
                area: area.into(),
                ..Weight::default()
            });
            let keys = Just((0..count).collect::<Vec<_>>()).prop_shuffle();
            (keys, prop::collection::vec(weight, count))
        });
        numbers.prop_map(|(keys, weights)| (keys, weights))
    }

    fn sum(chain: impl Iterator<Item = usize>, weights: &[Weight]) -> Weight {
        chain.fold(Weight::default(), |sum, at| sum.plus(weights[at]))
    }

    proptest! {
        #[test]
        fn no_other_chain_weighs_more((keys, weights) in any_order()) {
            let found = heaviest_ascending(&keys, &weights);
            prop_assert!(found.is_sorted_by(|one, other| one < other && keys[*one] < keys[*other]));
            let ascends = |set: &usize| {
                let chosen = (0..keys.len()).filter(|at| set >> at & 1 == 1).map(|at| keys[at]);
                chosen.is_sorted()
            };
            let sums = (0..1 << keys.len()).filter(ascends).map(|set: usize| {
                sum((0..keys.len()).filter(|at| set >> at & 1 == 1), &weights)
            });
            prop_assert_eq!(sum(found.into_iter(), &weights), sums.max().unwrap());
        }
    }
}
