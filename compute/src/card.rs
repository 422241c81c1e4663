//! A graphics adapter to compare on: whether there is one, and whether it is worth using.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use wgpu::Adapter;

use crate::backend::Backend;
use crate::contest::fastest;
use crate::error::Error;
use crate::gpu::{Gpu, adapter};
use crate::gpu_check::parity::{check_briefly, check_resident_briefly};
use crate::gpu_check::parity_row::{Flaw, ParityRow};

/// An opened adapter.
#[derive(Debug)]
pub(crate) struct Card {
    pub(crate) gpu: Gpu,
    /// Why it compares, in one sentence.
    pub(crate) reason: String,
}

/// Why the processor compares instead, in one sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NoCard {
    /// It was measured to be slower, or there is none: waiting changes nothing.
    Unused(String),
    /// It is there and failed: it may work later.
    Failed(String),
}

const ASKED_FOR: &str = "a graphics adapter was asked for";

/// Bytes of the baselines that stay on the card while it is tried: more than a small pair's.
const TRIED_BYTES: u64 = 4 << 20;

/// How long looking for adapters may take, opening one and trying it, and measuring it: software needs a second or two, a driver that hangs never ends.
const PATIENCE: Duration = Duration::from_mins(1);

/// Any adapter, a software one where there is no other.
pub(crate) fn any() -> Result<Card, Error> {
    let adapters = in_time(adapter::candidates).map_err(Error::Gpu)?;
    if adapters.is_empty() {
        return Err(Error::NoAdapter);
    }
    match first_trusted(adapters) {
        Ok(gpu) => Ok(asked_for(gpu)),
        Err(NoCard::Unused(why) | NoCard::Failed(why)) => Err(Error::Gpu(why)),
    }
}

/// Any adapter as it is, or the one whose name has this in it: whoever asks tries it himself.
pub(crate) fn untried(name: Option<&str>) -> Result<Gpu, Error> {
    let name = name.map(str::to_owned);
    let open = move || match name {
        Some(name) => Gpu::open(&adapter::named(&name)?),
        None => Gpu::open_any(),
    };
    in_time(open).unwrap_or_else(|late| Err(Error::Gpu(late)))
}

/// Any adapter once more, after one was lost.
pub(crate) fn any_again() -> Result<Card, NoCard> {
    any().map_err(|error| NoCard::Failed(error.to_string()))
}

/// A graphics card once more, after one was lost: software in its place would stay for good.
pub(crate) fn hardware_again() -> Result<Card, NoCard> {
    let gpu = first_trusted(hardware(NoCard::Failed)?)?;
    Ok(asked_for(gpu))
}

/// A graphics card that compares faster than the processor.
pub(crate) fn faster() -> Result<Card, NoCard> {
    measured(first_trusted(hardware(NoCard::Unused)?)?)
}

/// The same once more, after one was lost or failed: a driver that resets may hide its card for a moment.
pub(crate) fn faster_again() -> Result<Card, NoCard> {
    measured(first_trusted(hardware(NoCard::Failed)?)?)
}

fn asked_for(gpu: Gpu) -> Card {
    Card {
        gpu,
        reason: ASKED_FOR.to_owned(),
    }
}

/// Graphics cards, the best first; what it means that there are none.
fn hardware(absent: fn(String) -> NoCard) -> Result<Vec<Adapter>, NoCard> {
    in_time(adapter::hardware)
        .map_err(NoCard::Failed)?
        .map_err(absent)
}

fn first_trusted(adapters: Vec<Adapter>) -> Result<Gpu, NoCard> {
    first(adapters, |adapter| {
        let open = move || {
            let name = adapter.get_info().name;
            if let Some(what) = adapter::lacks(&adapter.limits()) {
                return Err(NoCard::Unused(format!("{name} is too limited: {what}")));
            }
            let failed = |error| NoCard::Failed(format!("{name} could not be opened: {error}"));
            trust(Gpu::open(&adapter).map_err(failed)?)
        };
        in_time(open).unwrap_or_else(|late| Err(NoCard::Failed(late)))
    })
}

