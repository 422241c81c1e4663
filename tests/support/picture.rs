//! The pictures of a job.

use serde_json::Value;

use super::app::TestApp;
use super::client::result;

/// The current picture of a path.
pub(crate) async fn picture(app: &TestApp, job: &Value, path: &str) -> image::RgbImage {
    let page = result(job, path);
    assert_eq!(page["status"], "SUCCESS", "{page:#}");
    let (status, _, png) = app.client.download(&page["currentUrl"]).await;
    assert_eq!(status.as_u16(), 200);
    image::load_from_memory(&png).unwrap().to_rgb8()
}
