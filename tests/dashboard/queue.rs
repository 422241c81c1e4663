//! The queue beside the canvas: what is in it, how one gets about by it, and how it is laid away.

use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

use super::groups::changed_job;
use super::{is_at, open_review, reviewed, sign_in, until_toast, until_triage};
use crate::support::app::TestApp;
use crate::support::browser::{Eyes, hook};
use crate::support::client::result;

/// The pages of a job with two changes, in the order of its review.
const ALL: [&str; 5] = ["/one", "/two", "/three", "/four", "/other"];

/// JavaScript: the rows that are there.
const ROWS: &str = "[...document.querySelectorAll('[data-testid=\"queue-row\"]')]";

/// JavaScript: how wide the queue is; nothing where it is laid away.
const WIDTH: &str = "document.querySelector('[data-testid=\"queue\"]').offsetWidth";

/// JavaScript: whether the row of the page in sight is in view.
const IS_IN_VIEW: &str = "(() => { const box = document.querySelector('.queue-row[aria-current=page]').getBoundingClientRect(); \
     const list = document.querySelector('.queue-list').getBoundingClientRect(); \
     return box.top >= list.top && box.bottom <= list.bottom; })()";

/// JavaScript: the row of a page, by its label.
fn row(label: &str) -> String {
    format!("{ROWS}.find((row) => row.querySelector('.queue-label').textContent === '{label}')")
}

/// JavaScript: whether this page is the one that the queue has as the one in sight, and no other.
fn is_current(label: &str) -> String {
    format!(
        "{ROWS}.filter((row) => row.getAttribute('aria-current') === 'page').map((row) => row.querySelector('.queue-label').textContent).join() === '{label}'"
    )
}

async fn until_listed(eyes: &Eyes, labels: &[&str]) {
    eyes.until(&format!(
        "JSON.stringify({ROWS}.map((row) => row.querySelector('.queue-label').textContent)) === '{}'",
        json!(labels)
    ))
    .await;
}

/// Waits until this is left of the pages with the one change and of those with the other, and of all.
async fn until_left(eyes: &Eyes, changes: &[&str], all: &str) {
    eyes.until(&format!(
        "JSON.stringify([...document.querySelectorAll('.queue-figures > :first-child')].map((figure) => figure.textContent)) === '{}'",
        json!(changes)
    ))
    .await;
    eyes.until(&format!("{}.textContent === '{all}'", hook("queue-left")))
        .await;
}

/// The review of the first page of such a job.
async fn begin(app: &TestApp, job: &Value, width: u32) -> Eyes {
    let eyes = Eyes::open(width, 900).await;
    sign_in(app, &eyes).await;
    open_review(app, &eyes, result(job, "/one")).await;
    until_triage(&eyes, "pending").await;
    eyes
}

