//! Checks a machine's graphics adapter: every stage against the processor on pairs made here, and
//! how fast both are. The program `pentimento-gpu-check` prints what this finds.

mod case;
mod extent;
pub(crate) mod parity;
pub(crate) mod parity_row;
mod report;
mod speed;

use crate::card;
use crate::error::Error;

pub use extent::Extent;
pub use parity_row::{Flaw, ParityRow};
pub use report::Report;
pub use speed::{BatchRow, FillRow, Speed, SpeedRow};

/// Bytes of baselines that stay on the card where that is checked: some pages of the full extent.
const RESIDENT_BYTES: u64 = 64 << 20;

/// Checks the best adapter of the machine, a software one where there is no other, or the one whose name has `adapter` in it; tells
/// `progress` what comes next.
///
/// # Errors
/// [`Error::NoAdapter`] when there is none, [`Error::NoSuchAdapter`] of that name; [`Error::Gpu`] when it does not open within a minute, or fails before both paths were compared. A difference between
/// them is no error, see [`Report::is_right`], and neither are figures that could not be had, see [`Report::speed`].
pub fn run(
    extent: Extent,
    adapter: Option<&str>,
    progress: impl Fn(&str),
) -> Result<Report, Error> {
    let gpu = card::untried(adapter)?;
    let found = gpu.report("");
    let mut parity = parity::check(&gpu, extent, &progress)?;
    let keeping = gpu.keep_baselines(RESIDENT_BYTES);
    parity.extend(parity::check_residents(&keeping, extent, &progress)?);
    let gpu = keeping.keep_baselines(0);
    // What was found so far is worth telling whatever becomes of the figures.
    let speed = speed::measure(&gpu, extent, &progress).map_err(|error| error.to_string());
    Ok(Report {
        adapter: found.adapter.unwrap_or_default(),
        driver: found.driver.unwrap_or_default(),
        kind: gpu.kind(),
        cpu_threads: rayon::current_num_threads(),
        extent,
        parity,
        speed,
    })
}
