//! The options of `bench`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use super::contender::Tool;

pub(super) const USAGE: &str = "\
Usage: cargo run -p xtask -- bench [options]

  --rounds N          measurements of each tool on each pair, 7 by default; before each, the same is done without being measured
  --only TOOLS        of pentimento, odiff, blazediff, pixelmatch, honeydiff; separated by commas
  --pairs TEXT        only pairs whose name contains the text
  --corpus FOLDER     the pictures, with a manifest.json; also PENTIMENTO_CORPUS. By default ../shared/corpus beside the
                      checkout, and without it one that is made of the demo site
  --pentimento PATH   our program, by default the release build, with `pentimento-diff` beside it
  --warm PATH         our warm process, by default the release build of the example `warm`, with `load` beside it
  --stages FILE       what the in-process benchmarks printed, to be taken into the page
  --out FILE          the page, docs/benchmarks.md by default
  --deadline SECONDS  longest time for one comparison, 60 by default; whoever is not done is ended and reported";

/// The settings of a run.
pub(super) struct Options {
    pub(super) rounds: usize,
    /// Empty for all.
    pub(super) only: Vec<Tool>,
    pub(super) pairs: Option<String>,
    pub(super) corpus: Option<PathBuf>,
    pub(super) pentimento: Option<PathBuf>,
    pub(super) warm: Option<PathBuf>,
    pub(super) stages: Option<PathBuf>,
    pub(super) out: Option<PathBuf>,
    pub(super) deadline: Duration,
}

impl Options {
    /// `None` when only the usage is asked for.
    pub(super) fn parse(arguments: &[&str]) -> Result<Option<Self>> {
        let mut options = Self {
            rounds: 7,
            only: Vec::new(),
            pairs: None,
            corpus: None,
            pentimento: None,
            warm: None,
            stages: None,
            out: None,
            deadline: Duration::from_mins(1),
        };
        let mut arguments = arguments.iter();
        while let Some(&name) = arguments.next() {
            if matches!(name, "--help" | "-h") {
                return Ok(None);
            }
            let value = *arguments
                .next()
                .with_context(|| format!("`{name}` needs a value\n\n{USAGE}"))?;
            options.set(name, value)?;
        }
        Ok(Some(options))
    }

    fn set(&mut self, name: &str, value: &str) -> Result<()> {
        let path = || Some(PathBuf::from(value));
        let number = || {
            value
                .parse::<u32>()
                .with_context(|| format!("`{name} {value}` is no number"))
        };
        match name {
            "--rounds" => self.rounds = number()? as usize,
            "--only" => self.only = value.split(',').map(Tool::parse).collect::<Result<_>>()?,
            "--pairs" => self.pairs = Some(value.to_owned()),
            "--corpus" => self.corpus = path(),
            "--pentimento" => self.pentimento = path(),
            "--warm" => self.warm = path(),
            "--stages" => self.stages = path(),
            "--out" => self.out = path(),
            "--deadline" => self.deadline = Duration::from_secs(number()?.into()),
            _ => bail!("no such option: `{name}`\n\n{USAGE}"),
        }
        ensure!(self.rounds > 0, "at least one round is needed for a median");
        Ok(())
    }

    pub(super) fn wants(&self, tool: Tool) -> bool {
        self.only.is_empty() || self.only.contains(&tool)
    }
}
