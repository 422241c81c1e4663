//! Callers with a pair each, gathered: on a card many small pairs in one submission take little longer than one. Those who come
//! while two groups are under way wait for one of them, and are then loaded and compared together.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::comparison::Comparison;
use crate::error::Error;
use crate::file::PictureFile;
use crate::geometry::Size;
use crate::load::page_size;
use crate::many::GROUP_PIXELS;
use crate::options::CompareOptions;
use crate::picture::{Form, Picture};

/// Groups that are compared at once: one is loaded while the other is on the card. Together they hold what two groups of
/// [`crate::many`] do.
const GROUPS_AT_ONCE: usize = 2;

/// Two files to compare that belong to the pair, so that another thread can compare them.
#[derive(Debug, Clone)]
pub struct OwnedPair {
    /// The file of what was.
    pub baseline: Arc<PictureFile>,
    /// The file of what is now.
    pub current: Arc<PictureFile>,
    /// Which form both files have.
    pub form: Form,
    /// How they are compared.
    pub options: CompareOptions,
}

/// Callers that wait, and how many of them compare for all.
#[derive(Debug, Default)]
pub(crate) struct Gathering {
    state: Mutex<State>,
    /// Somebody got an answer, or may compare now.
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    waiting: VecDeque<Arc<Caller>>,
    /// Groups under way.
    groups: usize,
}

/// Somebody with a pair.
#[derive(Debug)]
struct Caller {
    pair: OwnedPair,
    pixels: u64,
    answer: Mutex<Option<Answer>>,
}

#[derive(Debug)]
enum Answer {
    Compared(Box<Result<Comparison, Error>>),
    /// The group went wrong, which may be any of its pairs' doing: each is compared by its own caller.
    Alone,
}

impl OwnedPair {
    /// Both pictures.
    pub(crate) fn pictures(&self) -> (Picture<'_>, Picture<'_>) {
        (self.form.of(&*self.baseline), self.form.of(&*self.current))
    }
}

