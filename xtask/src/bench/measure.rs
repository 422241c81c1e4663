//! All contenders on all pairs: in every round each compares twice in a row, of which the second counts, and every round begins
//! with another.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::contender::{Contender, OdiffOutput, Tool, Way};
use super::corpus::Pair;
use super::options::Options;
use super::process;
use super::results::{Results, Sample};
use super::rivals::Programs;
use super::server::Server;

/// A contender and what it keeps between comparisons.
struct Runner<'a> {
    contender: Contender,
    programs: &'a Programs,
    output: PathBuf,
    deadline: Duration,
    server: Option<Server>,
    /// The pair whose captures the server has.
    ingested: Option<String>,
}

/// What one comparison gave.
struct Answer {
    took: Sample,
    changed: Option<u64>,
}

/// Measures; a contender that fails on a pair is reported and left out there.
pub(super) fn measure(
    programs: &Programs,
    contenders: Vec<Contender>,
    pairs: Vec<Pair>,
    options: &Options,
    work: &Path,
) -> Result<Results> {
    let outputs = work.join("out");
    std::fs::create_dir_all(&outputs)
        .with_context(|| format!("{} cannot be made", outputs.display()))?;
    let mut results = Results::new(contenders, pairs);
    let mut runners: Vec<Runner> = (results.contenders.iter().enumerate())
        .map(|(place, &contender)| Runner {
            contender,
            programs,
            output: outputs.join(format!("{place}.png")),
            deadline: options.deadline,
            server: None,
            ingested: None,
        })
        .collect();
    println!(
        "{} contenders, {} pairs, {} rounds of each and one before them that does not count",
        runners.len(),
        results.pairs.len(),
        options.rounds
    );
    for pair in 0..results.pairs.len() {
        let begun = Instant::now();
        // Round 0 does not count: it fills caches, and lets compilers in warm processes do their work.
        for round in 0..=options.rounds {
            for turn in 0..runners.len() {
                let place = (turn + round) % runners.len();
                step(&mut results, &mut runners[place], place, pair, round > 0);
            }
        }
        println!(
            "  {:2}/{} {} ({} × {}), {:.0} s",
            pair + 1,
            results.pairs.len(),
            results.pairs[pair].name,
            results.pairs[pair].width,
            results.pairs[pair].height,
            begun.elapsed().as_secs_f64()
        );
    }
    Ok(results)
}

fn step(results: &mut Results, runner: &mut Runner<'_>, place: usize, pair: usize, counts: bool) {
    let cell = &mut results.cells[place][pair];
    if cell.failure.is_some() {
        return;
    }
    let pair_of = &results.pairs[pair];
    let compared = if counts {
        // Some hosts take from a guest within moments what memory it does not use, and each page of it that is touched then takes
        // microseconds to come back: what is measured has just done the same.
        runner
            .compare(pair_of)
            .and_then(|_| runner.compare(pair_of))
    } else {
        runner.compare(pair_of)
    };
    match compared {
        Ok(answer) => {
            cell.changed = answer.changed;
            cell.output_bytes = std::fs::metadata(&runner.output)
                .ok()
                .map(|file| file.len());
            if counts {
                cell.samples.push(answer.took);
            }
        }
        Err(error) => {
            println!(
                "  {} failed on {}: {error:#}",
                runner.contender.label, results.pairs[pair].name
            );
            cell.failure = Some(format!("{error:#}"));
            cell.samples.clear();
            // The next pair gets a new one.
            (runner.server, runner.ingested) = (None, None);
        }
    }
}

