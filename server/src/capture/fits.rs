//! Whether a page holds no more than is saved. Its texts and attributes are counted where they are, in the page: whatever handed
//! them over would be as long as they are.
//!
//! Scripts see no closed shadow tree, and a page may hold as much in one as it likes. The browser's protocol sees them: a search that finds
//! every element tells whether there are more than a script does, and a list of the document's nodes names the trees, so that a
//! script can be given them.

use chromiumoxide::cdp::browser_protocol::dom::{
    BackendNodeId, DisableParams, EnableParams, PerformSearchParams,
};
use chromiumoxide::cdp::js_protocol::runtime::RemoteObjectId;
use chromiumoxide::types::MethodId;
use chromiumoxide::{Command, Method, Page};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::CaptureError;
use super::failure::explain;
use super::world::World;

const COUNT: &str = include_str!("fits.js");

/// What is searched for: every tag begins so.
const ANY_TAG: &str = "<";

/// Most nodes that are found where a list of all of them is asked for: each takes some hundred bytes of it. The browser cuts their
/// texts off; docs/capturing.md says it to people.
const MAX_LISTED: u64 = 50_000;

/// What was counted of trees that hold no more than they may.
#[derive(Debug, Clone, Copy, Deserialize)]
struct Counted {
    characters: u64,
    /// Nodes that a search for [`ANY_TAG`] finds in them.
    found: u64,
}

/// Whether the page's document has no more than so many characters, as far as they can be counted.
pub(super) async fn fits(page: &Page, world: &World<'_>, most: u64) -> Result<bool, CaptureError> {
    let open: Option<Counted> = world.call(COUNT, &json!(most)).await?;
    let Some(open) = open else {
        return Ok(false);
    };
    page.execute(EnableParams::default())
        .await
        .map_err(|error| explain(&error))?;
    let closed = closed_trees(page, world, open.found).await;
    // Else the browser would go on telling of every change of what it listed.
    let _ = page.execute(DisableParams::default()).await;
    let Some(closed) = closed? else {
        return Ok(false);
    };
    if closed.is_empty() {
        return Ok(true);
    }
    let left = json!(most.saturating_sub(open.characters));
    let closed: Option<Counted> = world.call_with(COUNT, &left, &closed).await?;
    Ok(closed.is_some())
}

/// The closed shadow trees of a page in which scripts find so many nodes; none where it has too many nodes to look for them.
async fn closed_trees(
    page: &Page,
    world: &World<'_>,
    open: u64,
) -> Result<Option<Vec<RemoteObjectId>>, CaptureError> {
    let search = page.execute(PerformSearchParams::new(ANY_TAG)).await;
    let found = search.map_err(|error| explain(&error))?.result_count;
    let found = u64::try_from(found).unwrap_or(0);
    if found <= open {
        return Ok(Some(Vec::new()));
    }
    if found > MAX_LISTED {
        return Ok(None);
    }
    let listed = page.execute(GetFlattenedDocument::WHOLE).await;
    let listed = listed.map_err(|error| explain(&error))?.result;
    let trees = listed.nodes.into_iter().flat_map(|node| node.shadow_roots);
    let mut closed = Vec::new();
    for tree in trees.filter(|tree| tree.shadow_root_type == "closed") {
        // Those in frames of other origins, whose frames are not counted either, are nothing to this world.
        closed.extend(world.object(tree.backend_node_id).await?);
    }
    Ok(Some(closed))
}

/// All nodes of a document as a flat list. The library has no such command, and its own nests them: it reads no answer that nests
/// as deep as pages do.
#[derive(Debug, Serialize)]
struct GetFlattenedDocument {
    depth: i32,
    pierce: bool,
}

impl GetFlattenedDocument {
    /// As deep as it goes, with shadow trees and frames.
    const WHOLE: Self = Self {
        depth: -1,
        pierce: true,
    };
}

impl Method for GetFlattenedDocument {
    fn identifier(&self) -> MethodId {
        "DOM.getFlattenedDocument".into()
    }
}

impl Command for GetFlattenedDocument {
    type Response = FlattenedDocument;
}

#[derive(Debug, Deserialize)]
struct FlattenedDocument {
    nodes: Vec<ListedNode>,
}

/// What is wanted of a node.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListedNode {
    #[serde(default)]
    shadow_roots: Vec<ShadowTree>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShadowTree {
    backend_node_id: BackendNodeId,
    shadow_root_type: String,
}