impl Gathering {
    /// What comes of a pair: compared with those of other callers by `compare_all`, which gives one result a pair in their
    /// order; `None` when it panicked. It blocks the calling thread, which may have to compare for others.
    pub(crate) fn compare(
        &self,
        pair: &OwnedPair,
        compare_all: impl Fn(&[&OwnedPair]) -> Vec<Result<Comparison, Error>>,
    ) -> Option<Result<Comparison, Error>> {
        let (baseline, current) = pair.pictures();
        let caller = Arc::new(Caller {
            pair: pair.clone(),
            // What cannot be compared is refused when it is loaded.
            pixels: page_size(baseline, current).map_or(0, Size::pixels),
            answer: Mutex::default(),
        });
        let mut state = self.state();
        state.waiting.push_back(Arc::clone(&caller));
        loop {
            match caller.take_answer() {
                Some(Answer::Compared(result)) => return Some(*result),
                Some(Answer::Alone) => return None,
                None => {}
            }
            let Some(group) = state.next_group() else {
                // Whoever compares has a deadline of its own.
                state = (self.changed.wait(state)).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            drop(state);
            answer(&group, &compare_all);
            state = self.state();
            state.groups -= 1;
            self.changed.notify_all();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
impl Gathering {
    /// How many wait.
    pub(crate) fn waiting(&self) -> usize {
        self.state().waiting.len()
    }
}

impl State {
    /// Those who wait, in the order in which they came, as many as are in memory together; `None` when others compare already,
    /// or nobody waits.
    fn next_group(&mut self) -> Option<Vec<Arc<Caller>>> {
        if self.groups == GROUPS_AT_ONCE {
            return None;
        }
        let mut pixels = 0;
        let fits = |caller: &&Arc<Caller>| {
            pixels += caller.pixels;
            pixels <= GROUP_PIXELS
        };
        // A page that is larger by itself goes alone.
        let many = self.waiting.iter().take_while(fits).count().max(1);
        let group: Vec<_> = self.waiting.drain(..many.min(self.waiting.len())).collect();
        if group.is_empty() {
            return None;
        }
        self.groups += 1;
        Some(group)
    }
}

/// Compares a group, and answers each of its callers.
fn answer(
    group: &[Arc<Caller>],
    compare_all: impl Fn(&[&OwnedPair]) -> Vec<Result<Comparison, Error>>,
) {
    let pairs: Vec<&OwnedPair> = group.iter().map(|caller| &caller.pair).collect();
    let mut results = catch_unwind(AssertUnwindSafe(|| compare_all(&pairs)))
        .map(Vec::into_iter)
        .ok();
    for caller in group {
        let result = results.as_mut().and_then(Iterator::next);
        let result = result.map(|result| Answer::Compared(Box::new(result)));
        caller.set_answer(result.unwrap_or(Answer::Alone));
    }
}

impl Caller {
    fn take_answer(&self) -> Option<Answer> {
        (self.answer.lock().unwrap_or_else(PoisonError::into_inner)).take()
    }

    fn set_answer(&self, answer: Answer) {
        *self.answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Sender, channel};
    use std::thread;
    use std::time::{Duration, Instant};

    use super::*;

    /// A pair that is known by its threshold.
    fn pair(number: u32) -> OwnedPair {
        OwnedPair {
            baseline: Arc::new(Vec::new().into()),
            current: Arc::new(Vec::new().into()),
            form: Form::Png,
            options: CompareOptions {
                threshold: f64::from(number),
                ..CompareOptions::default()
            },
        }
    }

    /// What stands for the result of such a pair.
    fn result(pair: &OwnedPair) -> Result<Comparison, Error> {
        Err(Error::Threshold(pair.options.threshold))
    }

    fn number(result: Option<Result<Comparison, Error>>) -> Option<f64> {
        result.map(|result| match result {
            Err(Error::Threshold(number)) => number,
            other => panic!("{other:?}"),
        })
    }

    #[test]
    fn who_comes_while_others_compare_is_compared_with_who_else_came() {
        let gathering = Gathering::default();
        let (groups, seen) = channel();
        let (go_on, may_go_on): (Sender<()>, _) = channel();
        let may_go_on = Mutex::new(may_go_on);
        let compare = |number: u32, groups: Sender<usize>| {
            let compare_all = |pairs: &[&OwnedPair]| {
                groups.send(pairs.len()).unwrap();
                let _ = may_go_on.lock().unwrap().recv();
                pairs.iter().map(|pair| result(pair)).collect()
            };
            gathering.compare(&pair(number), compare_all)
        };
        let all: Vec<Option<f64>> = thread::scope(|scope| {
            let start = |number: u32| {
                let groups = groups.clone();
                let compare = &compare;
                scope.spawn(move || self::number(compare(number, groups)))
            };
            let deadline = Duration::from_mins(1);
            let mut callers = Vec::new();
            for first in 0..2 {
                callers.push(start(first));
                assert_eq!(seen.recv_timeout(deadline), Ok(1));
            }
            callers.extend((2..8).map(start));
            let begin = Instant::now();
            while gathering.state().waiting.len() < 6 {
                assert!(begin.elapsed() < deadline);
                thread::yield_now();
            }
            go_on.send(()).unwrap();
            assert_eq!(seen.recv_timeout(deadline), Ok(6));
            drop(go_on);
            callers
                .into_iter()
                .map(|caller| caller.join().unwrap())
                .collect()
        });
        let expected: Vec<Option<f64>> = (0..8).map(|number| Some(f64::from(number))).collect();
        assert_eq!(all, expected, "each has its own");
        assert_eq!(gathering.state().groups, 0);
    }

    #[test]
    fn a_pair_that_panics_leaves_every_caller_to_itself() {
        let gathering = Gathering::default();
        let panics = |_: &[&OwnedPair]| panic!("a decoder that panics");
        assert!(gathering.compare(&pair(1), panics).is_none());
        let compared = gathering.compare(&pair(2), |pairs| {
            pairs.iter().map(|pair| result(pair)).collect()
        });
        assert_eq!(number(compared), Some(2.0), "the next one is not held up");
    }

    #[test]
    fn groups_are_as_large_as_memory_allows() {
        let mut state = State::default();
        for pixels in [
            GROUP_PIXELS / 2,
            GROUP_PIXELS / 2,
            1,
            GROUP_PIXELS + 1,
            1,
            1,
        ] {
            state.waiting.push_back(Arc::new(Caller {
                pair: pair(0),
                pixels,
                answer: Mutex::default(),
            }));
        }
        let mut sizes = Vec::new();
        while let Some(group) = state.next_group() {
            sizes.push(group.len());
            state.groups = 0;
        }
        assert_eq!(sizes, [2, 1, 1, 2]);
    }
}
