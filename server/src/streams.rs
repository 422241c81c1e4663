//! Streams of events that are open in this process: so many in all, and of one organization fewer, so that none takes every
//! place.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

/// Streams at once.
const MOST: usize = 500;

/// Streams of one organization at once.
const MOST_OF_ONE: usize = 100;

/// How many each organization has open.
#[derive(Debug, Clone, Default)]
pub struct Streams(Arc<Mutex<HashMap<String, usize>>>);

/// The place of one stream, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    streams: Streams,
    organization_id: String,
}

impl Streams {
    /// A place for one more.
    ///
    /// # Errors
    /// There is none; says of what there are too many, without a full stop.
    pub(crate) fn open(&self, organization_id: &str) -> Result<Place, String> {
        let mut counts = self.counts();
        if counts.values().sum::<usize>() >= MOST {
            return Err(format!("{MOST} streams are open"));
        }
        let count = counts.entry(organization_id.to_owned()).or_default();
        if *count >= MOST_OF_ONE {
            return Err(format!("Your organization has {MOST_OF_ONE} streams open"));
        }
        *count += 1;
        Ok(Place {
            streams: self.clone(),
            organization_id: organization_id.to_owned(),
        })
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.0
            .lock()
            .expect("no code panics while it holds this lock")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut counts = self.streams.counts();
        if let Some(count) = counts.get_mut(&self.organization_id) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.organization_id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn organizations_together_have_no_more_than_all_may_and_places_come_back() {
        let streams = Streams::default();
        let mut held: Vec<Place> = (0..5)
            .flat_map(|one| (0..MOST_OF_ONE).map(move |_| one.to_string()))
            .map(|organization| streams.open(&organization).unwrap())
            .collect();
        assert_eq!(streams.open("5").unwrap_err(), "500 streams are open");
        drop(held.pop());
        held.push(streams.open("5").unwrap());
        drop(held);
        assert!(streams.counts().is_empty());
    }
}
