//! Client-driven jobs: the client captures, uploads, and says when it is done.

use serde::{Deserialize, Serialize};

use crate::crawl::RunContext;
use crate::ids::JobId;

/// The body of `POST /ci/job/init`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct InitRequest {
    /// The project; it comes to be when there is none. 1–100 letters, digits, `.`, `_`, `-`.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::values::ProjectName))]
    pub project: String,
    /// Where the client captures, such as `http://localhost:3000`. It may differ from the project's: baselines are kept by
    /// path, so a preview on another host or port compares. Of a longer address its origin counts.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::values::Origin))]
    pub test_origin: String,
    /// The git ref under test; at most 1000 characters, may be empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(max_length = 1000))]
    pub branch: Option<String>,
    /// The commit under test; at most 64 characters, may be empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(max_length = 64))]
    pub commit: Option<String>,
    /// The devices that the client will capture, for information: each upload names its own variant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<crate::values::Label>>, max_items = 50))]
    pub devices: Option<Vec<String>>,
    /// What the run is about: the change, its commit, what is expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_context: Option<RunContext>,
}

/// The answer of `POST /ci/job/init`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct InitAnswer {
    /// The job to upload to, `INITIALIZING` until it is finalized.
    pub job_id: JobId,
}

/// The body of `POST /ci/job/upload-url`: one page in one variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct UploadUrlRequest {
    /// The job.
    #[serde(deserialize_with = "crate::ids::named_job")]
    pub job_id: JobId,
    /// The page's full address; at most 2048 characters. Its path with query names the baseline.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::values::PageUrl))]
    pub url: String,
    /// The variant's name, such as a device; 1–200 characters.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::values::VariantName))]
    pub variant_name: String,
}

/// The answer of `POST /ci/job/upload-url`. Both links take PUT alone, without a key, for 15 minutes and until the job
/// is finalized. They may lead to a bucket on another host, which cannot refuse what comes after that; it is not compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct UploadUrlAnswer {
    /// PUT the screenshot here: `Content-Type: image/png`, at most 64 MiB.
    pub upload_url: String,
    /// PUT the DOM tree here: `Content-Type: application/json`, plain or with `Content-Encoding: gzip`, at most 16 MiB
    /// as it is sent. Of one that unpacks to more the pixels alone are compared.
    pub dom_upload_url: String,
    /// Names the screenshot among the job's uploads.
    pub current_key: String,
}

/// The body of `POST /ci/job/finalize`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct FinalizeRequest {
    /// The job.
    #[serde(deserialize_with = "crate::ids::named_job")]
    pub job_id: JobId,
}
