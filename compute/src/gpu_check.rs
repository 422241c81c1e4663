//! Checks a machine's graphics adapter: every stage against the processor on pairs made here, and
//! how fast both are. The program `pentimento-gpu-check` prints what this finds.

mod parity;
mod report;
mod speed;

use crate::error::Error;
use crate::gpu::Gpu;

pub use parity::ParityRow;
pub use report::Report;
pub use speed::{BatchRow, Speed, SpeedRow};

/// How much is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Extent {
    /// Pages as long as real ones and batches of 256; a minute or two with a card.
    #[default]
    Full,
    /// Small pages and batches: for software adapters.
    Quick,
}

/// Checks the best adapter of the machine, a software one included; tells `progress` what comes
/// next.
///
/// # Errors
/// [`Error::NoAdapter`] when there is none; [`Error::Gpu`] when it fails. A difference between
/// both paths is no error, see [`Report::is_equal`].
pub fn run(extent: Extent, progress: impl Fn(&str)) -> Result<Report, Error> {
    let gpu = Gpu::open_any()?;
    let found = gpu.report("");
    Ok(Report {
        adapter: found.adapter.unwrap_or_default(),
        driver: found.driver.unwrap_or_default(),
        kind: gpu.kind(),
        cpu_threads: rayon::current_num_threads(),
        extent,
        parity: parity::check(&gpu, extent, &progress)?,
        speed: speed::measure(&gpu, extent, &progress)?,
    })
}
