//! Timing what is done again and again.

use std::time::{Duration, Instant};

use crate::error::Error;

/// Seconds of the shortest of some runs, after a first one that prepares what later ones reuse.
pub(crate) fn shortest(
    runs: u32,
    mut run: impl FnMut() -> Result<(), Error>,
) -> Result<f64, Error> {
    shortest_after(runs, || Ok(()), |()| run())
}

/// The same, of as many runs more as it takes to last so long: a card raises its clocks only once it has been busy for a while.
pub(crate) fn shortest_lasting(
    duration: Duration,
    runs: u32,
    mut run: impl FnMut() -> Result<(), Error>,
) -> Result<f64, Error> {
    let start = Instant::now();
    let mut seconds = shortest(runs, &mut run)?;
    while start.elapsed() < duration {
        let start = Instant::now();
        run()?;
        seconds = seconds.min(start.elapsed().as_secs_f64());
    }
    Ok(seconds)
}

/// The shortest of some runs where each needs something that is made before it and not timed.
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
