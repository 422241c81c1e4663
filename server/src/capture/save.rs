//! The saved page: the document with all that it shows as one file, where that is of a size to keep.

use std::time::Duration;

use chromiumoxide::Page;
use chromiumoxide::cdp::browser_protocol::page::CaptureSnapshotParams;

use super::budget::Budget;
use super::fits::fits;
use super::traffic::Traffic;
use super::world::World;
use crate::proxy::Proxy;

/// Longest wait for the saved page, without which a capture is whole too.
const SAVE_CAP: Duration = Duration::from_secs(10);

/// Most characters of a document that is saved; docs/capturing.md says it to people. The browser hands the file over in one
/// piece, so it must not come at all where it is too long.
const MAX_CHARACTERS: u64 = 16_000_000;

/// Most bytes of documents, pictures, style sheets and fonts that a page has loaded, unpacked; docs/capturing.md says it to
/// people. In the file they are a third longer, and with as much text as may be they still are within [`MAX_BYTES`].
const MAX_LOADED: u64 = 32 << 20;

/// Most bytes that came from anywhere, as they came; docs/capturing.md says it to people. Frames of other sites are in the
/// file, and nobody tells what they load: this bounds it, except where it came packed.
const MAX_CARRIED: u64 = 64 << 20;

/// Most bytes of a file that is kept: who knows what else is in it.
const MAX_BYTES: usize = 64 << 20;

/// Saves the page; none where the browser cannot, or not in time, and where the page holds too much.
pub(super) async fn save(
    page: &Page,
    world: &World<'_>,
    traffic: &Traffic,
    proxy: &Proxy,
    budget: Budget,
) -> Option<Vec<u8>> {
    let saving = async {
        let fits = fits(page, world, MAX_CHARACTERS).await.ok()?;
        let (loaded, carried) = (traffic.loaded(), proxy.carried());
        if !fits || !is_light(loaded, carried) {
            tracing::debug!(fits, loaded, carried, "a page holds too much to be saved");
            return None;
        }
        let saved = page.execute(CaptureSnapshotParams::default()).await.ok()?;
        kept(saved.result.data)
    };
    // A frame that hangs keeps its page from being saved, not from being captured.
    let saved = tokio::time::timeout(budget.wait(SAVE_CAP), saving).await;
    saved.ok().flatten()
}

/// Whether a page that has loaded so much may be saved.
fn is_light(loaded: u64, carried: u64) -> bool {
    loaded <= MAX_LOADED && carried <= MAX_CARRIED
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

    #[test]
    fn a_page_is_saved_up_to_what_it_may_have_loaded() {
        assert!(is_light(MAX_LOADED, MAX_CARRIED));
        assert!(!is_light(MAX_LOADED + 1, MAX_CARRIED));
        assert!(!is_light(MAX_LOADED, MAX_CARRIED + 1));
        // 57 bytes become a line of 76 characters and its end.
        let longest = MAX_LOADED / 57 * 78 + MAX_CHARACTERS;
        assert!(longest < MAX_BYTES as u64, "{longest}");
    }
}
