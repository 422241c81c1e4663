//! A graphics adapter to compare on: whether there is one, and whether it is worth using.

use crate::backend::Backend;
use crate::contest::fastest;
use crate::error::Error;
use crate::gpu::{Gpu, NoHardware};

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

/// Any adapter, a software one included.
pub(crate) fn any() -> Result<Card, Error> {
    Ok(Card {
        gpu: Gpu::open_any()?,
        reason: ASKED_FOR.to_owned(),
    })
}

/// Any adapter once more, after one was lost.
pub(crate) fn any_again() -> Result<Card, NoCard> {
    any().map_err(|error| NoCard::Failed(error.to_string()))
}

/// A graphics card once more, after one was lost: software in its place would stay for good.
pub(crate) fn hardware_again() -> Result<Card, NoCard> {
    let gpu = Gpu::open_hardware().map_err(|none| NoCard::Failed(none.to_string()))?;
    Ok(Card {
        gpu,
        reason: ASKED_FOR.to_owned(),
    })
}

/// A graphics card that compares faster than the processor.
pub(crate) fn faster() -> Result<Card, NoCard> {
    let gpu = Gpu::open_hardware().map_err(|none| match none {
        NoHardware::Absent(_) => NoCard::Unused(none.to_string()),
        NoHardware::Failed { .. } => NoCard::Failed(none.to_string()),
    })?;
    measured(gpu)
}

/// The same once more, after one was lost or failed: a driver that resets may hide its card for a moment.
pub(crate) fn faster_again() -> Result<Card, NoCard> {
    let gpu = Gpu::open_hardware().map_err(|none| NoCard::Failed(none.to_string()))?;
    measured(gpu)
}

fn measured(gpu: Gpu) -> Result<Card, NoCard> {
    match fastest(&gpu) {
        Ok((Backend::Gpu, reason)) => Ok(Card { gpu, reason }),
        Ok((Backend::Cpu, reason)) => Err(NoCard::Unused(reason)),
        Err(error) => Err(NoCard::Failed(format!(
            "{} failed in a short measurement: {error}",
            gpu.name()
        ))),
    }
}
