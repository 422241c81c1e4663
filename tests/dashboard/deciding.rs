//! What becomes of decisions: lost answers, notes that are undone, and where the focus is afterwards.

use serde_json::{Value, json};

use super::{changed_job, is_at, open_review, reviewed, sign_in, until_toast, until_triage};
use crate::support::app::TestApp;
use crate::support::browser::{Eyes, hook};
use crate::support::client::result;
use crate::support::site::Site;

/// Has `fetch` decide anew what becomes of each request: `way` is an expression over `ask`, which asks the service, and
/// the request's `path`.
pub(super) async fn replace_fetch(eyes: &Eyes, way: &str) {
    eyes.run(&format!(
        "globalThis.realFetch ??= fetch; globalThis.fetch = async (...asked) => {{ \
         const ask = () => realFetch(...asked); const path = asked[0].url ?? String(asked[0]); return {way}; }}; 0"
    ))
    .await;
}

/// A job with two changed pages, and the review of the first one.
pub(super) async fn begin(app: &TestApp) -> (Site, Value, Eyes) {
    let (site, _, job) = changed_job(app).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(app, &eyes).await;
    open_review(app, &eyes, result(&job, "/one")).await;
    (site, job, eyes)
}

/// Bars the way: what waits for `way` is kept back until `clearWay()`.
pub(super) async fn hold(eyes: &Eyes) {
    eyes.run("globalThis.way = new Promise((clear) => { globalThis.clearWay = clear; }); 0")
        .await;
}

/// Has the waits between tries pass quickly: what is lost here is lost each time. Notices stay as long as ever.
async fn hurry(eyes: &Eyes) {
    eyes.run(
        "globalThis.realTimeout ??= setTimeout; globalThis.setTimeout = (done, ms, ...rest) => \
         realTimeout(done, ms > 300 && ms <= 5000 ? ms / 10 : ms, ...rest); 0",
    )
    .await;
}

/// The service does what it is asked, and its answer is lost on the way.
const ANSWER_LOST: &str =
    "path.endsWith('/approve') ? ask().then(() => { throw new TypeError('lost'); }) : ask()";
/// The decision does not reach the service, and everything else does.
const REQUEST_LOST: &str =
    "path.endsWith('/approve') ? Promise.reject(new TypeError('lost')) : ask()";
/// Nothing comes back, though decisions arrive.
const ALL_LOST: &str = "(path.endsWith('/approve') ? ask() : Promise.resolve()).then(() => { throw new TypeError('lost'); })";