/// What comes of the first that opens, or what became of all: where one may work later, that is worth waiting for.
fn first<A, T>(adapters: Vec<A>, open: impl Fn(A) -> Result<T, NoCard>) -> Result<T, NoCard> {
    let (mut reasons, mut may_work_later) = (Vec::new(), false);
    for adapter in adapters {
        let why = match open(adapter) {
            Ok(opened) => return Ok(opened),
            Err(NoCard::Unused(why)) => why,
            Err(NoCard::Failed(why)) => {
                may_work_later = true;
                why
            }
        };
        tracing::warn!(why, "a graphics adapter is passed over");
        reasons.push(why);
    }
    let why = reasons.join("; ");
    Err(if may_work_later {
        NoCard::Failed(why)
    } else {
        NoCard::Unused(why)
    })
}

/// The adapter when it compares faster than the processor.
fn measured(gpu: Gpu) -> Result<Card, NoCard> {
    in_time(move || race(gpu)).unwrap_or_else(|late| Err(NoCard::Failed(late)))
}

fn race(gpu: Gpu) -> Result<Card, NoCard> {
    let why = match fastest(&gpu) {
        Ok((Backend::Gpu, reason)) => return Ok(Card { gpu, reason }),
        Ok((Backend::Cpu, reason)) => NoCard::Unused(reason),
        Err(error) => NoCard::Failed(format!(
            "{} failed in a short measurement: {error}",
            gpu.name()
        )),
    };
    // As long as its driver hangs, this thread does: see `Unanswered`.
    gpu.close();
    Err(why)
}

/// Compares small pairs of every kind, and one whose baseline stays on the card: a driver that makes something else of the shaders,
/// or of what it copies, must not judge anybody's pages. No baseline stays beyond that.
fn trust(gpu: Gpu) -> Result<Gpu, NoCard> {
    let (gpu, tried) = try_out(gpu);
    if let Err(why) = trusted(gpu.name(), tried) {
        // As long as its driver hangs, this thread does: see `Unanswered`.
        gpu.close();
        return Err(why);
    }
    Ok(gpu)
}

fn try_out(gpu: Gpu) -> (Gpu, Result<Vec<ParityRow>, Error>) {
    let tried = check_briefly(&gpu);
    let keeping = gpu.keep_baselines(TRIED_BYTES);
    let tried = tried.and_then(|mut rows| {
        rows.push(check_resident_briefly(&keeping)?);
        Ok(rows)
    });
    (keeping.keep_baselines(0), tried)
}

fn trusted(name: &str, tried: Result<Vec<ParityRow>, Error>) -> Result<(), NoCard> {
    let rows = tried
        .map_err(|error| NoCard::Failed(format!("{name} failed when it was tried: {error}")))?;
    let flawed = |row: &ParityRow| row.flaw().map(|flaw| (row.name.clone(), flaw));
    let Some((pair, flaw)) = rows.iter().find_map(flawed) else {
        return Ok(());
    };
    let more = "pentimento-gpu-check tells more";
    Err(match flaw {
        // Others fill it, and may not do so for ever.
        Flaw::NotResident => NoCard::Failed(format!(
            "{name} had no room for a small baseline when it was tried; {more}"
        )),
        Flaw::Undecided { .. } => NoCard::Unused(format!(
            "{name} left too much to the CPU when it was tried ({pair}: {flaw}); {more}"
        )),
        Flaw::Differs => NoCard::Unused(format!(
            "{name} found something else than the CPU when it was tried ({pair}); {more}"
        )),
    })
}

/// Threads in which a driver did not answer in time.
struct Unanswered(Mutex<Vec<JoinHandle<()>>>);

static UNANSWERED: Unanswered = Unanswered(Mutex::new(Vec::new()));

fn in_time<T: Send + 'static>(open: impl FnOnce() -> T + Send + 'static) -> Result<T, String> {
    UNANSWERED.in_time(PATIENCE, open)
}

