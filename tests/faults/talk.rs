//! Pages that make the browser tell more than anybody reads: they are captured, and the service does not grow by it.

use super::site::UnrulySite;
use super::{captured, nothing_is_left, run, start};
use crate::support::client::result;

#[tokio::test(flavor = "multi_thread")]
async fn what_a_page_says_at_any_length_costs_the_service_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let site = UnrulySite::start().await;
    let (service, client) = start(folder.path(), &[]);
    let paths = ["/talks", "/talks-in-a-worker", "/throws-much"];
    let job = run(&client, &site, &paths).await;
    for path in paths {
        captured(&job, path);
    }
    // One message of what they say is held more than twice.
    let peak = service.peak_memory_mib();
    assert!(peak < 400, "{peak} MiB");
    // The page itself hears of its errors.
    let link = &result(&job, "/throws-much")["currentUrl"];
    let (_, _, png) = client.download(link).await;
    let shot = image::load_from_memory(&png).unwrap().to_rgb8();
    assert_eq!(shot.get_pixel(600, 100).0, [0, 128, 0]);
    nothing_is_left(&service, folder.path()).await;
}