/// Presses a key while nobody can be reached, and waits until it is known that what it asks for was done.
async fn lose_and_learn(eyes: &Eyes, key: &str, is: &str) {
    let page = "“Page one” (Desktop Chrome)";
    replace_fetch(eyes, ALL_LOST).await;
    eyes.press(key).await;
    let unknown = format!("No answer came: {page} may have been changed, or not.");
    until_toast(eyes, &unknown).await;
    replace_fetch(eyes, "ask()").await;
    let known = format!("No answer came, but {page} is {is} as you wished.");
    until_toast(eyes, &known).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_answer_is_told_as_one_and_the_page_is_asked_how_it_stands() {
    let app = TestApp::on_sqlite().await;
    let (_site, job, eyes) = begin(&app).await;
    let (one, two) = (result(&job, "/one"), result(&job, "/two"));
    until_triage(&eyes, "pending").await;
    hurry(&eyes).await;
    eyes.until(&is_at("1 of 2")).await;

    // Only the answer was lost: the decision stands, and can be undone.
    replace_fetch(&eyes, ANSWER_LOST).await;
    eyes.press("a").await;
    until_toast(
        &eyes,
        "No answer came, but “Page one” (Desktop Chrome) is approved as you wished.",
    )
    .await;
    assert_eq!(
        result(&app.client.reread(&job).await, "/one")["triageStatus"],
        "approved"
    );
    replace_fetch(&eyes, "ask()").await;
    eyes.until(&reviewed(two)).await;
    eyes.press("u").await;
    until_toast(&eyes, "Approval of “Page one” (Desktop Chrome) undone").await;
    until_triage(&eyes, "pending").await;

    // The request was lost: nothing was decided, and that is shown.
    replace_fetch(&eyes, REQUEST_LOST).await;
    eyes.press("a").await;
    until_toast(
        &eyes,
        "No answer came, and “Page one” (Desktop Chrome) was not changed.",
    )
    .await;
    eyes.until(&reviewed(two)).await;
    eyes.press("k").await;
    eyes.until(&reviewed(one)).await;
    until_triage(&eyes, "pending").await;
    assert_eq!(
        eyes.run(&format!("{}.disabled", hook("undo"))).await,
        json!(true)
    );

    // Nobody can be asked: neither is claimed, and the page is read once it can be.
    lose_and_learn(&eyes, "a", "approved").await;
    // What is known now takes the place of what was not.
    eyes.until("!document.body.innerText.includes('may have been changed')")
        .await;
    eyes.press("k").await;
    eyes.until(&reviewed(one)).await;
    until_triage(&eyes, "approved").await;

    // It can be undone, and an undo that nobody knew of is not left to be done once more.
    lose_and_learn(&eyes, "u", "undecided again").await;
    until_triage(&eyes, "pending").await;
    eyes.until(&format!("{}.disabled", hook("undo"))).await;
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_note_whose_rejection_did_not_come_about_is_not_lost() {
    let app = TestApp::on_sqlite().await;
    let (_site, job, eyes) = begin(&app).await;
    let (one, two) = (result(&job, "/one"), result(&job, "/two"));
    until_triage(&eyes, "pending").await;
    hurry(&eyes).await;
    let failing = "path.endsWith('/approve') ? Promise.resolve(new Response(JSON.stringify({ error: 'Too many.', code: 'rate_limited' }), { status: 429 })) : ask()";
    replace_fetch(&eyes, failing).await;
    eyes.press("r").await;
    eyes.until(&hook("note")).await;
    eyes.type_into("note", "the price is gone").await;
    eyes.press("Enter").await;
    until_toast(
        &eyes,
        "“Page one” (Desktop Chrome) was not changed. Too many. Your note: “the price is gone”",
    )
    .await;
    eyes.until(&reviewed(two)).await;
    replace_fetch(&eyes, "ask()").await;
    eyes.press("k").await;
    eyes.until(&reviewed(one)).await;
    until_triage(&eyes, "pending").await;
    eyes.press("r").await;
    eyes.until(&format!("{}?.value === 'the price is gone'", hook("note")))
        .await;
    eyes.press("Enter").await;
    until_toast(&eyes, "Rejected “Page one”").await;
    let page = result(&app.client.reread(&job).await, "/one").clone();
    assert_eq!(page["triageNote"], "the price is gone");
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_out_waits_for_decisions_on_their_way() {
    let app = TestApp::on_sqlite().await;
    let (_site, job, eyes) = begin(&app).await;
    let two = result(&job, "/two");
    until_triage(&eyes, "pending").await;
    hold(&eyes).await;
    replace_fetch(&eyes, "path.endsWith('/approve') ? way.then(ask) : ask()").await;
    eyes.press("a").await;
    eyes.until(&reviewed(two)).await;
    until_triage(&eyes, "pending").await;
    // What takes long is told.
    eyes.until(&format!(
        "{}.innerText === 'Sending 1 decision…'",
        hook("verdict-note")
    ))
    .await;
    eyes.press("a").await;
    eyes.click("sign-out").await;
    // Both are kept back, and with them the end of the session.
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    assert_eq!(
        eyes.run(&format!("!!{}", hook("sign-in-key"))).await,
        json!(false)
    );
    eyes.run("clearWay(); 0").await;
    eyes.until(&hook("sign-in-key")).await;
    let job = app.client.reread(&job).await;
    for page in ["/one", "/two"] {
        assert_eq!(result(&job, page)["triageStatus"], "approved", "{page}");
    }
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_leaves_before_the_review_begins_is_not_taken_back() {
    let app = TestApp::on_sqlite().await;
    let (_site, _, job) = changed_job(&app).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    eyes.goto(&format!(
        "{}/app/jobs/{}",
        app.client.base,
        job["jobId"].as_str().unwrap()
    ))
    .await;
    eyes.until(&hook("start-review")).await;
    hold(&eyes).await;
    replace_fetch(
        &eyes,
        "/[/](groups|results)/.test(path) ? way.then(ask) : ask()",
    )
    .await;
    eyes.click("start-review").await;
    eyes.run("document.querySelector('header a[href=\"/app/projects\"]').click(); 0")
        .await;
    eyes.until("location.pathname === '/app/projects'").await;
    // What had the focus is gone, or it is the link that was pressed; it is never nowhere.
    eyes.run("document.activeElement.blur(); document.querySelector('.brand').click(); 0")
        .await;
    eyes.until("location.pathname === '/app' && document.activeElement.id === 'main'")
        .await;
    eyes.run("clearWay(); 0").await;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    assert_eq!(eyes.run("location.pathname").await, json!("/app"));
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_review_that_could_not_be_read_is_read_when_the_service_answers_again() {
    let app = TestApp::on_sqlite().await;
    let (_site, job, eyes) = begin(&app).await;
    let (one, two) = (result(&job, "/one"), result(&job, "/two"));
    eyes.until(&is_at("1 of 2")).await;
    // Home was not read ahead: nothing of it changed.
    replace_fetch(&eyes, "Promise.reject(new TypeError('lost'))").await;
    let home = result(&job, "/")["resultId"].as_str().unwrap();
    eyes.run(&format!(
        "const link = document.createElement('a'); link.href = '/app/review/{home}'; document.body.append(link); link.click(); 0"
    ))
    .await;
    eyes.until(&hook("problem")).await;
    let is_off = format!(
        "{}.disabled && {}.disabled",
        hook("approve"),
        hook("reject")
    );
    assert_eq!(eyes.run(&is_off).await, json!(true));
    replace_fetch(&eyes, "ask()").await;
    eyes.until(&reviewed(result(&job, "/"))).await;
    eyes.press("j").await;
    eyes.until(&format!("{} || {}", reviewed(one), reviewed(two)))
        .await;
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn undoing_a_note_takes_it_away_and_leaves_the_rejection() {
    let app = TestApp::on_sqlite().await;
    let (_site, _, job) = changed_job(&app).await;
    let one = result(&job, "/one");
    app.client.decide(&job, one, "reject").await.ok();
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    open_review(&app, &eyes, one).await;
    until_triage(&eyes, "rejected").await;
    eyes.press("r").await;
    eyes.type_into("note", "wrong red").await;
    eyes.press("Enter").await;
    until_toast(&eyes, "Rejected “Page one”").await;
    assert_eq!(
        result(&app.client.reread(&job).await, "/one")["triageNote"],
        "wrong red"
    );
    eyes.press("u").await;
    until_toast(
        &eyes,
        "Rejection of “Page one” (Desktop Chrome) undone: it is rejected, as before.",
    )
    .await;
    eyes.until(&reviewed(one)).await;
    until_triage(&eyes, "rejected").await;
    eyes.until("!document.querySelector('.inspector .note')")
        .await;
    let after = app.client.reread(&job).await;
    assert_eq!(result(&after, "/one")["triageStatus"], "rejected");
    assert_eq!(result(&after, "/one").get("triageNote"), None);
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_that_was_asked_for_before_a_decision_does_not_take_it_back() {
    let app = TestApp::on_sqlite().await;
    let (_site, _, job) = changed_job(&app).await;
    let eyes = Eyes::open(1440, 900).await;
    sign_in(&app, &eyes).await;
    let (one, two) = (result(&job, "/one"), result(&job, "/two"));
    let id = job["jobId"].as_str().unwrap();
    eyes.goto(&format!("{}/app/jobs/{id}", app.client.base))
        .await;
    eyes.until(&hook("start-review")).await;
    // The service tells the list as it stands now, and that arrives after the decision.
    replace_fetch(
        &eyes,
        "path.includes('/results?') && path.includes('limit=500') \
         ? ask().then(async (answer) => { await new Promise((go) => globalThis.go = go); return answer; }) : ask()",
    )
    .await;
    eyes.click("start-review").await;
    eyes.until(&reviewed(one)).await;
    until_triage(&eyes, "pending").await;
    eyes.until("globalThis.go").await;
    eyes.press("a").await;
    until_toast(&eyes, "Approved “Page one”").await;
    replace_fetch(&eyes, "ask()").await;
    eyes.run("go(), 0").await;
    eyes.until(&reviewed(two)).await;
    until_triage(&eyes, "pending").await;
    eyes.press("a").await;
    eyes.until(
        "document.querySelector('dialog[open]')?.innerText.includes('2 approved, 0 rejected')",
    )
    .await;
    eyes.close().await;
    app.stop().await;
}

/// What has the focus, as a selector would name it.
const FOCUSED: &str = "(document.activeElement.dataset.testid ?? document.activeElement.tagName)";

#[tokio::test(flavor = "multi_thread")]
async fn the_next_page_is_announced_and_the_focus_stays_somewhere() {
    let app = TestApp::on_sqlite().await;
    let (_site, job, eyes) = begin(&app).await;
    let two = result(&job, "/two");
    let said = |text: &str| format!("{}.textContent === '{text}'", hook("announcement"));
    let has_focus = |name: &str| format!("{FOCUSED} === '{name}'");
    assert_eq!(
        eyes.run(&format!(
            "{}.getAttribute('aria-live')",
            hook("announcement")
        ))
        .await,
        json!("polite")
    );
    eyes.until(&said("Page 1 of 2: Page one on Desktop Chrome, 1 region"))
        .await;

    // Who presses the button with a key has it under the finger again.
    eyes.run(&format!("{}.focus()", hook("approve"))).await;
    eyes.press("Enter").await;
    eyes.until(&reviewed(two)).await;
    eyes.until(&said("Page 2 of 2: Page two on Desktop Chrome, 1 region"))
        .await;
    eyes.until(&has_focus("approve")).await;

    // Where nothing has it the heading takes it, from where every key still works.
    eyes.run("document.activeElement.blur()").await;
    eyes.press("k").await;
    eyes.until(&said(
        "Page 1 of 2: Page one on Desktop Chrome, 1 region, approved",
    ))
    .await;
    eyes.until(&has_focus("H1")).await;
    eyes.press("ArrowDown").await;
    eyes.until(&reviewed(two)).await;
    until_triage(&eyes, "pending").await;

    // A note that is given up, one that is sent, and the dialog at the end.
    eyes.press("r").await;
    eyes.until(&has_focus("note")).await;
    eyes.press("Escape").await;
    eyes.until(&has_focus("H1")).await;
    eyes.press("r").await;
    eyes.type_into("note", "not navy").await;
    eyes.press("Enter").await;
    eyes.until("document.activeElement.closest('dialog[open]')")
        .await;
    eyes.run("document.querySelector('dialog[open]').requestClose()")
        .await;
    eyes.until(&has_focus("H1")).await;
    eyes.close().await;
    app.stop().await;
}
