//! Changes that are made only of what their caller saw.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::on_both_databases;

on_both_databases! {
    async fn a_change_that_names_what_it_saw_is_made_only_of_that(app: TestApp) {
        app.client.post("/projects", json!({ "name": "seen", "testOrigin": "http://test.example", "masks": [".ad", ".clock"] })).await.ok();
        let read = async || -> String {
            let request = app.client.request(Method::GET, "/project/seen").bearer_auth(&app.client.key);
            request.send().await.unwrap().headers()["etag"].to_str().unwrap().to_owned()
        };
        let put = async |tag: &str, body: Value| {
            let request = app.client.request(Method::PUT, "/project/seen").bearer_auth(&app.client.key);
            app.client.send(request.header("if-match", tag).json(&body)).await
        };
        let seen = read().await;
        assert_eq!(read().await, seen, "reading changes nothing");
        // Of those who saw the same, the first one's change is made.
        put(&seen, json!({ "masks": [".ad", ".clock", ".one"] })).await.ok();
        let why = put(&seen, json!({ "masks": [".ad", ".clock", ".two"] })).await.refused(412, "precondition_failed");
        assert!(why.contains("the project `seen`"), "{why}");
        let project = app.client.get("/project/seen").await.ok();
        assert_eq!(project["masks"], json!([".ad", ".clock", ".one"]));
        // What is wrong or unknown is told all the same, and who asks for nothing gets it.
        put("seen", json!({})).await.refused(400, "invalid_input");
        let none = app.client.request(Method::PUT, "/project/none").bearer_auth(&app.client.key).header("if-match", "*");
        app.client.send(none.json(&json!({}))).await.refused(404, "project_not_found");
        put(&format!("{seen}, {}", read().await), json!({ "concurrency": 5 })).await.ok();
        put("*", json!({ "concurrency": 6 })).await.ok();
        // Of many at once one is made for each state.
        let now = read().await;
        let answers = futures::future::join_all((0..8).map(|place| put(&now, json!({ "intent": format!("Of {place}.") })))).await;
        let made = answers.iter().filter(|answer| answer.status == 200).count();
        let late = answers.iter().filter(|answer| answer.status == 412).count();
        assert_eq!((made, late), (1, 7));
        app.stop().await;
    }
}
