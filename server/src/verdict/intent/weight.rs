//! Words that say little of what a sentence is about, because they stand in sentences about anything.

use std::collections::{BTreeSet, HashSet};
use std::sync::LazyLock;

use super::terms::plain_stem;

/// What a common word weighs beside one that is not.
const COMMON_WEIGHT: f64 = 0.25;

/// Words that are frequent in English prose and in talk about web pages.
const COMMON: &str = "\
    able according account actual additional allow almost already always anybody anymore anyone anything appear ask away \
    back bad bear became behind being best better big bit bring brought call came case certain choose clear click close \
    come comes common complete completely confirm content contents correspond could current currently customer customers \
    day days decide deliver did directly do does doing done during early earlier easier easy edge either element else end \
    enough entire even ever everybody everyone everything exactly exist existing expect expected extra fact far fast felt \
    final finally find first following follow full fully further gain gave general get gets getting give given gives going \
    gone good got great hair hand happen hard hardly help hence hers high higher himself hold how however idea if important \
    instead interest job keep kept kind knew know known large last late later least leave left less let level list listed \
    lists like likely long longer look looking lot low lower main many matter mean means meant might moment more morning \
    moved much name named near nearly necessary need needed never next nice nobody non none nor nothing number often old \
    once open opens order original others ought outside part particular pass people perhaps person place places please \
    point possible precede precedes present previous probably problem proper provide quite rather reach real really reason \
    request right said say says scroll scrolling second see seem seen several shift shown side simple simply since single \
    sit sits small somebody something sometimes somewhere soon spot stand stands start started state stay stays step still \
    stop style such sure take taken takes team tell tells thing things think third those though thought three time times \
    today together told took top toward tried true try trying two under underneath understand unless until upper use used \
    user users uses using usual value various visit visitor visitors visits want wanted wants way week well went what \
    whatever whether while whole why without word words work worked works write wrong year years yes yet twice \
    story hypothesis experiment variant";

static COMMON_STEMS: LazyLock<HashSet<String>> =
    LazyLock::new(|| COMMON.split_whitespace().map(plain_stem).collect());

/// How much a stem says of what a sentence is about, 0–1.
pub(super) fn weight(stem: &str) -> f64 {
    if COMMON_STEMS.contains(stem) {
        COMMON_WEIGHT
    } else {
        1.0
    }
}

/// How much of what some stems say others have, 0–1.
pub(super) fn share(stems: &BTreeSet<String>, others: &BTreeSet<String>) -> f64 {
    let weigh =
        |stems: &mut dyn Iterator<Item = &String>| -> f64 { stems.map(|stem| weight(stem)).sum() };
    if stems.is_empty() {
        0.0
    } else {
        weigh(&mut stems.intersection(others)) / weigh(&mut stems.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_stand_anywhere_weigh_less() {
        assert!(weight(&plain_stem("people")) < weight(&plain_stem("lamp")));
    }
}
