//! An admin's way through the keys: make one, copy it, rotate it, revoke it.

use serde_json::json;

use crate::support::app::TestApp;
use crate::support::browser::{Eyes, hook};

use super::{keep_secret, open_as};

/// JavaScript: the keys that work, by name and state, as the screen shows them.
const SHOWN: &str = "[...document.querySelectorAll('.page > .api-key-list [data-testid=\"key-row\"]')].map((row) => \
                     row.querySelector('.api-key-name').innerText + ': ' + row.querySelector('.badge').innerText.trim())";

/// Clicks a button in the row of the first key with this name and state.
async fn click_in(eyes: &Eyes, name: &str, state: &str, button: &str) {
    let rows = "[...document.querySelectorAll('[data-testid=\"key-row\"]')]";
    let found = format!(
        "{rows}.find((row) => row.querySelector('.api-key-name').innerText === '{name}' && row.dataset.state === '{state}')?.querySelector('[data-testid=\"{button}\"]')"
    );
    eyes.until(&found).await;
    eyes.run(&format!("{found}.click()")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_admin_makes_rotates_and_revokes_a_key() {
    let app = TestApp::on_sqlite().await;
    let eyes = Eyes::open(1440, 900).await;
    open_as(&app, &eyes, &app.client.key, "/app/keys").await;
    eyes.until(&format!("{SHOWN}.join() === 'admin: Active'"))
        .await;

    eyes.click("make-key").await;
    eyes.until("document.activeElement.dataset.testid === 'key-name'")
        .await;
    eyes.until(&format!("{}.disabled", hook("key-submit")))
        .await;
    eyes.type_into("key-name", "nightly").await;
    eyes.run(&format!(
        "{0}.value = '30', {0}.dispatchEvent(new Event('change'))",
        hook("key-life")
    ))
    .await;
    eyes.click("scope-review").await;
    // In the name's field, Enter is as good as the button.
    eyes.press("Enter").await;
    let secret = keep_secret(&eyes, "pnt_").await;
    eyes.until(&format!(
        "{SHOWN}.join() === 'nightly: Active,admin: Active'"
    ))
    .await;
    let client = app.client.with_key(&json!(secret));
    let session = client.get("/session").await.ok();
    assert_eq!(
        (&session["name"], &session["scopes"]),
        (&json!("nightly"), &json!(["read", "run", "review"]))
    );
    let row = eyes.text("key-row").await;
    assert!(
        row.contains("Ends in 1 month") || row.contains("Ends in 30 days"),
        "{row}"
    );

    click_in(&eyes, "nightly", "active", "rotate-key").await;
    eyes.click("rotate-confirm").await;
    let fresh = keep_secret(&eyes, "pnt_").await;
    eyes.until(&format!(
        "{SHOWN}.join() === 'nightly: Active,nightly: Rotated,admin: Active'"
    ))
    .await;
    client.get("/session").await.ok();
    let fresh = app.client.with_key(&json!(fresh));
    fresh.get("/session").await.ok();

    // It asks first, and Escape is a no.
    click_in(&eyes, "nightly", "rotated", "revoke-key").await;
    eyes.until("document.querySelector('dialog[open]').innerText.includes('nightly')")
        .await;
    eyes.run("document.querySelector('dialog[open]').requestClose()")
        .await;
    eyes.until("!document.querySelector('dialog[open]')").await;
    client.get("/session").await.ok();
    click_in(&eyes, "nightly", "rotated", "revoke-key").await;
    eyes.click("revoke-confirm").await;
    eyes.until(&format!(
        "{SHOWN}.join() === 'nightly: Active,admin: Active'"
    ))
    .await;
    client.get("/session").await.refused(401, "unauthorized");
    fresh.get("/session").await.ok();
    assert!(eyes.text("ended-keys").await.contains("work no more (1)"));

    // The last admin key stays, and the screen says why.
    click_in(&eyes, "admin", "active", "revoke-key").await;
    eyes.click("revoke-confirm").await;
    eyes.until("[...document.querySelectorAll('[data-testid=\"toast\"]')].some((toast) => toast.innerText.includes('last key with the scope'))")
        .await;
    app.client.get("/session").await.ok();
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_keys_fit_a_phone_and_are_for_admins_alone() {
    let app = TestApp::on_sqlite().await;
    for name in [
        "ci",
        "a-name-that-goes-on-and-on-without-any-place-to-break-it-in",
    ] {
        let body = json!({ "name": name, "scopes": ["read", "run", "review", "admin"], "expiresInDays": 90 });
        app.client.post("/keys", body).await.ok();
    }
    let eyes = Eyes::open(390, 844).await;
    open_as(&app, &eyes, &app.client.key, "/app/keys").await;
    eyes.until(&format!("{SHOWN}.length === 3")).await;
    let overflow = "document.documentElement.scrollWidth - innerWidth";
    assert!(eyes.run(overflow).await.as_i64().unwrap() <= 0);
    eyes.click("make-key").await;
    eyes.until(&hook("key-name")).await;
    let dialog = "document.querySelector('dialog[open]')";
    let sticks_out = format!("{dialog}.scrollWidth - {dialog}.clientWidth");
    assert!(eyes.run(&sticks_out).await.as_i64().unwrap() <= 0);

    let reviewer = app.client_with("main", &["read", "review"]).await;
    open_as(&app, &eyes, &reviewer.key, "/app/projects").await;
    eyes.until("document.querySelector('.who-name')?.innerText === 'main read+review'")
        .await;
    assert_eq!(
        eyes.run("document.querySelectorAll('.nav a').length").await,
        json!(2)
    );
    open_as(&app, &eyes, &reviewer.key, "/app/keys").await;
    assert!(eyes.text("problem").await.contains("lacks the scope admin"));
    assert_eq!(
        eyes.run(&format!("!!{}", hook("make-key"))).await,
        json!(false),
        "what is refused is not offered"
    );
    eyes.close().await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_made_after_its_page_was_left_is_told_all_the_same() {
    let app = TestApp::on_sqlite().await;
    // Without the scope `run`, which this admin then cannot give.
    let ops = json!({ "name": "ops", "scopes": ["read", "admin"] });
    let ops = app.client.post("/keys", ops).await.ok();
    let eyes = Eyes::open(1440, 900).await;
    open_as(&app, &eyes, ops["secret"].as_str().unwrap(), "/app/keys").await;
    eyes.click("make-key").await;
    eyes.type_into("key-name", "nightly").await;
    eyes.press("Enter").await;
    let secret = keep_secret(&eyes, "pnt_").await;
    let session = app
        .client
        .with_key(&json!(secret))
        .get("/session")
        .await
        .ok();
    assert_eq!(session["scopes"], json!(["read"]));

    let held = "globalThis.way = new Promise((clear) => { globalThis.clearWay = clear; }); const real = fetch; \
         globalThis.fetch = async (...asked) => { if (/\\/(rotate$|key\\/)/.test(asked[0].url ?? String(asked[0]))) await way; return real(...asked); }; 0";
    eyes.run(held).await;
    click_in(&eyes, "nightly", "active", "rotate-key").await;
    eyes.click("rotate-confirm").await;
    eyes.run("document.querySelector('.brand').click(); 0")
        .await;
    eyes.until("location.pathname === '/app'").await;
    eyes.run("clearWay(); 0").await;
    let told = "[...document.querySelectorAll('[data-testid=\"toast\"]')].map((toast) => toast.innerText).join()";
    eyes.until(&format!("{told}.includes('The key “nightly”')"))
        .await;
    let told = eyes.run(told).await.as_str().unwrap().to_owned();
    let fresh = told
        .split_whitespace()
        .find(|word| word.starts_with("pnt_"));
    let fresh = app.client.with_key(&json!(fresh.expect("a secret")));
    assert_eq!(fresh.get("/session").await.ok()["name"], "nightly");
    // It is for whoever is signed in.
    eyes.click("sign-out").await;
    eyes.until(&format!(
        "{} && !document.body.innerText.includes('pnt_')",
        hook("sign-in-key")
    ))
    .await;
    eyes.close().await;
    app.stop().await;
}
