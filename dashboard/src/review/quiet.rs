//! Regions that recede behind those that matter: what was judged to be noise, beside what was not.

use pentimento_api::result::Decision;
use pentimento_api::review::ReviewItem;

/// Of each region whether it recedes. Where all are noise, none does: then they are what there is to see.
pub(crate) fn receding(item: &ReviewItem) -> Vec<bool> {
    let verdict = item.result.verdict.as_ref();
    let is_noise = |label: &str| {
        let judged = verdict.and_then(|verdict| verdict.regions.get(label));
        judged.is_some_and(|judged| judged.decision == Decision::Noise)
    };
    let noise: Vec<bool> = (item.regions.iter())
        .map(|region| is_noise(&region.label))
        .collect();
    let is_all = noise.iter().all(|&is_noise| is_noise);
    noise
        .into_iter()
        .map(|is_noise| is_noise && !is_all)
        .collect()
}

/// The region that a page is to be shown from: the first that neither recedes nor is scattered all down the page, else the first.
pub(crate) fn first(item: &ReviewItem) -> Option<usize> {
    let receding = receding(item);
    let is_place = |at: &usize| !receding[*at] && item.regions[*at].loose_rows.is_none();
    let places = 0..item.regions.len();
    places
        .clone()
        .find(is_place)
        .or_else(|| step(&receding, None, true))
}

/// The region that comes after one, or before it, of those that do not recede; the first or the last without one. From the end it
/// goes on at the other. Nothing where there are no regions.
pub(crate) fn step(receding: &[bool], from: Option<usize>, forward: bool) -> Option<usize> {
    let mut places: Vec<usize> = (0..receding.len()).filter(|&at| !receding[at]).collect();
    if !forward {
        places.reverse();
    }
    let is_ahead = |at: usize| from.is_none_or(|from| if forward { at > from } else { at < from });
    let ahead = places.iter().copied().find(|&at| is_ahead(at));
    ahead.or_else(|| places.first().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_pass_over_what_recedes_and_go_round() {
        let regions = [true, false, true, false, false, true];
        for (from, forward, to) in [
            (None, true, 1),
            (Some(1), true, 3),
            (Some(3), true, 4),
            (Some(4), true, 1),
            // One that recedes was chosen in the list.
            (Some(2), true, 3),
            (Some(2), false, 1),
            (Some(5), true, 1),
            (None, false, 4),
            (Some(1), false, 4),
        ] {
            assert_eq!(step(&regions, from, forward), Some(to), "{from:?}");
        }
        assert_eq!(step(&[], None, true), None);
        assert_eq!(step(&[false], Some(0), true), Some(0));
    }
}
