//! Timing what is done again and again.

use std::time::Instant;

use crate::error::Error;

/// Seconds of the shortest of some runs, after a first one that prepares what later ones reuse.
pub(crate) fn shortest(
    runs: u32,
    mut run: impl FnMut() -> Result<(), Error>,
) -> Result<f64, Error> {
    shortest_after(runs, || Ok(()), |()| run())
}

/// The same where each run needs something that is made before it and not timed.
pub(crate) fn shortest_after<T>(
    runs: u32,
    mut prepare: impl FnMut() -> Result<T, Error>,
    mut run: impl FnMut(T) -> Result<(), Error>,
) -> Result<f64, Error> {
    run(prepare()?)?;
    let mut shortest = f64::INFINITY;
    for _ in 0..runs {
        let prepared = prepare()?;
        let start = Instant::now();
        run(prepared)?;
        shortest = shortest.min(start.elapsed().as_secs_f64());
    }
    Ok(shortest)
}