impl Unanswered {
    /// What comes of opening an adapter, or why nobody waits for it any longer: then it goes on by itself, and no other is opened
    /// before it has ended.
    fn in_time<T: Send + 'static>(
        &self,
        patience: Duration,
        open: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, String> {
        if self.any() {
            return Err("the graphics driver has still not answered".to_owned());
        }
        let (answer, answered) = channel();
        // Who no longer waits has no use for it.
        let opening = move || drop(answer.send(open()));
        let thread = (thread::Builder::new()
            .name("open-gpu".into())
            .spawn(opening))
        .map_err(|error| format!("there is no thread to open the graphics driver: {error}"))?;
        answered.recv_timeout(patience).map_err(|why| match why {
            RecvTimeoutError::Timeout => {
                self.threads().push(thread);
                let waited = patience.as_secs();
                format!("the graphics driver did not answer within {waited} s")
            }
            RecvTimeoutError::Disconnected => "the graphics driver broke off".to_owned(),
        })
    }

    fn any(&self) -> bool {
        let mut threads = self.threads();
        threads.retain(|thread| !thread.is_finished());
        !threads.is_empty()
    }

    fn threads(&self) -> MutexGuard<'_, Vec<JoinHandle<()>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn a_driver_that_hangs_is_not_called_again_before_it_answers() {
        let (calls, deadline) = (Unanswered(Mutex::new(Vec::new())), Duration::from_mins(1));
        assert_eq!(calls.in_time(deadline, || 7), Ok(7));
        let broken = calls.in_time(deadline, || panic!("a driver that panics"));
        assert_eq!(
            broken,
            Err::<(), _>("the graphics driver broke off".to_owned())
        );
        let (go_on, may_go_on) = channel::<()>();
        let hangs = move || may_go_on.recv().unwrap_or_default();
        let late = calls.in_time(Duration::from_millis(20), hangs);
        assert!(late.unwrap_err().contains("did not answer within"));
        let refused = calls.in_time(deadline, || 7);
        assert!(refused.unwrap_err().contains("still not answered"));
        drop(go_on);
        let begin = Instant::now();
        while calls.any() {
            assert!(begin.elapsed() < deadline);
            thread::yield_now();
        }
        assert_eq!(calls.in_time(deadline, || 7), Ok(7));
    }

    #[test]
    fn the_first_adapter_that_opens_is_taken() {
        let failed = |why: &str| Err(NoCard::Failed(why.into()));
        let unused = |why: &str| Err(NoCard::Unused(why.into()));
        let of = |all: Vec<Result<u32, NoCard>>| first(all, |one| one);
        assert_eq!(of(vec![failed("a"), unused("b"), Ok(3), Ok(4)]), Ok(3));
        assert_eq!(of(vec![unused("a"), unused("b")]), unused("a; b"));
        assert_eq!(of(vec![failed("a"), unused("b")]), failed("a; b"));
        assert_eq!(of(vec![unused("a"), failed("b")]), failed("a; b"));
    }

    #[test]
    fn an_adapter_that_finds_something_else_is_not_trusted() {
        let gpu = Gpu::open_any().expect("no adapter to test on");
        let (gpu, rows) = try_out(gpu);
        let rows = rows.unwrap();
        assert!(rows.last().unwrap().resident_rows > Some(0));
        assert!(trusted("it", Ok(rows.clone())).is_ok());
        let spoils: [fn(&mut ParityRow); 5] = [
            |row| row.color_delta = false,
            |row| row.antialias = false,
            |row| row.tiles = false,
            |row| row.score_difference = 2e-4,
            |row| row.score_difference = f64::NAN,
        ];
        for spoil in spoils {
            let mut rows = rows.clone();
            spoil(rows.last_mut().unwrap());
            let refused = trusted("it", Ok(rows));
            assert!(matches!(refused, Err(NoCard::Unused(why)) if why.contains("something else")));
        }
        let mut idle = rows.clone();
        idle.last_mut().unwrap().left_to_host = u64::MAX;
        let refused = trusted("it", Ok(idle));
        assert!(matches!(refused, Err(NoCard::Unused(why)) if why.contains("left too much")));
        let full = trusted("it", check_resident_briefly(&gpu).map(|row| vec![row]));
        assert!(matches!(full, Err(NoCard::Failed(why)) if why.contains("no room")));
        let failed = trusted("it", Err(Error::Gpu("it hung".into())));
        assert!(matches!(failed, Err(NoCard::Failed(why)) if why.contains("it hung")));
    }
}
