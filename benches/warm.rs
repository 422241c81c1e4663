//! A warm process that compares pairs on request: what `make bench` sets against the other tools' warm processes.
//!
//! A line on standard input is `mode <tab> baseline <tab> current <tab> repetitions`, both by path:
//!
//! - `png` reads and decodes both files every time, as other tools do;
//! - `stored` compares captures as the service keeps them, ingested beforehand by a line `ingest <tab> path`. The service
//!   names blobs by their hash, so captures of the same bytes are found equal by their keys;
//! - `load` only loads such captures as `stored` does, and compares nothing: no pixel is `changed`.
//!
//! Every line is answered by one of JSON: `{"wall_ns", "cpu_ns", "changed"}` for all the repetitions, `{}` for `ingest`,
//! or `{"error"}`.

use std::collections::HashMap;
use std::io::{BufRead, Write, stdin, stdout};
use std::time::Instant;

use pentimento_compute::{
    BackendChoice, Comparator, CompareOptions, Picture, Unaligned, to_strips,
};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

type Failure = Box<dyn std::error::Error>;

/// A capture as the service keeps it.
struct Capture {
    key: [u8; 32],
    blob: Vec<u8>,
}

struct Warm {
    comparator: Comparator,
    options: CompareOptions,
    captures: HashMap<String, Capture>,
}

fn main() -> Result<(), Failure> {
    let mut warm = Warm {
        comparator: Comparator::new(BackendChoice::Cpu)?,
        options: CompareOptions::default(),
        captures: HashMap::new(),
    };
    let mut answers = stdout().lock();
    for line in stdin().lock().lines() {
        let answer = warm
            .answer(&line?)
            .unwrap_or_else(|error| json!({ "error": error.to_string() }));
        writeln!(answers, "{answer}")?;
        answers.flush()?;
    }
    Ok(())
}

impl Warm {
    fn answer(&mut self, line: &str) -> Result<Value, Failure> {
        let fields: Vec<&str> = line.split('\t').collect();
        match fields[..] {
            ["ingest", path] => {
                self.captures.insert(path.to_owned(), ingested(path)?);
                Ok(json!({}))
            }
            ["png", baseline, current, repetitions] => {
                timed(repetitions, || self.compare_files(baseline, current))
            }
            ["stored", baseline, current, repetitions] => {
                timed(repetitions, || self.compare_stored(baseline, current))
            }
            ["load", baseline, current, repetitions] => {
                timed(repetitions, || self.load_stored(baseline, current))
            }
            _ => Err("the line is neither `ingest` nor a comparison".into()),
        }
    }

    fn compare_files(&self, baseline: &str, current: &str) -> Result<u64, Failure> {
        let (baseline, current) = (std::fs::read(baseline)?, std::fs::read(current)?);
        let comparison = self
            .comparator
            .compare(&baseline, &current, &self.options)?;
        Ok(comparison.changed_pixels)
    }

    fn compare_stored(&self, baseline: &str, current: &str) -> Result<u64, Failure> {
        let Some([baseline, current]) = self.unequal_captures(baseline, current)? else {
            return Ok(0);
        };
        let comparison = self.comparator.compare(baseline, current, &self.options)?;
        Ok(comparison.changed_pixels)
    }

    fn load_stored(&self, baseline: &str, current: &str) -> Result<u64, Failure> {
        if let Some([baseline, current]) = self.unequal_captures(baseline, current)? {
            Unaligned::load(baseline, current)?;
        }
        Ok(0)
    }

    /// `None` when their keys say that they are the same.
    fn unequal_captures(
        &self,
        baseline: &str,
        current: &str,
    ) -> Result<Option<[Picture<'_>; 2]>, Failure> {
        let capture = |path| self.captures.get(path).ok_or("ingest it first");
        let pair = [capture(baseline)?, capture(current)?];
        Ok(
            (pair[0].key != pair[1].key)
                .then(|| pair.map(|capture| Picture::strips(&capture.blob))),
        )
    }
}

fn ingested(path: &str) -> Result<Capture, Failure> {
    let png = std::fs::read(path)?;
    Ok(Capture {
        key: Sha256::digest(&png).into(),
        blob: to_strips(&png)?,
    })
}

/// Runs it as often as asked, and says what that took.
fn timed(
    repetitions: &str,
    mut compare: impl FnMut() -> Result<u64, Failure>,
) -> Result<Value, Failure> {
    let repetitions: u32 = repetitions.parse()?;
    let (begun, cpu_begun) = (Instant::now(), process_cpu_ns());
    let mut changed = 0;
    for _ in 0..repetitions {
        changed = compare()?;
    }
    Ok(json!({
        "cpu_ns": process_cpu_ns() - cpu_begun,
        "wall_ns": u64::try_from(begun.elapsed().as_nanos())?,
        "changed": changed,
    }))
}

/// CPU time of all threads of this process, in nanoseconds.
fn process_cpu_ns() -> i64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}
