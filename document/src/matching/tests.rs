//! The matching of random trees: swapped, and against itself.

use proptest::prelude::*;

use crate::document::NONE;
use crate::random::{any_pair, any_tree, document};

use super::match_trees;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn swapping_gives_the_same_pairs((before, after) in any_pair()) {
        let (before, after) = (document(&before), document(&after));
        let (forth, back) = (match_trees(&before, &after), match_trees(&after, &before));
        prop_assert_eq!(forth.forward, back.backward);
        prop_assert_eq!(forth.backward, back.forward);
    }

    #[test]
    fn each_node_has_one_counterpart((before, after) in any_pair()) {
        let (before, after) = (document(&before), document(&after));
        let matching = match_trees(&before, &after);
        for (at, other) in (0..).zip(&matching.forward) {
            prop_assert!(*other == NONE || matching.backward[*other as usize] == at);
        }
        for (at, other) in (0..).zip(&matching.backward) {
            prop_assert!(*other == NONE || matching.forward[*other as usize] == at);
        }
    }

    #[test]
    fn equal_trees_match_node_by_node(tree in any_tree()) {
        let tree = document(&tree);
        let forward = match_trees(&tree, &tree).forward;
        prop_assert!((0..).zip(forward).all(|(at, other): (u32, u32)| at == other));
    }

    #[test]
    fn findings_are_made_of_anything((before, after) in any_pair()) {
        let (before, after) = (document(&before), document(&after));
        let diff = crate::compare(&before, &after);
        for finding in &diff.findings {
            prop_assert!(finding.cause.is_none_or(|cause| cause < diff.findings.len()));
        }
        prop_assert!(diff.wire_changes().len() <= 40);
        prop_assert_eq!(diff, crate::compare(&before, &after));
    }
}
