//! The saved page: the document with all that it shows as one file, where that is of a size to keep.

use std::time::Duration;

use chromiumoxide::Page;
use chromiumoxide::cdp::browser_protocol::page::CaptureSnapshotParams;

use super::budget::Budget;
use super::fits::fits;
use super::world::World;

/// Longest wait for the saved page, without which a capture is whole too.
const SAVE_CAP: Duration = Duration::from_secs(10);

/// Most characters of a document that is saved; docs/capturing.md says it to people. The browser hands the file over in one
/// piece, so it must not come at all where it is too long.
const MAX_CHARACTERS: u64 = 16_000_000;

/// Most bytes of a file that is kept: pictures are in it, and frames of other sites, which nobody counts beforehand.
const MAX_BYTES: usize = 64 << 20;

/// Saves the page; none where the browser cannot, or not in time, and where the page holds too much.
pub(super) async fn save(page: &Page, world: &World<'_>, budget: Budget) -> Option<Vec<u8>> {
    let saving = async {
        if !fits(page, world, MAX_CHARACTERS).await.ok()? {
            tracing::debug!("a page holds too much to be saved");
            return None;
        }
        let saved = page.execute(CaptureSnapshotParams::default()).await.ok()?;
        kept(saved.result.data)
    };
    // A frame that hangs keeps its page from being saved, not from being captured.
    let saved = tokio::time::timeout(budget.wait(SAVE_CAP), saving).await;
    saved.ok().flatten()
}

fn kept(file: String) -> Option<Vec<u8>> {
    if file.len() > MAX_BYTES {
        tracing::debug!(bytes = file.len(), "a saved page is too large to be kept");
        return None;
    }
    Some(file.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saved_page_is_kept_up_to_its_bound() {
        let file = |bytes| String::from_utf8(vec![0; bytes]).unwrap();
        assert_eq!(kept(file(MAX_BYTES)).unwrap().len(), MAX_BYTES);
        assert!(kept(file(MAX_BYTES + 1)).is_none());
    }
}
