//! Captures a site made to flake again and again, and says how often each page was called changed though nobody changed it:
//! by a naive capture, which takes the picture as soon as a page has loaded, and by the service. Then captures the bundled
//! demo site again and again, and says whether all pictures of a page are the same to the byte. `make soak` runs it.

mod identical;
mod naive;
mod site;
mod steady;

use clap::Parser;
use pentimento::config::CaptureSettings;

#[derive(Parser)]
struct Settings {
    /// How often each page is captured.
    #[arg(long, default_value_t = 20)]
    runs: usize,

    #[command(flatten)]
    capture: CaptureSettings,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let settings = Settings::parse();
    let runs = settings.runs;
    let site = site::start().await?;
    println!(
        "A site made to flake, {} pages, each captured {runs} times",
        site::PAGES.len()
    );
    let naive = naive::count_changes(&settings.capture, &site, runs).await?;
    let ours = steady::count_changes(&settings.capture, &site, runs).await?;
    println!(
        "\n{:12} {:>14} {:>14} {:>9} {:>9}",
        "page", "naive: changed", "ours: changed", "unstable", "errors"
    );
    for (number, page) in site::PAGES.iter().enumerate() {
        let counts = ours[number];
        println!(
            "{:12} {:>14} {:>14} {:>9} {:>9}",
            page.path, naive[number], counts.changed, counts.unstable, counts.errors
        );
    }
    let total = |of: fn(&steady::Counts) -> usize| ours.iter().map(of).sum::<usize>();
    let (changed, unstable, errors) = (
        total(|of| of.changed),
        total(|of| of.unstable),
        total(|of| of.errors),
    );
    println!(
        "{:12} {:>14} {:>14} {:>9} {:>9}",
        "all",
        naive.iter().sum::<usize>(),
        changed,
        unstable,
        errors
    );
    let different = identical::count_pictures(&settings.capture, runs).await?;
    anyhow::ensure!(
        changed == 0 && errors == 0,
        "{changed} false changes and {errors} errors"
    );
    anyhow::ensure!(
        different == 0,
        "{different} pages of the demo site have more than one picture"
    );
    Ok(())
}
