//! Rows of a list that is read again and again: they change with what they show, and stay the same elements, so that what is
//! focused or unfolded in them stays, too.

use leptos::prelude::*;

/// What a row shows, as `find` finds it; nothing where it is not there to begin with. It may leave the list a moment before its
/// row does: until then the row shows what it was.
pub(crate) fn live<T: Clone + PartialEq + Send + Sync + 'static>(
    find: impl Fn() -> Option<T> + Send + Sync + 'static,
) -> Option<Memo<T>> {
    let first = untrack(&find)?;
    Some(Memo::new(move |before: Option<&T>| {
        find().unwrap_or_else(|| before.unwrap_or(&first).clone())
    }))
}

/// The entries of a fresh first page, which may be all there are, and those older ones that had been read after it; the second says whether any of these
/// stay. The newest have the greatest ids.
///
/// What is newer than the end of the fresh page and not on it has left the list: its filter has no place for it. Where the fresh
/// page does not reach down to what was there, the list begins anew, lest it have a hole.
pub(crate) fn with_newest<T, K: PartialOrd>(
    had: Vec<T>,
    (fresh, is_all): (Vec<T>, bool),
    id: impl Fn(&T) -> K,
) -> (Vec<T>, bool) {
    let Some(oldest) = fresh.last().map(&id) else {
        return (fresh, false);
    };
    let reaches = !is_all && had.iter().any(|entry| id(entry) == oldest);
    let mut list = fresh;
    let count = list.len();
    let older = had
        .into_iter()
        .filter(|entry| reaches && id(entry) < oldest);
    list.extend(older);
    let has_older = list.len() > count;
    (list, has_older)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_stays_behind_what_is_fresh_unless_there_is_a_hole() {
        let merged =
            |had: &[u8], fresh: &[u8]| with_newest(had.to_vec(), (fresh.to_vec(), false), |id| *id);
        let all = with_newest(vec![5, 4, 3], (vec![5, 4], true), |id| *id);
        assert_eq!(all, (vec![5, 4], false));
        assert_eq!(
            merged(&[5, 4, 3, 2], &[6, 5, 4]),
            (vec![6, 5, 4, 3, 2], true)
        );
        assert_eq!(merged(&[5, 4], &[5, 4]), (vec![5, 4], false));
        assert_eq!(merged(&[5, 4], &[9, 8, 7]), (vec![9, 8, 7], false));
        assert_eq!(merged(&[6, 5, 4, 3], &[6, 4]), (vec![6, 4, 3], true));
        assert_eq!(merged(&[5, 4], &[]), (vec![], false));
        assert_eq!(merged(&[], &[2, 1]), (vec![2, 1], false));
    }
}
