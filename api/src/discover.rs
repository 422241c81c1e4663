//! Trying out which pages a run of a project would capture: `POST /project/{name}/discover`.

use serde::{Deserialize, Serialize};

use crate::crawl::{PagePath, Scan};

/// The body of `POST /project/{name}/discover`, which may be empty. What is sent takes the place of the project's own,
/// for this answer alone.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DiscoverRequest {
    /// The sitemap to read pages from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::values::PageUrl>))]
    pub sitemap_url: Option<String>,
    /// Pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<PagePath>>, max_items = 10000))]
    pub paths: Option<Vec<PagePath>>,
    /// Globs over the paths that the sitemap lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<Scan>>, max_items = 200))]
    pub scans: Option<Vec<Scan>>,
    /// Device or viewport names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<crate::values::DeviceName>>, max_items = 50))]
    pub devices: Option<Vec<String>>,
}

/// What a run would capture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DiscoverAnswer {
    /// The first 1,000 pages, in the order in which a run has them.
    pub pages: Vec<DiscoveredPage>,
    /// All pages.
    pub total: u64,
    /// The devices, as results would name them.
    pub devices: Vec<String>,
    /// Pages × devices: the results that a run would have.
    pub results: u64,
    /// Whether everything was read. Reading is cut after 8 s here; a run takes the time it needs, up to 2 minutes.
    pub complete: bool,
    /// Why a run would fail; absent when it would not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// Sentences for people: scans without a match, addresses of other sites, limits that were met.
    pub notes: Vec<String>,
}

/// A page that a run would capture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DiscoveredPage {
    /// Its address on the test origin.
    pub url: String,
    /// Its path with query.
    pub path: String,
    /// Its name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// What led to it first.
    pub from: PageOrigin,
    /// The pattern of the scan that let it through first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scan: Option<String>,
}

/// What leads to a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum PageOrigin {
    /// The one address that was asked for.
    Url,
    /// The paths.
    Paths,
    /// The sitemap.
    Sitemap,
    /// Nothing was named, so it is the front page.
    Default,
}
