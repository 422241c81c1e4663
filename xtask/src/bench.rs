//! `make bench`: other tools and ours, interleaved on the same pairs, and what came of it as `docs/benchmarks.md`.

mod contender;
mod corpus;
mod demo;
mod demo_corpus;
mod document;
mod machine;
mod measure;
mod options;
mod process;
mod results;
mod rivals;
mod server;
mod stages;
mod statistics;
mod tables;
mod targets;

use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::cargo;
use contender::Tool;
use options::Options;

/// Measures, prints and writes; `arguments` are those after `bench`.
pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    let Some(options) = Options::parse(arguments)? else {
        println!("{}", options::USAGE);
        return Ok(());
    };
    let folders = cargo::folders()?;
    let work = folders.target.join("bench");
    std::fs::create_dir_all(&work).with_context(|| format!("{} cannot be made", work.display()))?;

    let rivals = rivals::install(&folders.workspace.join("benches/rivals"), &work)?;
    let programs = rivals.with_ours(
        options
            .pentimento
            .clone()
            .unwrap_or_else(|| folders.target.join("release/pentimento")),
        options
            .warm
            .clone()
            .unwrap_or_else(|| folders.target.join("release/examples/warm")),
    );
    let (corpus, origin) = corpus_to_use(&options, &folders, &work)?;
    let pairs = corpus.pairs(options.pairs.as_deref())?;
    let contenders = contender::all(&options.only);
    if options.wants(Tool::Pentimento) {
        for program in [
            &programs.pentimento,
            &programs.pentimento_diff(),
            &programs.warm,
            &programs.load(),
        ] {
            ensure!(
                program.exists(),
                "{} is missing: run `make bench`, which builds it, or leave ours out with --only",
                program.display()
            );
        }
    }
    let results = measure::measure(&programs, contenders, pairs, &options, &work)?;

    let stages = (options.stages.as_deref()).map(read_stages).transpose()?;
    let report = document::Report {
        machine: machine::describe(),
        versions: programs.versions(&options),
        origin,
        rounds: options.rounds,
        results: &results,
        stages: stages.as_deref(),
    };
    println!("\n{}", report.terminal());
    let page =
        (options.out.clone()).unwrap_or_else(|| folders.workspace.join("docs/benchmarks.md"));
    report.write(&page)?;
    println!("\nWritten: {}", page.display());
    Ok(())
}

/// The corpus that was named, the one beside the checkout, or one made of the demo site; and where it comes from, in words.
fn corpus_to_use(
    options: &Options,
    folders: &cargo::Folders,
    work: &Path,
) -> Result<(corpus::Corpus, &'static str)> {
    let beside = folders.workspace.join("../shared/corpus");
    let named = options
        .corpus
        .clone()
        .or_else(|| std::env::var_os("PENTIMENTO_CORPUS").map(Into::into));
    if let Some(folder) = named.or_else(|| beside.is_dir().then_some(beside)) {
        return Ok((
            corpus::Corpus::read(&folder)?,
            "screenshots of public sites, full pages and viewports, each beside a changed copy",
        ));
    }
    let pentimento = options
        .pentimento
        .clone()
        .unwrap_or_else(|| folders.target.join("release/pentimento"));
    let corpus = demo_corpus::read_or_make(&pentimento, &work.join("corpus"))?;
    Ok((
        corpus,
        "the demo site in its two versions, rendered by our own capture",
    ))
}

fn read_stages(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))
}
