//! What undo goes on with: after a refusal, after the review was left, and where it knows of no decision.

use serde_json::{Value, json};

use super::deciding::{begin, hold, replace_fetch};
use super::resending::{ANSWER, lose_one};
use super::together::{close_dialog, decide};
use super::{
    changed_job, groups, is_at, open_review, reviewed, sign_in, until_toast, until_triage,
};
use crate::support::app::TestApp;
use crate::support::browser::{Eyes, hook};
use crate::support::client::result;
use crate::support::site::Site;

/// Leaves the review for its job, and begins it again.
async fn leave_and_come_back(eyes: &Eyes) {
    eyes.run("document.querySelector('.toolbar-job').click()")
        .await;
    eyes.click("start-review").await;
    eyes.until(&hook("review")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undo_that_is_refused_does_not_stand_in_the_way_of_the_one_before() {
    let app = TestApp::on_sqlite().await;
    let (site, request, job) = changed_job(&app).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    let (one, two) = (result(&job, "/one"), result(&job, "/two"));
    open_review(&app, &eyes, one).await;
    until_triage(&eyes, "pending").await;
    eyes.press("a").await;
    eyes.until(&reviewed(two)).await;
    until_triage(&eyes, "pending").await;
    eyes.press("a").await;
    until_toast(&eyes, "Approved “Page two”").await;
    close_dialog(&eyes).await;
    // The baseline of the last one moves once more.
    site.page("/two", "olive", "");
    let newer = app.client.run(request).await;
    app.client
        .decide(&newer, result(&newer, "/two"), "approve")
        .await
        .ok();
    eyes.press("u").await;
    until_toast(
        &eyes,
        "“Page two” (Desktop Chrome) was not changed: its baseline has moved meanwhile.",
    )
    .await;
    until_triage(&eyes, "approved").await;
    eyes.press("u").await;
    until_toast(&eyes, "Approval of “Page one” (Desktop Chrome) undone").await;
    eyes.until(&reviewed(one)).await;
    until_triage(&eyes, "pending").await;
    let after = app.client.reread(&job).await;
    assert_eq!(result(&after, "/one")["triageStatus"], "pending");
    assert_eq!(result(&after, "/two")["triageStatus"], "approved");
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_group_is_undone_without_the_pages_that_hinder_it() {
    let app = TestApp::on_sqlite().await;
    let (site, request, job) = groups::changed_job(&app).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    open_review(&app, &eyes, result(&job, "/one")).await;
    eyes.until(&format!("{}?.innerText.includes('4 alike')", hook("group")))
        .await;
    eyes.press("g").await;
    groups::until_rows(&eyes, 4).await;
    // Asked once more, the service finds nothing left to approve; four pages were.
    lose_one(&eyes, ANSWER).await;
    eyes.click("group-approve").await;
    until_toast(
        &eyes,
        "Approved 4 pages with the same change. Their captures are the baselines now.",
    )
    .await;
    site.page("/four", "olive", "<h1>Buy it</h1>");
    let newer = app.client.run(request).await;
    app.client
        .decide(&newer, result(&newer, "/four"), "approve")
        .await
        .ok();
    eyes.press("u").await;
    until_toast(&eyes, "Moved: /four. Undo again (U): they are left out.").await;
    let approved = ["approved", "approved", "approved", "approved", "pending"];
    assert_eq!(groups::triage(&app, &job).await, approved);
    eyes.press("u").await;
    until_toast(
        &eyes,
        "Approval of 3 pages undone: they are undecided again.",
    )
    .await;
    let undone = ["pending", "pending", "pending", "approved", "pending"];
    assert_eq!(groups::triage(&app, &job).await, undone);
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_decided_before_the_review_was_left_can_be_undone_after() {
    let app = TestApp::on_sqlite().await;
    let (_site, job, eyes) = begin(&app).await;
    let (one, two) = (result(&job, "/one"), result(&job, "/two"));
    let is_off = format!("{}.disabled", hook("undo"));
    until_triage(&eyes, "pending").await;
    eyes.press("a").await;
    until_toast(&eyes, "Approved “Page one”").await;
    eyes.until(&reviewed(two)).await;
    leave_and_come_back(&eyes).await;
    eyes.until(&reviewed(two)).await;
    until_triage(&eyes, "pending").await;
    eyes.press("u").await;
    until_toast(&eyes, "Approval of “Page one” (Desktop Chrome) undone").await;
    eyes.until(&reviewed(one)).await;
    until_triage(&eyes, "pending").await;
    eyes.until(&is_off).await;

    // Of a decision of one's own that nothing is known of any more, the page in sight tells.
    decide(&app.client, &job, two, "reject", Some("not navy")).await;
    open_review(&app, &eyes, two).await;
    until_triage(&eyes, "rejected").await;
    eyes.until(&format!(
        "{}.title === 'Take back your decision on this page (U)'",
        hook("undo")
    ))
    .await;
    eyes.press("u").await;
    until_toast(
        &eyes,
        "Rejection of “Page two” (Desktop Chrome) undone: it is undecided again.",
    )
    .await;
    until_triage(&eyes, "pending").await;
    eyes.until(&is_off).await;
    let after = app.client.reread(&job).await;
    assert_eq!(result(&after, "/two")["triageStatus"], "pending");

    // Somebody else's is theirs.
    let ana = app.client_with("main", &["review"]).await;
    decide(&ana, &job, two, "approve", None).await;
    until_triage(&eyes, "approved").await;
    assert_eq!(eyes.run(&is_off).await, json!(true));
    eyes.close().await;
    app.stop().await;
}

/// Decides on the first page, leaves the review and comes back while the decision is still on its way.
async fn come_back_too_early(app: &TestApp) -> (Site, Value, Eyes) {
    let (site, job, eyes) = begin(app).await;
    let (one, two) = (result(&job, "/one"), result(&job, "/two"));
    until_triage(&eyes, "pending").await;
    hold(&eyes).await;
    replace_fetch(&eyes, "path.endsWith('/approve') ? way.then(ask) : ask()").await;
    eyes.press("a").await;
    eyes.until(&reviewed(two)).await;
    leave_and_come_back(&eyes).await;
    eyes.until(&reviewed(one)).await;
    (site, job, eyes)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undo_waits_for_the_decision_that_was_on_its_way_when_the_review_was_left() {
    let app = TestApp::on_sqlite().await;
    let (_site, job, eyes) = come_back_too_early(&app).await;
    eyes.press("u").await;
    eyes.run("clearWay(); 0").await;
    until_toast(&eyes, "Approved “Page one”").await;
    until_toast(&eyes, "Approval of “Page one” (Desktop Chrome) undone").await;
    until_triage(&eyes, "pending").await;
    let after = app.client.reread(&job).await;
    assert_eq!(result(&after, "/one")["triageStatus"], "pending");
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_late_undo_leaves_alone_what_is_being_typed() {
    let app = TestApp::on_sqlite().await;
    let (_site, job, eyes) = come_back_too_early(&app).await;
    let two = result(&job, "/two");
    until_triage(&eyes, "pending").await;
    // Where the next page is, the queue tells.
    eyes.until(&is_at("1 of 2")).await;
    eyes.press("j").await;
    eyes.until(&reviewed(two)).await;
    until_triage(&eyes, "pending").await;
    eyes.press("u").await;
    eyes.press("r").await;
    eyes.type_into("note", "not navy").await;
    eyes.run("clearWay(); 0").await;
    until_toast(&eyes, "Approval of “Page one” (Desktop Chrome) undone").await;
    let is_left = format!("{} && {}.value === 'not navy'", reviewed(two), hook("note"));
    assert_eq!(eyes.run(&is_left).await, json!(true));
    let after = app.client.reread(&job).await;
    assert_eq!(result(&after, "/one")["triageStatus"], "pending");
    eyes.close().await;
    app.stop().await;
}
