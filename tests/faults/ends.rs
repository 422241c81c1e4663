//! What becomes of each page that misbehaves, beside others that are only slow.

use super::site::UnrulySite;
use super::{captured, failed, nothing_is_left, run, start};
use crate::support::client::result;

/// What becomes of a page.
enum Outcome {
    Captured,
    /// An error whose sentence holds this.
    Error(&'static str),
    /// It depends on the moment; an error holds one of these.
    Either(&'static [&'static str]),
}

use Outcome::{Captured, Either, Error};

/// Pages that come to an end by themselves.
const ENDING: [(&str, Outcome); 13] = [
    ("/good", Captured),
    ("/asks", Captured),
    ("/asks-by-a-frame", Captured),
    ("/file", Error("it is a download")),
    ("/starts-downloads", Captured),
    ("/opens-windows", Captured),
    ("/opens-windows-by-a-frame", Captured),
    ("/redirects", Error("it redirects in a circle")),
    ("/never-quiet", Captured),
    ("/fails-later", Captured),
    ("/pushes-state", Captured),
    ("/ends-itself", Captured),
    ("/is-ended-by-a-frame", Either(&["closed itself"])),
];

/// Pages that go on until their budget is gone, or may.
const ENDLESS: [(&str, Outcome); 10] = [
    ("/good", Captured),
    ("/hangs-at-load", Error("it was still loading")),
    ("/hangs-later", Error("it was still becoming quiet")),
    ("/silent", Error("it was still loading")),
    ("/endless-body", Error("it was still loading")),
    ("/goes-on-downloading", Either(&["budget"])),
    ("/refreshes", Either(&["again and again", "budget"])),
    ("/leaves-for-itself", Either(&["again and again", "budget"])),
    ("/endless-image", Either(&["budget", "memory"])),
    ("/deep", Either(&["crashed", "memory", "budget"])),
];

/// Runs the pages beside others that are only slow, and looks at what became of each.
async fn end_as_they_should(outcomes: &[(&str, Outcome)], flags: &[&str]) -> UnrulySite {
    let folder = tempfile::tempdir().unwrap();
    let site = UnrulySite::start().await;
    let (service, client) = start(folder.path(), flags);
    let mut paths: Vec<&str> = outcomes.iter().map(|(path, _)| *path).collect();
    paths.extend(["/slow-1", "/slow-2", "/slow-3"]);
    let job = run(&client, &site, &paths).await;
    for (path, outcome) in outcomes {
        match outcome {
            Captured => captured(&job, path),
            Error(sentence) => failed(&job, path, sentence),
            Either(sentences) => {
                let page = result(&job, path);
                let said = page["errorMessage"].as_str().unwrap_or_default();
                let is_known = sentences.iter().any(|sentence| said.contains(sentence));
                assert!(page["status"] == "SUCCESS" || is_known, "{page:#}");
            }
        }
    }
    for path in ["/slow-1", "/slow-2", "/slow-3"] {
        captured(&job, path);
    }
    nothing_is_left(&service, folder.path()).await;
    assert!(service.peak_memory_mib() < 1_000);
    site
}

#[tokio::test(flavor = "multi_thread")]
async fn unruly_pages_end_in_results_of_their_own_and_leave_nothing_behind() {
    end_as_they_should(&ENDING, &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_that_never_end_are_ended_with_their_budget_and_leave_nothing_behind() {
    // The library that speaks to the browser waits thirty seconds for an answer.
    let site = end_as_they_should(&ENDLESS, &["--page-budget-seconds", "34"]).await;
    assert_eq!(site.asked("/hangs-later"), 1, "it is not tried again");
}
