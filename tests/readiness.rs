//! `GET /readyz`, which anybody may ask: it costs one look for all who ask at once, and no browser's life.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use sqlx::AssertSqlSafe;

use crate::support::app::TestApp as App;
use crate::support::client::Answer;
use crate::support::site::Site;

async fn readyz(app: &App) -> Answer {
    let request = app.client.request(Method::GET, "/readyz");
    app.client.send(request).await
}

#[tokio::test(flavor = "multi_thread")]
async fn all_who_ask_at_once_are_told_of_one_look() {
    let folder = tempfile::tempdir().unwrap();
    let (program, starts) = (folder.path().join("browser"), folder.path().join("starts"));
    // It never opens its port, but says that it was started.
    let script = format!(
        "#!/bin/sh\necho started >> '{}'\nsleep 1\n",
        starts.display()
    );
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let app = App::with(&["--browser", program.to_str().unwrap()]).await;
    let started = || {
        let lines = std::fs::read_to_string(&starts).unwrap_or_default();
        lines.lines().count()
    };
    readyz(&app).await.refused(503, "internal");
    let by_one_look = started();
    assert!(by_one_look > 0);
    // Who asks again at once is told the same.
    readyz(&app).await.refused(503, "internal");
    assert_eq!(started(), by_one_look);
    // Later the parts are looked at again.
    tokio::time::sleep(Duration::from_millis(2_100)).await;
    let answers = futures::future::join_all((0..20).map(|_| readyz(&app))).await;
    for answer in answers {
        answer.refused(503, "internal");
    }
    assert_eq!(started(), 2 * by_one_look);
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn captures_wear_a_browser_out_and_looks_do_not() {
    let app = App::with(&["--captures-per-browser", "2"]).await;
    let folder = app.service.app.config.store.data_dir.join("browsers");
    // Each browser has a profile of its own.
    let profiles = || -> BTreeSet<_> {
        let entries = std::fs::read_dir(&folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name()).collect()
    };
    let mut seen = BTreeSet::new();
    for _ in 0..5 {
        app.service.app.browsers.probe().await.unwrap();
        seen.extend(profiles());
    }
    assert_eq!(seen.len(), 1, "{seen:?}");
    let site = Site::start().await;
    let paths = ["/one", "/two", "/three"];
    for path in paths {
        site.page(path, "teal", "");
    }
    let paths = paths.map(|path| json!({ "path": path }));
    let request = json!({ "project": "worn", "testOrigin": site.origin, "paths": paths });
    app.client.run(request).await;
    assert_ne!(profiles(), seen);
    app.stop().await;
}

/// What can be read all the same when its disk is full, or when it has become a standby.
#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_takes_no_writes_is_not_ready() {
    let app = App::on_sqlite().await;
    assert_eq!(readyz(&app).await.body["database"], "ok");
    let rows = app.sqlite("pentimento.db").await;
    let all = async |statement: &dyn Fn(&str) -> String| {
        for change in ["INSERT", "UPDATE"] {
            let statement = AssertSqlSafe(statement(change));
            sqlx::query(statement).execute(&rows).await.unwrap();
        }
        // Until the parts are looked at again.
        tokio::time::sleep(Duration::from_millis(2_100)).await;
    };
    all(&|change| {
        format!(
            "CREATE TRIGGER no_{change} BEFORE {change} ON workers BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
        )
    })
    .await;
    let answer = readyz(&app).await;
    let said = answer.body["database"].as_str().unwrap().to_owned();
    assert!(said.contains("the database is not ready"), "{said}");
    answer.refused(503, "internal");
    all(&|change| format!("DROP TRIGGER no_{change}")).await;
    assert_eq!(readyz(&app).await.body["database"], "ok");
    rows.close().await;
    app.stop().await;
}
