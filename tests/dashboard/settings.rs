//! An admin's way through a project's settings: make one, see which pages it has, change it, be told what that means.

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::browser::{Eyes, hook};
use crate::support::site::Site;

use super::{open_as, until_toast};

/// Puts a text into a field, as pasting does.
async fn paste(eyes: &Eyes, field: &str, text: &str) {
    let found = hook(&format!("setting-{field}"));
    eyes.until(&found).await;
    let text = json!(text);
    eyes.run(&format!(
        "{found}.value = {text}, {found}.dispatchEvent(new Event('input', {{ bubbles: true }}))"
    ))
    .await;
}

/// Chooses in a field by the word.
async fn choose(eyes: &Eyes, field: &str, word: &str) {
    let found = hook(&format!("setting-{field}"));
    let option = format!("[...{found}.options].find((option) => option.text.startsWith('{word}'))");
    eyes.until(&option).await;
    eyes.run(&format!(
        "{found}.value = {option}.value, {found}.dispatchEvent(new Event('change', {{ bubbles: true }}))"
    ))
    .await;
}

async fn until_path(eyes: &Eyes, path: &str) {
    eyes.until(&format!("location.pathname === '{path}'")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_is_made_and_shows_which_pages_it_has() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    let eyes = Eyes::open(1440, 900).await;
    open_as(&app, &eyes, &app.client.key, "/app/projects").await;
    eyes.click("new-project").await;
    until_path(&eyes, "/app/new-project").await;
    eyes.type_into("setting-name", "no name").await;
    eyes.type_into("setting-testOrigin", &site.origin).await;
    paste(
        &eyes,
        "paths",
        &format!("/ Front page\n\n{}/cart?a=1\n", site.origin),
    )
    .await;
    eyes.type_into("setting-devices", "iPhone 13").await;
    // Enter takes the device; the form is not sent by it.
    eyes.press("Enter").await;
    eyes.until(&format!(
        "{}.innerText.includes('390 × 664')",
        hook("devices")
    ))
    .await;
    choose(&eyes, "testAuth", "User name").await;
    eyes.type_into("setting-test-username", "ana").await;
    eyes.type_into("setting-test-password", "sesame").await;

    // What is refused stays in the form, and the field that it is about has the focus.
    eyes.click("save").await;
    eyes.until(&format!(
        "{}?.innerText.includes('`name`')",
        hook("complaint")
    ))
    .await;
    eyes.until(&format!(
        "document.activeElement === {}",
        hook("setting-name")
    ))
    .await;
    paste(&eyes, "name", "shop").await;
    eyes.click("save").await;
    until_path(&eyes, "/app/projects/shop").await;
    let project = app.client.get("/project/shop").await.ok();
    assert_eq!(
        (&project["paths"], &project["devices"], &project["testAuth"]),
        (
            &json!([{ "path": "/", "label": "Front page" }, { "path": "/cart?a=1", "label": "" }]),
            &json!(["Desktop Chrome", "iPhone 13"]),
            &json!({ "configured": true })
        )
    );

    eyes.click("project-settings").await;
    until_path(&eyes, "/app/projects/shop/settings").await;
    let fields = "[...document.querySelectorAll('input, textarea')].map((field) => field.value)";
    eyes.until(&format!(
        "{}?.selectedOptions[0].text === 'The stored credential'",
        hook("setting-testAuth")
    ))
    .await;
    choose(&eyes, "testAuth", "User name").await;
    eyes.until(&hook("setting-test-password")).await;
    let texts = eyes.run(fields).await.to_string();
    assert!(
        texts.contains(&site.origin) && !texts.contains("sesame"),
        "a credential is never given back"
    );
    eyes.click("discard").await;
    eyes.until(&format!(
        "{}.selectedOptions[0].text === 'The stored credential'",
        hook("setting-testAuth")
    ))
    .await;
    // The preview is of what is typed, not of what is stored.
    paste(&eyes, "paths", "/\n/cart\n/new").await;
    eyes.click("preview").await;
    let pages = eyes.text("previewed").await;
    assert!(
        pages.contains("3 pages on 2 devices: 6 captures a run.") && pages.contains("/new"),
        "{pages}"
    );
    let kept = app.client.get("/project/shop").await.ok();
    assert_eq!(kept["paths"], project["paths"]);
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_saving_means_is_said_before_and_nothing_typed_is_lost() {
    let app = TestApp::on_sqlite().await;
    let made = json!({ "name": "shop", "testOrigin": "http://shop.test", "masks": [".ad"], "environment": "staging" });
    app.client.post("/projects", made).await.ok();
    let read = async || app.client.get("/project/shop").await.ok();
    let version = async || -> Value { read().await["baselineVersion"].clone() };
    let before = version().await;
    let eyes = Eyes::open(1440, 900).await;
    let path = "/app/projects/shop/settings";
    open_as(&app, &eyes, &app.client.key, path).await;
    let save = hook("save");
    eyes.until(&format!("{save} && {save}.disabled")).await;

    // Beside the intent, a schedule that nobody could approve for.
    paste(&eyes, "intent", "Prices stay.").await;
    choose(&eyes, "schedule", "every day").await;
    choose(&eyes, "scheduleHourUtc", "04:00").await;
    assert_eq!(eyes.text("save").await.trim(), "Save");
    eyes.click("save").await;
    assert!(eyes.text("refusal").await.contains("baselinePolicy"));
    choose(&eyes, "baselinePolicy", "with each run").await;
    // Somebody else changes another field meanwhile; it stays.
    app.client
        .put("/project/shop", json!({ "environment": "preview" }))
        .await
        .ok();
    eyes.click("save").await;
    until_path(&eyes, "/app/projects/shop").await;
    let saved = read().await;
    assert_eq!(
        [
            &saved["intent"],
            &saved["schedule"],
            &saved["scheduleHourUtc"],
            &saved["environment"]
        ],
        [
            &json!("Prices stay."),
            &json!("daily"),
            &json!(4),
            &json!("preview")
        ]
    );
    assert_eq!(version().await, before, "baselines stay");

    // A mask makes the baselines invalid; what is left is there again.
    eyes.click("project-settings").await;
    paste(&eyes, "masks", ".ad\n#clock").await;
    eyes.until(&format!(
        "{}?.innerText.includes('the masks')",
        hook("invalidates")
    ))
    .await;
    paste(&eyes, "customCss", "a{}").await;
    choose(&eyes, "testAuth", "User name").await;
    eyes.type_into("setting-test-password", "sesame").await;
    eyes.run("history.back()").await;
    eyes.until(&hook("project")).await;
    // Another mask comes meanwhile; both are wanted. Secrets are not kept.
    let others = json!({ "masks": [".ad", "#theirs"] });
    app.client.put("/project/shop", others).await.ok();
    let before = version().await;
    eyes.click("project-settings").await;
    eyes.until(&format!(
        "{}?.value === '.ad\\n#theirs\\n#clock'",
        hook("setting-masks")
    ))
    .await;
    assert_eq!(
        eyes.run(&format!("!!{}", hook("setting-test-password")))
            .await,
        json!(false)
    );
    paste(&eyes, "customCss", "").await;
    assert_eq!(
        eyes.text("save").await.trim(),
        "Save, and take new baselines"
    );
    eyes.click("save").await;
    until_toast(&eyes, "Its baselines are invalid, because of masks").await;
    until_path(&eyes, "/app/projects/shop").await;
    assert_eq!(read().await["masks"], json!([".ad", "#theirs", "#clock"]));
    assert_ne!(version().await, before);
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_others_change_while_a_form_is_open_is_not_undone() {
    let app = TestApp::on_sqlite().await;
    let made = json!({ "name": "shop", "testOrigin": "http://shop.test", "masks": [".ad"], "intent": "Old." });
    app.client.post("/projects", made).await.ok();
    let others = async |update: Value| drop(app.client.put("/project/shop", update).await.ok());
    let eyes = Eyes::open(1440, 900).await;
    let path = "/app/projects/shop/settings";
    open_as(&app, &eyes, &app.client.key, path).await;
    let save = hook("save");
    eyes.until(&format!("{save} && {save}.disabled")).await;

    // Entries of lists go together.
    paste(&eyes, "masks", ".ad\n#mine").await;
    others(json!({ "masks": ["#theirs"], "environment": "staging" })).await;
    eyes.click("save").await;
    until_path(&eyes, "/app/projects/shop").await;
    let project = app.client.get("/project/shop").await.ok();
    assert_eq!(project["masks"], json!(["#theirs", "#mine"]));
    assert_eq!(project["environment"], "staging");

    // The same field: it is asked which of the two is meant.
    let contested = format!(
        "{}?.innerText.includes('an earlier try of yours: the intent.')",
        hook("complaint")
    );
    let intent = hook("setting-intent");
    for (word, kept) in [("discard", "Theirs."), ("save", "Mine.")] {
        eyes.click("project-settings").await;
        eyes.until(&format!("{save} && {save}.disabled")).await;
        paste(&eyes, "intent", "Mine.").await;
        others(json!({ "intent": "Theirs." })).await;
        eyes.click("save").await;
        eyes.until(&contested).await;
        assert_eq!(eyes.run(&format!("{intent}.value")).await, "Mine.");
        assert_eq!(
            app.client.get("/project/shop").await.ok()["intent"],
            "Theirs.",
            "nothing was saved"
        );
        eyes.click(word).await;
        if word == "discard" {
            eyes.until(&format!("{intent}.value === 'Theirs.' && {save}.disabled"))
                .await;
            eyes.run("history.back()").await;
        }
        until_path(&eyes, "/app/projects/shop").await;
        let project = app.client.get("/project/shop").await.ok();
        assert_eq!(project["intent"], kept);
        others(json!({ "intent": "Old." })).await;
    }
    // It is asked as well of what was left and is taken up again.
    eyes.click("project-settings").await;
    eyes.until(&format!("{save} && {save}.disabled")).await;
    paste(&eyes, "intent", "Mine, later.").await;
    eyes.run("history.back()").await;
    until_path(&eyes, "/app/projects/shop").await;
    others(json!({ "intent": "Theirs, meanwhile." })).await;
    eyes.click("project-settings").await;
    eyes.until(&contested).await;
    assert_eq!(eyes.run(&format!("{intent}.value")).await, "Mine, later.");
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_refused_is_told_at_its_field_and_drafts_are_their_writers_own() {
    let app = TestApp::on_sqlite().await;
    let made =
        json!({ "name": "shop", "testOrigin": "http://shop.test", "intent": "Prices stay." });
    app.client.post("/projects", made).await.ok();
    let eyes = Eyes::open(1440, 900).await;
    let path = "/app/projects/shop/settings";
    open_as(&app, &eyes, &app.client.key, path).await;
    let save = hook("save");
    // What is refused is told at its field; discarding brings back what is stored.
    paste(&eyes, "paths", "nowhere").await;
    eyes.click("save").await;
    eyes.until(&format!(
        "{}?.innerText.includes('paths[0].path')",
        hook("complaint")
    ))
    .await;
    eyes.click("discard").await;
    eyes.until(&format!(
        "{}.value === '' && {save}.disabled",
        hook("setting-paths")
    ))
    .await;

    // What is left unsaved is its writer's: whoever signs in next does not see it.
    paste(&eyes, "intent", "mine alone").await;
    let other = json!({ "name": "other", "scopes": ["read", "admin"] });
    let other = app.client.post("/keys", other).await.ok();
    eyes.click("sign-out").await;
    eyes.until(&hook("sign-in-key")).await;
    eyes.type_into("sign-in-key", other["secret"].as_str().unwrap())
        .await;
    eyes.press("Enter").await;
    eyes.until("document.querySelector('.who-name')?.innerText === 'other'")
        .await;
    eyes.until(&format!(
        "{}?.value === 'Prices stay.'",
        hook("setting-intent")
    ))
    .await;
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_fit_a_phone_and_are_for_admins_alone() {
    let app = TestApp::on_sqlite().await;
    let made = json!({
        "name": "shop", "testOrigin": "http://shop.test", "baseOrigin": "http://base.test",
        "scans": [{ "pattern": "/a-pattern-that-goes-on/and-on/**", "options": { "limit": 5, "exclude": ["/a-pattern-that-goes-on/but-not-here/**"] } }],
        "testAuth": { "basic": { "username": "ana", "password": "sesame" } }
    });
    app.client.post("/projects", made).await.ok();
    let eyes = Eyes::open(390, 844).await;
    let path = "/app/projects/shop/settings";
    open_as(&app, &eyes, &app.client.key, path).await;
    eyes.until(&hook("scan")).await;
    paste(&eyes, "masks", ".ad").await;
    eyes.until(&hook("invalidates")).await;
    let overflow = eyes
        .run("document.documentElement.scrollWidth - innerWidth")
        .await;
    assert!(overflow.as_i64().unwrap() <= 0, "{overflow} px too wide");

    let reader = app.client_with("main", &["read", "run"]).await;
    open_as(&app, &eyes, &reader.key, "/app/projects/shop").await;
    eyes.until(&hook("project")).await;
    assert_eq!(
        eyes.run(&format!("!!{}", hook("project-settings"))).await,
        json!(false),
        "what is refused is not offered"
    );
    open_as(&app, &eyes, &reader.key, path).await;
    assert!(eyes.text("empty").await.contains("admin"));
    eyes.close().await;
    app.stop().await;
}
