//! The devices that pages can be captured on.

use axum::Json;
use pentimento_api::device::DeviceListed;
use pentimento_api::error::ErrorBody;

use crate::auth::{Allowed, Read};
use crate::capture::devices;
use crate::error::Result;

/// List the devices.
///
/// The viewport names first, then the descriptors of Playwright. `devices` of projects and jobs are these names, in any
/// case. Every device is imitated by the same Chromium, and its captures have one image pixel for each CSS pixel.
#[utoipa::path(
    get, path = "/devices", tag = "projects",
    responses(
        (status = 200, description = "The devices", body = Vec<DeviceListed>),
        (status = 401, description = "`unauthorized`", body = ErrorBody),
        (status = 403, description = "`forbidden`: the key lacks the scope `read`", body = ErrorBody),
    )
)]
pub(super) async fn list_devices(_: Allowed<Read>) -> Result<Json<Vec<DeviceListed>>> {
    Ok(Json(devices::listed()))
}
