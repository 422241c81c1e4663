//! Jobs that are being described anew in this process.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard};

/// Their ids.
#[derive(Debug, Clone, Default)]
pub struct UnderWay(Arc<Mutex<HashSet<String>>>);

/// Held by the one round of a job.
pub(super) struct Turn {
    under_way: UnderWay,
    job_id: String,
}

impl UnderWay {
    /// The turn of this round, unless one is under way.
    pub(super) fn begin(&self, job_id: &str) -> Option<Turn> {
        self.jobs().insert(job_id.to_owned()).then(|| Turn {
            under_way: self.clone(),
            job_id: job_id.to_owned(),
        })
    }

    fn jobs(&self) -> MutexGuard<'_, HashSet<String>> {
        self.0
            .lock()
            .expect("no code panics while it holds this lock")
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.under_way.jobs().remove(&self.job_id);
    }
}
