//! Deciding at once on all pages that show the same change.

use serde_json::{Value, json};

use super::{is_at, open_review, reviewed, sign_in, until_toast, until_triage};
use crate::support::app::TestApp;
use crate::support::browser::{Eyes, hook};
use crate::support::client::result;
use crate::support::site::Site;

const ALIKE: [&str; 4] = ["/one", "/two", "/three", "/four"];

/// Four pages with the same change, and one with another.
pub(super) async fn changed_job(app: &TestApp) -> (Site, Value, Value) {
    let site = Site::start().await;
    let pages = || ALIKE.into_iter().chain(["/other"]);
    for path in pages() {
        site.page(path, "teal", "<h1>Order now</h1>");
    }
    let paths: Vec<Value> = pages().map(|path| json!({ "path": path })).collect();
    let request = json!({ "project": "shop", "testOrigin": site.origin, "paths": paths });
    app.client.run(request.clone()).await;
    for path in ALIKE {
        site.page(path, "teal", "<h1>Buy it</h1>");
    }
    site.page("/other", "teal", "<h1>Gone</h1>");
    let job = app.client.run(request.clone()).await;
    (site, request, job)
}

pub(super) async fn triage(app: &TestApp, job: &Value) -> Vec<String> {
    let after = app.client.reread(job).await;
    let status = |path| {
        result(&after, path)["triageStatus"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    ALIKE.into_iter().chain(["/other"]).map(status).collect()
}

/// So many pictures, before and after, are there where changes are told.
async fn until_pictures(eyes: &Eyes, within: &str, pictures: usize) {
    let shown =
        format!("[...document.querySelectorAll('{within} [data-testid=\"change-pictures\"] img')]");
    eyes.until(&format!(
        "{shown}.length === {pictures} && {shown}.every((picture) => picture.complete && picture.naturalWidth > 0)"
    ))
    .await;
}

pub(super) async fn until_rows(eyes: &Eyes, rows: usize) {
    eyes.until(&format!(
        "document.querySelectorAll('[data-testid=\"group-page\"]').length === {rows}"
    ))
    .await;
}

/// Such figures are put into their places: a job of so many pages would take long.
#[tokio::test(flavor = "multi_thread")]
async fn the_figures_of_a_long_list_fit_a_small_phone() {
    let app = TestApp::on_sqlite().await;
    let (_site, _, job) = changed_job(&app).await;
    let eyes = Eyes::open(360, 740).await;
    sign_in(&app, &eyes).await;
    open_review(&app, &eyes, result(&job, "/one")).await;
    eyes.until(&format!("{}?.innerText.includes('4 alike')", hook("group")))
        .await;
    eyes.until(&is_at("1 of 5")).await;
    for (place, left, alike) in [
        ("138 of 412", "95 left", "120 alike"),
        ("1,234 of 5,000", "1,204 left", "1,204 alike"),
    ] {
        let put = |hook: String, text: &str| {
            format!(
                "[...{hook}.childNodes].find((node) => node.nodeType === 3 && node.data.trim()).data = '{text}'"
            )
        };
        eyes.run(&put(hook("position"), place)).await;
        eyes.run(&put(hook("position-left"), left)).await;
        eyes.run(&put(hook("group"), alike)).await;
        let wide = "[document.documentElement, ...document.querySelectorAll('.verdict-bar .button')]\
                    .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.innerText)";
        assert_eq!(eyes.run(wide).await, json!([]), "{place}");
    }
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_key_decides_on_all_pages_with_the_same_change_and_undo_takes_all_back() {
    let app = TestApp::on_sqlite().await;
    let (_site, _, job) = changed_job(&app).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    // The job's page tells each change once, and leads to its review.
    let job_id = job["jobId"].as_str().unwrap();
    eyes.goto(&format!("{}/app/jobs/{job_id}", app.client.base))
        .await;
    eyes.until("document.querySelectorAll('[data-testid=\"change\"]').length === 2")
        .await;
    until_pictures(&eyes, "[data-testid=changes]", 4).await;
    let first = eyes.text("change").await;
    assert!(
        first.contains("“Order now” now reads “Buy it”") && first.contains("4 pages"),
        "{first}"
    );
    eyes.run("document.querySelector('[data-testid=\"change\"] a').click()")
        .await;
    eyes.until(&reviewed(result(&job, "/one"))).await;
    eyes.until(&format!("{}?.innerText.includes('4 alike')", hook("group")))
        .await;
    eyes.until(&format!("{}?.innerText === '4 pages'", hook("alike")))
        .await;

    // All but one. (Rows have no `innerText` before they are laid out.)
    eyes.press("g").await;
    until_rows(&eyes, 4).await;
    eyes.until("document.activeElement.dataset.testid === 'group-approve'")
        .await;
    eyes.run("[...document.querySelectorAll('.group-page')].find((row) => row.textContent.includes('/three')).querySelector('input').click()").await;
    eyes.until(&format!(
        "{}.innerText === 'Approve 3'",
        hook("group-approve")
    ))
    .await;
    eyes.press("Enter").await;
    until_toast(&eyes, "Approved 3 pages with the same change.").await;
    assert_eq!(
        triage(&app, &job).await,
        ["approved", "approved", "pending", "approved", "pending"]
    );
    eyes.until("!document.querySelector('dialog[open]')").await;
    // It goes on to what is undecided, whose group has one page left.
    until_triage(&eyes, "pending").await;
    eyes.until(&format!("!{}", hook("group"))).await;

    eyes.press("u").await;
    until_toast(&eyes, "Approval of 3 pages undone").await;
    assert_eq!(triage(&app, &job).await, ["pending"; 5]);
    eyes.until(&format!("{}?.innerText.includes('4 alike')", hook("group")))
        .await;

    // A rejection, with its note. Shift makes the key for one page the one for all of them, which asks, too.
    eyes.run("document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'A', code: 'KeyA', shiftKey: true, bubbles: true, cancelable: true }))")
        .await;
    until_rows(&eyes, 4).await;
    until_triage(&eyes, "pending").await;
    // Who leaves out the page that is looked at stays with it.
    let own = "[...document.querySelectorAll('.group-page')].find((row) => row.textContent.includes('/one')).querySelector('input')";
    eyes.run(&format!("{own}.click()")).await;
    eyes.until(&format!(
        "{}.innerText === 'Reject 3'",
        hook("group-reject")
    ))
    .await;
    eyes.click("group-reject").await;
    until_toast(&eyes, "Rejected 3 pages with the same change.").await;
    assert_eq!(eyes.run(&reviewed(result(&job, "/one"))).await, json!(true));
    until_triage(&eyes, "pending").await;
    eyes.press("u").await;
    until_toast(&eyes, "Rejection of 3 pages undone").await;
    eyes.press("g").await;
    until_rows(&eyes, 4).await;
    eyes.type_into("group-note", "wrong word").await;
    eyes.click("group-reject").await;
    until_toast(&eyes, "Rejected 4 pages with the same change.").await;
    assert_eq!(
        triage(&app, &job).await,
        ["rejected", "rejected", "rejected", "rejected", "pending"]
    );
    assert_eq!(
        result(&app.client.reread(&job).await, "/four")["triageNote"],
        "wrong word"
    );
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_group_is_shown_as_it_was_and_its_pages_are_listed_on_a_phone_too() {
    let app = TestApp::on_sqlite().await;
    let (_site, request, job) = changed_job(&app).await;
    let eyes = Eyes::open(390, 844).await;
    sign_in(&app, &eyes).await;
    open_review(&app, &eyes, result(&job, "/two")).await;
    eyes.click("group").await;
    until_rows(&eyes, 4).await;
    let width = eyes.run("document.documentElement.scrollWidth").await;
    assert_eq!(width, json!(390));
    // The baseline of one of them moves before the decision arrives.
    let moved = app.client.run(request).await;
    app.client
        .decide(&moved, result(&moved, "/four"), "approve")
        .await
        .ok();
    eyes.click("group-approve").await;
    until_toast(&eyes, "None of 4 pages with the same change was changed.").await;
    assert_eq!(triage(&app, &job).await, ["pending"; 5]);
    // The one that stands in the way is named, and left out when it is asked again.
    until_toast(&eyes, "Moved: /four.").await;
    let is_first = eyes.run(&is_at("1 of 5")).await;
    eyes.press(if is_first == json!(true) { "j" } else { "k" })
        .await;
    eyes.until(&format!("{}?.innerText.includes('4 alike')", hook("group")))
        .await;
    eyes.click("group").await;
    until_rows(&eyes, 4).await;
    eyes.until(&format!(
        "{}.innerText === 'Approve 3'",
        hook("group-approve")
    ))
    .await;
    // Once a decision has come about nothing is left out any more: the baseline may be back.
    eyes.click("group-approve").await;
    until_toast(&eyes, "Approved 3 pages with the same change.").await;
    eyes.click("undo").await;
    until_toast(&eyes, "Approval of 3 pages undone").await;
    eyes.until(&format!("{}?.innerText.includes('4 alike')", hook("group")))
        .await;
    eyes.click("group").await;
    eyes.until(&format!(
        "{}.innerText === 'Approve 4'",
        hook("group-approve")
    ))
    .await;
    open_review(&app, &eyes, result(&job, "/two")).await;
    until_triage(&eyes, "pending").await;

    let group = result(&job, "/two")["changeGroup"].as_str().unwrap();
    let job_id = job["jobId"].as_str().unwrap();
    eyes.goto(&format!(
        "{}/app/jobs/{job_id}?group={group}",
        app.client.base
    ))
    .await;
    eyes.until("document.querySelectorAll('[data-testid=\"result-card\"]').length === 4")
        .await;
    // The button goes away with the filter, and the focus that it had goes on.
    eyes.run(&format!("{}.focus()", hook("filter-group"))).await;
    eyes.click("filter-group").await;
    eyes.until("document.querySelectorAll('[data-testid=\"result-card\"]').length === 5")
        .await;
    eyes.until("document.activeElement.id === 'main'").await;
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_dialog_reads_its_pages_again_and_keeps_what_others_and_oneself_decided_before() {
    let app = TestApp::on_sqlite().await;
    let (_site, _, job) = changed_job(&app).await;
    let ana = app.client_with("main", &["review"]).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    open_review(&app, &eyes, result(&job, "/one")).await;
    eyes.press("a").await;
    until_toast(&eyes, "Approved").await;
    eyes.until(&reviewed(result(&job, "/two"))).await;
    eyes.until(&format!("{}?.innerText.includes('3 alike')", hook("group")))
        .await;

    // What cannot be read is asked for again.
    eyes.run("globalThis.realFetch = fetch; globalThis.fetch = () => Promise.reject(new TypeError('gone')); 0")
        .await;
    eyes.click("group").await;
    eyes.until("document.querySelector('dialog[open] [data-testid=\"problem\"]')")
        .await;
    eyes.run("globalThis.fetch = realFetch; document.querySelector('dialog[open] [data-testid=\"problem\"] button').click()")
        .await;
    until_rows(&eyes, 3).await;

    // Keys rest while the dialog is open, wherever a click has left the focus.
    eyes.run("document.activeElement.blur()").await;
    eyes.press("a").await;
    eyes.press("j").await;
    eyes.until(&reviewed(result(&job, "/two"))).await;
    until_rows(&eyes, 3).await;

    // One of them is decided meanwhile, and stays as it is.
    ana.decide(&job, result(&job, "/three"), "reject")
        .await
        .ok();
    eyes.click("group-approve").await;
    until_toast(
        &eyes,
        "Approved 2 pages with the same change. Their captures are the baselines now. Somebody else decided on 1 other meanwhile.",
    )
    .await;
    let after = ["approved", "approved", "rejected", "approved", "pending"];
    assert_eq!(triage(&app, &job).await, after);

    // Undo takes back what was decided at once, and no other decision.
    eyes.press("u").await;
    until_toast(&eyes, "Approval of 2 pages undone").await;
    let after = ["approved", "pending", "rejected", "pending", "pending"];
    assert_eq!(triage(&app, &job).await, after);
    eyes.close().await;
    app.stop().await;
}

/// JavaScript that keeps events of decisions back from whoever listens, in `held`, once that is there.
const HOLD_DECISIONS: &str = "
    const listen = EventSource.prototype.addEventListener;
    EventSource.prototype.addEventListener = function (name, heard, ...options) {
        const later = (event) => {
            if (name === 'triage' && globalThis.held) held.push(() => heard.call(this, event));
            else heard.call(this, event);
        };
        return listen.call(this, name, later, ...options);
    };";

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_was_on_its_way_does_not_undo_what_was_decided_meanwhile() {
    let app = TestApp::on_sqlite().await;
    let (_site, _, job) = changed_job(&app).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    eyes.page
        .evaluate_on_new_document(HOLD_DECISIONS)
        .await
        .unwrap();
    open_review(&app, &eyes, result(&job, "/one")).await;
    let alike = format!("{}?.innerText.includes('4 alike')", hook("group"));
    eyes.until(&alike).await;
    eyes.run("globalThis.held = []; 0").await;
    eyes.press("g").await;
    until_rows(&eyes, 4).await;
    eyes.click("group-reject").await;
    eyes.until("held.length === 4").await;
    eyes.press("u").await;
    until_toast(&eyes, "Rejection of 4 pages undone").await;
    eyes.until(&alike).await;

    // The rejection is heard of, and for longer than events are gathered nothing is.
    let stays = format!(
        "new Promise((done) => {{ held.splice(0, 4).forEach((tell) => tell()); const end = performance.now() + 1500; \
         const look = () => {{ if (!({alike})) done(false); else if (performance.now() > end) done(true); \
         else requestAnimationFrame(look); }}; look(); }})"
    );
    assert_eq!(eyes.run(&stays).await, json!(true));
    eyes.run("held.splice(0).forEach((tell) => tell()); globalThis.held = null; 0")
        .await;

    // Of somebody else's decision one still hears.
    let ana = app.client_with("main", &["review"]).await;
    ana.decide(&job, result(&job, "/two"), "reject").await.ok();
    eyes.until(&format!("{}?.innerText.includes('3 alike')", hook("group")))
        .await;
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bar_fits_every_width_and_notices_leave_its_field_free() {
    let app = TestApp::on_sqlite().await;
    let (_site, _, job) = changed_job(&app).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    open_review(&app, &eyes, result(&job, "/two")).await;
    eyes.until(&hook("group")).await;
    for width in [360, 390, 761, 800, 960, 1024, 1180, 1181, 1280, 1440] {
        eyes.resize(width, 800).await;
        eyes.until(&format!("innerWidth === {width}")).await;
        let outside = "['previous', 'next', 'next-region', 'order', 'group', 'undo', 'reject', 'approve'].filter((name) => { \
             const box = document.querySelector(`[data-testid=\"${name}\"]`).getBoundingClientRect(); \
             return box.width === 0 || box.left < 0 || box.right > innerWidth || box.bottom > innerHeight; })";
        assert_eq!(eyes.run(outside).await, json!([]), "{width} px");
        let scrolls = "document.documentElement.scrollWidth > innerWidth";
        assert_eq!(eyes.run(scrolls).await, json!(false), "{width} px");
    }
    // What was just decided is told beside the field for the next one's note.
    eyes.press("a").await;
    until_toast(&eyes, "Approved").await;
    eyes.press("r").await;
    eyes.until(&hook("note")).await;
    for width in [1440, 800, 390] {
        eyes.resize(width, 800).await;
        eyes.until(&format!("innerWidth === {width}")).await;
        let covered = format!(
            "(() => {{ const note = {}.getBoundingClientRect(); \
             return [...document.querySelectorAll('.toast')].some((toast) => toast.getBoundingClientRect().bottom > note.top); }})()",
            hook("note")
        );
        assert_eq!(eyes.run(&covered).await, json!(false), "{width} px");
    }
    eyes.close().await;
    app.stop().await;
}