#[tokio::test(flavor = "multi_thread")]
async fn the_queue_has_pages_by_cause_with_what_is_left_and_leads_to_each() {
    let app = TestApp::on_sqlite().await;
    let (_site, _, job) = changed_job(&app).await;
    let three = result(&job, "/three");
    let eyes = begin(&app, &job, 1440).await;
    until_listed(&eyes, &ALL).await;
    until_left(
        &eyes,
        &["4 of 4 left", "1 of 1 left"],
        "5 of 5 left · 2 causes",
    )
    .await;
    let cause = eyes.text("queue-cause").await;
    assert!(cause.contains("“Order now” now reads “Buy it”"), "{cause}");
    eyes.until(&is_current("/one")).await;
    eyes.until(&format!(
        "{ROWS}.every((row) => row.querySelector('img').naturalWidth > 0)"
    ))
    .await;

    // Each is a link, for another tab as well.
    let id = three["resultId"].as_str().unwrap();
    assert_eq!(
        eyes.run(&format!("{}.pathname", row("/three"))).await,
        json!(format!("/app/review/{id}"))
    );
    eyes.run(&format!("{}.click()", row("/three"))).await;
    eyes.until(&reviewed(three)).await;
    eyes.until(&is_current("/three")).await;
    eyes.until(&is_at("3 of 5")).await;

    // A decision shows at once, and so does its undoing.
    until_triage(&eyes, "pending").await;
    eyes.press("a").await;
    eyes.until(&format!(
        "{0}.dataset.triage === 'approved' && {0}.textContent.includes('Approved')",
        row("/three")
    ))
    .await;
    until_left(
        &eyes,
        &["3 of 4 left", "1 of 1 left"],
        "4 of 5 left · 2 causes",
    )
    .await;
    eyes.until(&is_current("/four")).await;
    until_toast(&eyes, "Approved “/three”").await;
    eyes.press("u").await;
    until_left(
        &eyes,
        &["4 of 4 left", "1 of 1 left"],
        "5 of 5 left · 2 causes",
    )
    .await;
    eyes.until(&is_current("/three")).await;
    until_toast(&eyes, "undone").await;

    // In the job's order there are no causes to tell.
    eyes.press("o").await;
    until_left(&eyes, &[], "5 of 5 left").await;
    until_listed(&eyes, &ALL).await;
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_queue_is_laid_away_for_good_and_narrowed_without_the_review() {
    let app = TestApp::on_sqlite().await;
    let (_site, _, job) = changed_job(&app).await;
    let (one, two) = (result(&job, "/one"), result(&job, "/two"));
    let eyes = begin(&app, &job, 1440).await;
    let shows = |is: bool| {
        format!(
            "({WIDTH} > 0) === {is} && {}.getAttribute('aria-pressed') === '{is}'",
            hook("toggle-queue")
        )
    };
    eyes.until(&shows(true)).await;
    eyes.press("q").await;
    eyes.until(&shows(false)).await;
    open_review(&app, &eyes, one).await;
    eyes.until(&shows(false)).await;
    eyes.click("toggle-queue").await;
    eyes.until(&shows(true)).await;
    eyes.press("q").await;
    eyes.until(&shows(false)).await;

    // Looking for a page brings it back, and it stays.
    eyes.press("/").await;
    eyes.until("document.activeElement.dataset.testid === 'queue-search'")
        .await;
    open_review(&app, &eyes, one).await;
    eyes.until(&shows(true)).await;
    until_listed(&eyes, &ALL).await;

    // What is typed narrows the rows alone.
    eyes.press("/").await;
    eyes.type_into("queue-search", "OTH").await;
    until_listed(&eyes, &["/other"]).await;
    assert_eq!(eyes.text("queue-found").await, "1 of 5 pages");
    eyes.until(&is_at("1 of 5")).await;
    eyes.press("Enter").await;
    eyes.until(&reviewed(result(&job, "/other"))).await;
    eyes.until(&is_at("5 of 5")).await;
    // The focus is on what was found, and keys are the review's again; that row keeps it among all rows.
    let is_focused = |label: &str| format!("document.activeElement === {}", row(label));
    eyes.until(&is_focused("/other")).await;
    eyes.press("Escape").await;
    eyes.until(&format!("{}.value === ''", hook("queue-search")))
        .await;
    until_listed(&eyes, &ALL).await;
    eyes.until(&is_focused("/other")).await;
    eyes.press("k").await;
    eyes.until(&reviewed(result(&job, "/four"))).await;
    // Also where what is found is in sight already.
    eyes.type_into("queue-search", "four").await;
    until_listed(&eyes, &["/four"]).await;
    eyes.press("Enter").await;
    eyes.until(&is_focused("/four")).await;
    // Escape in the field itself leaves it.
    eyes.press("/").await;
    eyes.until("document.activeElement.dataset.testid === 'queue-search'")
        .await;
    eyes.press("Escape").await;
    eyes.until(&format!(
        "{0}.value === '' && document.activeElement !== {0}",
        hook("queue-search")
    ))
    .await;
    until_listed(&eyes, &ALL).await;

    // One row is a stop of the Tab key, and arrows lead to the others.
    let stops = format!("{ROWS}.filter((row) => row.tabIndex === 0).length");
    assert_eq!(eyes.run(&stops).await, json!(1));
    eyes.run(&format!("{}.focus()", row("/one"))).await;
    eyes.press("ArrowDown").await;
    eyes.until(&format!("document.activeElement === {}", row("/two")))
        .await;
    assert_eq!(
        eyes.run(&reviewed(result(&job, "/four"))).await,
        json!(true)
    );
    eyes.press("Enter").await;
    eyes.until(&reviewed(two)).await;
    eyes.until(&format!("document.activeElement === {}", row("/two")))
        .await;
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn where_there_is_no_room_the_queue_lies_over_the_canvas_when_it_is_asked_for() {
    let app = TestApp::on_sqlite().await;
    let (_site, _, job) = changed_job(&app).await;
    let eyes = begin(&app, &job, 390).await;
    let is_wide = |px: u32| format!("{WIDTH} === {px}");
    eyes.until(&is_wide(0)).await;
    eyes.click("toggle-queue").await;
    eyes.until(&is_wide(390)).await;
    until_listed(&eyes, &ALL).await;
    let overflow = "document.documentElement.scrollWidth - innerWidth";
    assert!(eyes.run(overflow).await.as_i64().unwrap() <= 0);
    eyes.press("Escape").await;
    eyes.until(&is_wide(0)).await;
    eyes.press("q").await;
    eyes.until(&is_wide(390)).await;
    until_listed(&eyes, &ALL).await;
    eyes.run(&format!("{}.click()", row("/two"))).await;
    eyes.until(&reviewed(result(&job, "/two"))).await;
    eyes.until(&is_wide(0)).await;
    // Also where the page is the same.
    eyes.press("q").await;
    eyes.until(&is_current("/two")).await;
    eyes.run(&format!("{}.click()", row("/two"))).await;
    eyes.until(&is_wide(0)).await;
    // Enter leads from the field to what is found as well.
    eyes.press("/").await;
    eyes.until("document.activeElement.dataset.testid === 'queue-search'")
        .await;
    eyes.type_into("queue-search", "two").await;
    until_listed(&eyes, &["/two"]).await;
    eyes.press("Enter").await;
    eyes.until(&is_wide(0)).await;
    eyes.until("document.activeElement.matches('.toolbar h1')")
        .await;

    // On a tablet some of the canvas is still in sight.
    eyes.resize(1000, 800).await;
    eyes.until("innerWidth === 1000").await;
    eyes.until(&is_wide(0)).await;
    eyes.press("q").await;
    eyes.until(&is_wide(320)).await;
    eyes.click("queue-close").await;
    eyes.until(&is_wide(0)).await;
    // What lay over the canvas has its place beside it where there is room, and does not come back over it.
    let is_pressed = |is: bool| {
        format!(
            "{}.getAttribute('aria-pressed') === '{is}'",
            hook("toggle-queue")
        )
    };
    eyes.press("q").await;
    eyes.until(&is_wide(320)).await;
    eyes.resize(1440, 800).await;
    eyes.until("innerWidth === 1440").await;
    eyes.until(&format!("{WIDTH} > 200 && {}", is_pressed(true)))
        .await;
    eyes.until(&format!(
        "!{}.classList.contains('queue-open')",
        hook("review")
    ))
    .await;
    eyes.resize(1000, 800).await;
    eyes.until("innerWidth === 1000").await;
    eyes.until(&format!("{} && {}", is_wide(0), is_pressed(false)))
        .await;
    eyes.close().await;
    app.stop().await;
}

/// Copies of the page with the other change: capturing them would take minutes.
async fn enlarge(app: &TestApp, job: &Value, copies: usize) {
    let sql = format!(
        "WITH RECURSIVE numbers (n) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n < {copies}) \
         INSERT INTO results (id, job_id, organization_id, position, url, page_key, label, variant_name, stage, outcome, status, \
         current_capture_id, baseline_capture_id, pinned_version, changed, decision, change_group, triage_status) \
         SELECT '00000000-0000-7000-8000-' || (100000000000 + n), t.job_id, t.organization_id, t.position + 10 + n, t.url || n, \
         '/other' || n, t.label, t.variant_name, t.stage, t.outcome, t.status, t.current_capture_id, t.baseline_capture_id, \
         t.pinned_version, t.changed, t.decision, t.change_group, t.triage_status FROM results t CROSS JOIN numbers \
         WHERE t.page_key = '/other' AND t.job_id = '{}'",
        job["jobId"].as_str().unwrap()
    );
    let mut tx = app.service.app.db.begin().await.unwrap();
    let inserted = sqlx::query(AssertSqlSafe(sql))
        .execute(&mut *tx)
        .await
        .unwrap();
    assert_eq!(inserted.rows_affected(), copies as u64);
    tx.commit().await.unwrap();
}

/// What is on the most pages comes first, of changes that are judged alike.
#[tokio::test(flavor = "multi_thread")]
async fn of_a_long_queue_only_what_is_near_is_there_and_the_page_in_sight_is_in_view() {
    let app = TestApp::on_sqlite().await;
    let (_site, _, job) = changed_job(&app).await;
    enlarge(&app, &job, 600).await;
    let eyes = begin(&app, &job, 1440).await;
    eyes.until(&is_at("602 of 605")).await;
    eyes.until(&format!(
        "{}.textContent === '605 of 605 left · 2 causes'",
        hook("queue-left")
    ))
    .await;
    eyes.until(&format!("{} && {IS_IN_VIEW}", is_current("/one")))
        .await;
    let few = format!("{ROWS}.length > 8 && {ROWS}.length < 50");
    assert_eq!(eyes.run(&few).await, json!(true));

    eyes.run(&format!("{}.scrollTop = 0", hook("queue-list")))
        .await;
    eyes.until(&format!("{} && !{}", row("/other"), row("/one")))
        .await;
    assert_eq!(eyes.run(&few).await, json!(true));
    // The next page brings its row into view.
    eyes.press("j").await;
    eyes.until(&reviewed(result(&job, "/two"))).await;
    eyes.until(&format!("{} && {IS_IN_VIEW}", is_current("/two")))
        .await;
    assert_eq!(eyes.run(&few).await, json!(true));
    eyes.close().await;
    app.stop().await;
}
