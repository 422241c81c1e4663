//! The naive capture: open, wait for the load event, take the picture.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use chromiumoxide::cdp::browser_protocol::emulation::SetDeviceMetricsOverrideParams;
use chromiumoxide::cdp::browser_protocol::page::CaptureScreenshotFormat;
use chromiumoxide::page::ScreenshotParams;
use chromiumoxide::{Browser, BrowserConfig};
use futures::StreamExt;
use pentimento::capture::find_program;
use pentimento::config::CaptureSettings;

use crate::site::{PAGES, Site};

/// Time that one page may take.
const BUDGET: Duration = Duration::from_mins(1);

/// For each page, how many of its later pictures differ from its first.
pub(crate) async fn count_changes(
    settings: &CaptureSettings,
    site: &Site,
    runs: usize,
) -> anyhow::Result<Vec<usize>> {
    let profile = tempfile::tempdir()?;
    let config = BrowserConfig::builder()
        .chrome_executable(find_program(settings.browser.as_ref())?)
        .user_data_dir(profile.path())
        .no_sandbox()
        .viewport(None)
        .disable_cache()
        .build()
        .map_err(anyhow::Error::msg)?;
    let (mut browser, mut events) = Browser::launch(config).await?;
    let handler = tokio::spawn(async move { while events.next().await.is_some() {} });
    let browser_ref = &browser;
    let pages = futures::stream::iter(0..PAGES.len()).map(|number| async move {
        let mut first = None;
        let mut changes = 0;
        for _ in 0..=runs {
            let address = site.address(number);
            let picture = tokio::time::timeout(BUDGET, take(browser_ref, &address));
            let picture = Arc::new(picture.await.context("a page takes too long")??);
            let first = first.get_or_insert_with(|| picture.clone());
            changes += usize::from(**first != *picture);
        }
        anyhow::Ok(changes)
    });
    let counted: Vec<anyhow::Result<usize>> = pages.buffered(settings.tabs()).collect().await;
    browser.close().await?;
    browser.wait().await?;
    handler.abort();
    counted.into_iter().collect()
}

/// The decoded picture of a page.
async fn take(browser: &Browser, address: &str) -> anyhow::Result<image::RgbImage> {
    let page = browser.new_page("about:blank").await?;
    let metrics = SetDeviceMetricsOverrideParams::new(1280, 720, 1.0, false);
    page.execute(metrics).await?;
    page.goto(address).await?;
    let params = ScreenshotParams::builder()
        .format(CaptureScreenshotFormat::Png)
        .full_page(true)
        .build();
    let png = page.screenshot(params).await?;
    page.close().await?;
    let picture = tokio::task::spawn_blocking(move || image::load_from_memory(&png));
    Ok(picture.await??.into_rgb8())
}
