//! The bundled demo site, captured by our own browsers: whether all pictures of a page are the same to the byte, with one page
//! at a time and with four.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use anyhow::Context;
use futures::{StreamExt, TryStreamExt};
use pentimento::capture::pool::BrowserPool;
use pentimento::capture::{CaptureRequest, devices};
use pentimento::config::CaptureSettings;
use pentimento::demo::site::{DemoSite, PAGES};
use pentimento::proxy::Proxy;
use pentimento::target::TargetPolicy;

/// Pages of the demo site that are captured.
const FIRST_PAGES: usize = 10;

/// How many pages are captured at once.
const TABS: [usize; 2] = [1, 4];

/// Time that one page may take.
const BUDGET: Duration = Duration::from_mins(1);

/// Prints how many different pictures each page has, and returns how many pages have more than one.
pub(crate) async fn count_pictures(
    settings: &CaptureSettings,
    runs: usize,
) -> anyhow::Result<usize> {
    let site = DemoSite::start().await?;
    println!("\nThe demo site, different pictures of {runs} captures of a page");
    let mut different = 0;
    for tabs in TABS {
        let profiles = tempfile::tempdir()?;
        let pool = BrowserPool::new(settings, profiles.path().to_owned());
        let begun = Instant::now();
        // Page by page in turn, so that captures of different pages meet.
        let captures = (0..runs * FIRST_PAGES).map(|number| number % FIRST_PAGES);
        let pictures: Vec<(usize, Vec<u8>)> = futures::stream::iter(captures)
            .map(|page| {
                let (pool, origin) = (&pool, site.origin());
                async move { anyhow::Ok((page, take(pool, &origin, PAGES[page].0).await?)) }
            })
            .buffer_unordered(tabs)
            .try_collect()
            .await?;
        let pace = pictures.len() as f64 / begun.elapsed().as_secs_f64();
        println!("{tabs} at once ({pace:.1} pages/s)");
        for (page, (path, _)) in PAGES.iter().enumerate().take(FIRST_PAGES) {
            let of_page = pictures.iter().filter(|(number, _)| *number == page);
            let distinct: HashSet<&[u8]> = of_page.map(|(_, png)| png.as_slice()).collect();
            println!("  {path:24} {}", distinct.len());
            different += usize::from(distinct.len() > 1);
        }
        pool.close().await;
    }
    site.stop().await;
    Ok(different)
}

async fn take(pool: &BrowserPool, origin: &str, path: &str) -> anyhow::Result<Vec<u8>> {
    let device = devices::find(devices::DEFAULT).context("a device that there always is")?;
    let request = CaptureRequest::plain(format!("{origin}{path}").parse()?, device, BUDGET);
    // The site is on loopback.
    let proxy = Proxy::start(TargetPolicy::new(Vec::new(), true)).await?;
    Ok(pool.capture(&request, &proxy).await?.screenshot)
}