impl Runner<'_> {
    fn compare(&mut self, pair: &Pair) -> Result<Answer> {
        // So that nobody pays for emptying an old file, and none is taken for new.
        if self.output.exists() {
            std::fs::remove_file(&self.output)?;
        }
        match self.contender.way {
            Way::Process | Way::ServiceProcess | Way::LoadProcess => self.compare_in_process(pair),
            Way::OdiffServer(_) | Way::Lines(_) => self.compare_warm(pair),
        }
    }

    fn compare_in_process(&self, pair: &Pair) -> Result<Answer> {
        let tool = self.contender.tool;
        let mut command = self.contender.command(self.programs, pair, &self.output);
        let done = process::run(&mut command, self.deadline)?;
        match done.code {
            Some(0) => Ok(Answer {
                took: done.took,
                changed: Some(0),
            }),
            Some(code) if code == tool.different() => {
                let changed = changed_pixels(tool, &done.stdout);
                Ok(Answer {
                    took: done.took,
                    // blazediff ends so, and at once, for pictures of unequal size too.
                    changed: Some(changed.context("it did not say how many pixels changed")?),
                })
            }
            Some(code) => bail!(
                "it ended with {code}: {}",
                done.stderr.lines().next().unwrap_or_default()
            ),
            None => bail!("a signal ended it"),
        }
    }

    fn compare_warm(&mut self, pair: &Pair) -> Result<Answer> {
        let request = self.request(pair)?;
        let ingests = self.contender.wants_stored() && self.ingested.as_ref() != Some(&pair.name);
        if self.server.is_none() {
            self.server = Some(self.start()?);
        }
        let server = self.server.as_mut().context("it was just started")?;
        if ingests {
            for path in [&pair.baseline, &pair.current] {
                server.ask(&format!("ingest\t{}", path.display()))?;
            }
            self.ingested = Some(pair.name.clone());
        }
        let (took, answer) = server.ask_timed(&request)?;
        let changed = match answer["match"].as_bool() {
            Some(true) => Some(0),
            _ => answer["changed"].as_u64().or(answer["diffCount"].as_u64()),
        };
        Ok(Answer { took, changed })
    }

    fn start(&self) -> Result<Server> {
        let mut command = self
            .contender
            .server(self.programs, &self.output)
            .context("it has no warm process")?;
        let mut server = Server::start(&mut command, self.deadline)?;
        if matches!(self.contender.way, Way::OdiffServer(_)) {
            // It says {"ready":true}.
            server.answer()?;
        }
        Ok(server)
    }

    fn request(&self, pair: &Pair) -> Result<String> {
        let (baseline, current) = (path_text(&pair.baseline)?, path_text(&pair.current)?);
        Ok(match self.contender.way {
            Way::Process | Way::ServiceProcess | Way::LoadProcess => {
                bail!("a process takes arguments")
            }
            Way::Lines(mode) => format!("{mode}\t{baseline}\t{current}\t1"),
            Way::OdiffServer(output) => json!({
                "requestId": 1,
                "base": baseline,
                "compare": current,
                "output": path_text(&self.output)?,
                "options": {
                    "threshold": 0.1,
                    "antialiasing": true,
                    "outputDiffMask": output == OdiffOutput::Mask,
                },
            })
            .to_string(),
        })
    }
}

fn path_text(path: &Path) -> Result<&str> {
    path.to_str()
        .with_context(|| format!("{} is no UTF-8", path.display()))
}

/// What a command line says about the number of changed pixels.
fn changed_pixels(tool: Tool, stdout: &str) -> Option<u64> {
    let field = |names: &[&str]| {
        let answer: Value = serde_json::from_str(stdout).ok()?;
        names.iter().find_map(|name| answer[name].as_u64())
    };
    match tool {
        Tool::Pentimento => field(&["changedPixels", "changed_pixels"]),
        Tool::Odiff => stdout.split(';').next()?.trim().parse().ok(),
        Tool::Blazediff => field(&["diffCount"]),
        Tool::Pixelmatch => {
            let line = stdout
                .lines()
                .find_map(|line| line.strip_prefix("different pixels: "))?;
            line.trim().parse().ok()
        }
        Tool::Honeydiff => field(&["changed"]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_says_its_number_in_its_own_way() {
        for (tool, stdout) in [
            (Tool::Pentimento, "{\"changedPixels\": 547}"),
            (Tool::Odiff, "547;0.01\n"),
            (Tool::Blazediff, "{\"diffCount\":547,\"identical\":false}"),
            (
                Tool::Pixelmatch,
                "matched in: 20ms\ndifferent pixels: 547\nerror: 0%\n",
            ),
            (Tool::Honeydiff, "{\"changed\":547}\n"),
        ] {
            assert_eq!(changed_pixels(tool, stdout), Some(547), "{tool:?}");
            assert_eq!(changed_pixels(tool, "no number"), None, "{tool:?}");
        }
    }
}
