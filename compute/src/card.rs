//! A graphics adapter to compare on: whether there is one, and whether it is worth using.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::backend::Backend;
use crate::contest::fastest;
use crate::error::Error;
use crate::gpu::{Gpu, NoHardware};
use crate::gpu_check::check_briefly;

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

/// How long opening an adapter and trying it may take: software needs a second or two, a driver that hangs never ends.
const PATIENCE: Duration = Duration::from_mins(1);

/// Any adapter, a software one included.
pub(crate) fn any() -> Result<Card, Error> {
    let open = || {
        let gpu = Gpu::open_any()?;
        asked_for(gpu).map_err(|(NoCard::Unused(why) | NoCard::Failed(why))| Error::Gpu(why))
    };
    in_time(open).unwrap_or_else(|late| Err(Error::Gpu(late)))
}

/// Any adapter once more, after one was lost.
pub(crate) fn any_again() -> Result<Card, NoCard> {
    any().map_err(|error| NoCard::Failed(error.to_string()))
}

/// A graphics card once more, after one was lost: software in its place would stay for good.
pub(crate) fn hardware_again() -> Result<Card, NoCard> {
    let open = || {
        let gpu = Gpu::open_hardware().map_err(|none| NoCard::Failed(none.to_string()))?;
        asked_for(gpu)
    };
    in_time(open).unwrap_or_else(|late| Err(NoCard::Failed(late)))
}

/// A graphics card that compares faster than the processor.
pub(crate) fn faster() -> Result<Card, NoCard> {
    let open = || {
        let gpu = Gpu::open_hardware().map_err(|none| match none {
            NoHardware::Absent(_) => NoCard::Unused(none.to_string()),
            NoHardware::Failed { .. } => NoCard::Failed(none.to_string()),
        })?;
        measured(gpu)
    };
    in_time(open).unwrap_or_else(|late| Err(NoCard::Failed(late)))
}

/// The same once more, after one was lost or failed: a driver that resets may hide its card for a moment.
pub(crate) fn faster_again() -> Result<Card, NoCard> {
    let open = || {
        let gpu = Gpu::open_hardware().map_err(|none| NoCard::Failed(none.to_string()))?;
        measured(gpu)
    };
    in_time(open).unwrap_or_else(|late| Err(NoCard::Failed(late)))
}

fn asked_for(gpu: Gpu) -> Result<Card, NoCard> {
    trust(&gpu)?;
    Ok(Card {
        gpu,
        reason: ASKED_FOR.to_owned(),
    })
}

fn measured(gpu: Gpu) -> Result<Card, NoCard> {
    trust(&gpu)?;
    match fastest(&gpu) {
        Ok((Backend::Gpu, reason)) => Ok(Card { gpu, reason }),
        Ok((Backend::Cpu, reason)) => Err(NoCard::Unused(reason)),
        Err(error) => Err(NoCard::Failed(format!(
            "{} failed in a short measurement: {error}",
            gpu.name()
        ))),
    }
}

/// Compares small pairs of every kind: a driver that makes something else of the shaders must not judge anybody's pages.
fn trust(gpu: &Gpu) -> Result<(), NoCard> {
    let rows = check_briefly(gpu).map_err(|error| {
        NoCard::Failed(format!("{} failed when it was tried: {error}", gpu.name()))
    })?;
    match rows.iter().find(|row| !row.is_equal()) {
        None => Ok(()),
        Some(row) => Err(NoCard::Unused(format!(
            "{} found something else than the CPU when it was tried ({}); pentimento-gpu-check tells more",
            gpu.name(),
            row.name
        ))),
    }
}

/// What comes of opening an adapter, or why nobody waits for it any longer: then it goes on by itself.
fn in_time<T: Send + 'static>(open: fn() -> T) -> Result<T, String> {
    let (answer, answered) = channel();
    // Who no longer waits has no use for it.
    let opening = move || drop(answer.send(open()));
    (thread::Builder::new()
        .name("open-gpu".into())
        .spawn(opening))
    .map_err(|error| format!("there is no thread to open the graphics driver: {error}"))?;
    answered.recv_timeout(PATIENCE).map_err(|why| match why {
        RecvTimeoutError::Timeout => format!(
            "the graphics driver did not answer within {} s",
            PATIENCE.as_secs()
        ),
        RecvTimeoutError::Disconnected => "the graphics driver broke off".to_owned(),
    })
}
