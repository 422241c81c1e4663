//! Runs by schedule: slots, keys, missed slots, several servers. Time is moved, never waited for.

use pentimento::tasks::schedule::tick;
use serde_json::{Value, json};

use crate::support::app::TestApp as App;
use crate::support::client::{Client, result};
use crate::support::hands::Hands;
use crate::support::on_both_databases;
use crate::support::site::Site;

/// The service again, with a clock that stands at `time`. 2030-01-01 is a Tuesday.
pub(crate) async fn at(app: App, time: &str) -> (App, Hands) {
    let hands = Hands::at(time);
    (app.restarted(&[], hands.clock()).await, hands)
}

async fn jobs(client: &Client, project: &str) -> Vec<Value> {
    let list = client.get(&format!("/jobs?project={project}")).await.ok();
    list["jobs"].as_array().unwrap().clone()
}

/// Looks at the schedules and returns how many jobs the project has then.
async fn jobs_after_look(app: &App, project: &str) -> usize {
    tick(&app.service.app).await.unwrap();
    jobs(&app.client, project).await.len()
}

async fn rolling(app: &App, name: &str, site: &Site, schedule: Value) {
    let mut project =
        json!({ "name": name, "testOrigin": site.origin, "baselinePolicy": "rolling" });
    project
        .as_object_mut()
        .unwrap()
        .extend(schedule.as_object().unwrap().clone());
    app.client.post("/projects", project).await.ok();
}

on_both_databases! {
    async fn a_run_starts_once_at_each_slot_and_rolls_on(app: TestApp) {
        let (app, hands) = at(app, "2030-01-01T10:30:00Z").await;
        let site = Site::start().await;
        site.page("/", "teal", "");
        rolling(&app, "daily", &site, json!({ "schedule": "daily", "scheduleHourUtc": 12 })).await;
        assert_eq!(jobs_after_look(&app, "daily").await, 0);
        hands.put("2030-01-01T11:59:59.999Z");
        assert_eq!(jobs_after_look(&app, "daily").await, 0);
        hands.put("2030-01-01T12:00:00Z");
        assert_eq!(jobs_after_look(&app, "daily").await, 1);
        hands.put("2030-01-01T12:03:00Z");
        assert_eq!(jobs_after_look(&app, "daily").await, 1);
        let project = app.client.get("/project/daily").await.ok();
        assert!(project["lastScheduledRunAt"].as_str().unwrap().starts_with("2030-01-01T12:00:00"), "{project}");
        assert_eq!(project["nextScheduledRunAt"], "2030-01-02T12:00:00.000Z");
        let first = &jobs(&app.client, "daily").await[0];
        assert_eq!(first["startedBy"], "admin");
        app.client.wait(first["jobId"].as_str().unwrap()).await;

        site.page("/", "maroon", "");
        hands.put("2030-01-02T12:00:04Z");
        assert_eq!(jobs_after_look(&app, "daily").await, 2);
        let second = jobs(&app.client, "daily").await[0]["jobId"].clone();
        let second = app.client.wait(second.as_str().unwrap()).await;
        assert_eq!((&second["status"], &result(&second, "/")["changed"]), (&json!("APPROVED"), &json!(true)));
        let triggers: Vec<_> = app.audited("job.start").await.iter().map(|start| start["trigger"].clone()).collect();
        assert_eq!(triggers, ["schedule", "schedule"]);
        app.stop().await;
    }

    async fn hourly_and_weekly_slots_come_when_they_should(app: TestApp) {
        let (app, hands) = at(app, "2030-01-01T10:30:00Z").await;
        let site = Site::start().await;
        site.page("/", "teal", "");
        rolling(&app, "hourly", &site, json!({ "schedule": "hourly" })).await;
        rolling(&app, "weekly", &site, json!({ "schedule": "weekly", "scheduleHourUtc": 9 })).await;
        let next = async |name: &str| app.client.get(&format!("/project/{name}")).await.ok()["nextScheduledRunAt"].clone();
        assert_eq!(next("hourly").await, "2030-01-01T11:00:00.000Z");
        assert_eq!(next("weekly").await, "2030-01-08T09:00:00.000Z", "on the weekday on which it was set");
        // The same sent again on another day moves nothing; another hour keeps the day.
        hands.put("2030-01-03T10:30:00Z");
        app.client.put("/project/weekly", json!({ "schedule": "weekly" })).await.ok();
        assert_eq!(next("weekly").await, "2030-01-08T09:00:00.000Z");
        app.client.put("/project/weekly", json!({ "scheduleHourUtc": 11 })).await.ok();
        assert_eq!(next("weekly").await, "2030-01-08T11:00:00.000Z");
        hands.put("2030-01-08T11:00:00Z");
        assert_eq!(jobs_after_look(&app, "weekly").await, 1);
        assert_eq!(next("weekly").await, "2030-01-15T11:00:00.000Z");
        assert_eq!(jobs(&app.client, "hourly").await.len(), 1, "its slots of the days between were missed");
        app.stop().await;
    }

    async fn a_missed_slot_waits_for_the_next_one(app: TestApp) {
        let (app, hands) = at(app, "2030-01-01T10:30:00Z").await;
        let site = Site::start().await;
        site.page("/", "teal", "");
        rolling(&app, "missed", &site, json!({ "schedule": "daily", "scheduleHourUtc": 12 })).await;
        let app = app.restarted(&[], { hands.put("2030-01-01T17:00:00Z"); hands.clock() }).await;
        assert_eq!(jobs_after_look(&app, "missed").await, 0);
        let project = app.client.get("/project/missed").await.ok();
        assert_eq!(project["nextScheduledRunAt"], "2030-01-02T12:00:00.000Z");
        assert_eq!(project.get("lastScheduledRunAt"), None);
        assert_eq!(app.audited("schedule.missed").await[0]["slot"], "2030-01-01T12:00:00.000Z");
        hands.put("2030-01-02T12:00:01Z");
        assert_eq!(jobs_after_look(&app, "missed").await, 1);
        app.stop().await;
    }

    async fn a_key_that_was_revoked_runs_nothing_and_that_is_written_down(app: TestApp) {
        let (app, hands) = at(app, "2030-01-01T10:30:00Z").await;
        let site = Site::start().await;
        site.page("/", "teal", "");
        app.client_with("main", &["run"]).await;
        let key = app.key_id("main run").await;
        rolling(&app, "keyed", &site, json!({ "schedule": "hourly", "scheduleKeyId": key })).await;
        hands.put("2030-01-01T11:00:00Z");
        assert_eq!(jobs_after_look(&app, "keyed").await, 1);
        assert_eq!(jobs(&app.client, "keyed").await[0]["startedBy"], "main run");
        let mut tx = app.service.app.db.begin().await.unwrap();
        assert!(pentimento::db::keys::revoke_key(&mut tx, &key, 1).await.unwrap());
        tx.commit().await.unwrap();
        hands.put("2030-01-01T12:00:00Z");
        assert_eq!(jobs_after_look(&app, "keyed").await, 1);
        let refused = app.audited("schedule.refused").await;
        assert_eq!((refused.len(), &refused[0]["slot"]), (1, &json!("2030-01-01T12:00:00.000Z")));
        assert!(refused[0]["reason"].as_str().unwrap().contains("no living key"), "{refused:?}");
        // Sent again by a living key, the schedule is that key's.
        app.client.put("/project/keyed", json!({ "schedule": "hourly" })).await.ok();
        hands.put("2030-01-01T13:00:00Z");
        assert_eq!(jobs_after_look(&app, "keyed").await, 2);
        // So it is where what was read is sent back, the dead key's id with it.
        let id = async |client: &Client| {
            client.get("/project/keyed").await.ok()["scheduleKeyId"].clone()
        };
        let living = id(&app.client).await;
        app.client.put("/project/keyed", json!({ "scheduleKeyId": living.as_str().unwrap().to_uppercase() })).await.ok();
        assert_eq!(id(&app.client).await, living);
        app.client_with("main", &["run", "read"]).await;
        let brief = app.key_id("main run+read").await;
        app.client.put("/project/keyed", json!({ "scheduleKeyId": brief })).await.ok();
        let mut tx = app.service.app.db.begin().await.unwrap();
        assert!(pentimento::db::keys::revoke_key(&mut tx, &brief, 1).await.unwrap());
        tx.commit().await.unwrap();
        let read = app.client.get("/project/keyed").await.ok();
        assert_eq!(read["scheduleKeyId"], brief);
        app.client.put("/project/keyed", read).await.ok();
        assert_eq!(id(&app.client).await, living);
        app.stop().await;
    }

    async fn another_schedule_keeps_its_key_unless_that_has_died(app: TestApp) {
        let admin_only = app.client_with("main", &["admin"]).await;
        app.client_with("main", &["run"]).await;
        let key = app.key_id("main run").await;
        let project = json!({
            "name": "kept", "testOrigin": "http://test.example", "baselinePolicy": "rolling", "schedule": "daily", "scheduleKeyId": key,
        });
        app.client.post("/projects", project).await.ok();
        let id = async || app.client.get("/project/kept").await.ok()["scheduleKeyId"].clone();
        app.client.put("/project/kept", json!({ "schedule": "weekly" })).await.ok();
        assert_eq!(id().await, key, "whoever changes the schedule is not who runs it");
        // Nor need they have the right to run.
        admin_only.put("/project/kept", json!({ "schedule": "daily", "scheduleHourUtc": 7 })).await.ok();
        assert_eq!(id().await, key);

        let mut tx = app.service.app.db.begin().await.unwrap();
        assert!(pentimento::db::keys::revoke_key(&mut tx, &key, 1).await.unwrap());
        tx.commit().await.unwrap();
        let lacks = admin_only.put("/project/kept", json!({ "schedule": "weekly" })).await.refused(400, "invalid_input");
        assert!(lacks.contains("lacks the scope `run`"), "{lacks}");
        let dead = app.client.put("/project/kept", json!({ "schedule": "weekly", "scheduleKeyId": key })).await.refused(400, "invalid_input");
        assert!(dead.contains("no living key"), "{dead}");
        assert_eq!(id().await, key, "a refused call changes nothing");
        app.client.put("/project/kept", json!({ "schedule": "weekly" })).await.ok();
        assert_eq!(id().await, app.key_id("admin").await);
        app.stop().await;
    }

    async fn an_address_that_may_not_be_captured_uses_up_its_slot(app: TestApp) {
        let (app, hands) = at(app, "2030-01-01T10:30:00Z").await;
        let project = json!({ "name": "gone", "testOrigin": "http://10.0.0.1", "baselinePolicy": "rolling", "schedule": "hourly" });
        app.client.post("/projects", project).await.ok();
        hands.put("2030-01-01T11:00:00Z");
        assert_eq!(jobs_after_look(&app, "gone").await, 0);
        assert_eq!(jobs_after_look(&app, "gone").await, 0);
        let refused = app.audited("schedule.refused").await;
        assert_eq!(refused.len(), 1);
        assert!(refused[0]["reason"].as_str().unwrap().contains("which is private"), "{refused:?}");
        app.stop().await;
    }

    async fn an_address_that_does_not_resolve_is_tried_again_for_a_quarter_of_an_hour(app: TestApp) {
        let (app, hands) = at(app, "2030-01-01T10:30:00Z").await;
        let site = Site::start().await;
        site.page("/", "teal", "");
        rolling(&app, "away", &site, json!({ "schedule": "hourly" })).await;
        let named = async |origin: &str| app.client.put("/project/away", json!({ "testOrigin": origin })).await.ok();
        named("http://no-such-host.invalid").await;
        let next = async || app.client.get("/project/away").await.ok()["nextScheduledRunAt"].clone();
        for (look, again) in [
            ("11:00:03", "11:00:18"), ("11:00:17", "11:00:18"), ("11:00:19", "11:00:38"), ("11:01:00", "11:02:00"), ("11:02:00", "11:04:00"),
            ("11:08:00", "11:15:00"),
        ] {
            hands.put(&format!("2030-01-01T{look}Z"));
            assert_eq!(jobs_after_look(&app, "away").await, 0);
            assert_eq!(next().await, format!("2030-01-01T{again}.000Z"), "looked at {look}");
        }
        assert!(app.audited("schedule.refused").await.is_empty());
        hands.put("2030-01-01T11:15:00Z");
        assert_eq!(jobs_after_look(&app, "away").await, 0);
        let refused = app.audited("schedule.refused").await;
        assert_eq!((refused.len(), &refused[0]["slot"]), (1, &json!("2030-01-01T11:00:00.000Z")));
        assert!(refused[0]["reason"].as_str().unwrap().contains("does not resolve"), "{refused:?}");
        assert_eq!(next().await, "2030-01-01T12:00:00.000Z");

        // What resolves after all has its run in the same slot.
        hands.put("2030-01-01T12:00:00Z");
        assert_eq!(jobs_after_look(&app, "away").await, 0);
        named(&site.origin).await;
        hands.put("2030-01-01T12:00:15Z");
        assert_eq!(jobs_after_look(&app, "away").await, 1);
        assert_eq!(next().await, "2030-01-01T13:00:00.000Z");
        // A server that was away when it was due misses it as it misses any other.
        named("http://no-such-host.invalid").await;
        hands.put("2030-01-01T13:00:00Z");
        assert_eq!(jobs_after_look(&app, "away").await, 1);
        hands.put("2030-01-01T13:06:00Z");
        assert_eq!(jobs_after_look(&app, "away").await, 1);
        assert_eq!(app.audited("schedule.missed").await[0]["slot"], "2030-01-01T13:00:00.000Z");
        app.stop().await;
    }

    async fn what_does_not_fit_a_schedule_is_refused(app: TestApp) {
        let admin_only = app.client_with("main", &["admin"]).await;
        app.client_with("main", &["read"]).await;
        app.client_with("other", &["run"]).await;
        let create = json!({ "name": "s", "testOrigin": "http://test.example" });
        app.client.post("/projects", create).await.ok();
        let (reader, stranger) = (app.key_id("main read").await, app.key_id("other run").await);
        let rolling = |mut more: Value| {
            more["baselinePolicy"] = json!("rolling");
            more
        };
        for (body, expected) in [
            (json!({ "schedule": "daily" }), "`baselinePolicy: rolling`"),
            (json!({ "schedule": "monthly" }), "`schedule`"),
            (json!({ "scheduleHourUtc": 3 }), "`scheduleHourUtc` needs a `schedule`"),
            (json!({ "scheduleKeyId": reader }), "`scheduleKeyId` needs a `schedule`"),
            (rolling(json!({ "schedule": "hourly", "scheduleHourUtc": 3 })), "`scheduleHourUtc`"),
            (rolling(json!({ "schedule": "daily", "scheduleHourUtc": 24 })), "0–23"),
            (rolling(json!({ "schedule": "daily", "scheduleHourUtc": -1 })), "`scheduleHourUtc`"),
            (rolling(json!({ "schedule": "daily", "scheduleKeyId": stranger })), "no living key of your organization"),
            (rolling(json!({ "schedule": "daily", "scheduleKeyId": "nonsense" })), "no living key of your organization"),
            (rolling(json!({ "schedule": "daily", "scheduleKeyId": reader })), "lacks the scope `run`"),
        ] {
            let sentence = app.client.put("/project/s", body.clone()).await.refused(400, "invalid_input");
            assert!(sentence.contains(expected), "{body}: {sentence}");
        }
        let lacks = admin_only.put("/project/s", rolling(json!({ "schedule": "daily" }))).await.refused(400, "invalid_input");
        assert!(lacks.contains("lacks the scope `run`"), "{lacks}");
        assert_eq!(app.client.get("/project/s").await.ok().get("schedule"), None, "a refused call changes nothing");

        app.client.put("/project/s", rolling(json!({ "schedule": "daily", "scheduleHourUtc": 7 }))).await.ok();
        let sentence = app.client.put("/project/s", json!({ "baselinePolicy": "approved" })).await.refused(400, "invalid_input");
        assert!(sentence.contains("`schedule`"), "{sentence}");
        app.client.put("/project/s", json!({ "schedule": "hourly" })).await.ok();
        assert_eq!(app.client.get("/project/s").await.ok().get("scheduleHourUtc"), None);
        app.client.put("/project/s", json!({ "schedule": "weekly", "scheduleHourUtc": 7 })).await.ok();
        app.client.put("/project/s", json!({ "schedule": null, "baselinePolicy": "approved" })).await.ok();
        let cleared = app.client.get("/project/s").await.ok();
        for field in ["schedule", "scheduleHourUtc", "scheduleKeyId", "nextScheduledRunAt"] {
            assert_eq!(cleared.get(field), None, "{field}");
        }
        app.client.put("/project/s", json!({ "baseOrigin": "http://base.example", "schedule": "daily" })).await.ok();
        app.client.put("/project/s", json!({ "baseOrigin": null })).await.refused(400, "invalid_input");
        app.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn several_servers_on_one_database_start_one_run_for_a_slot() {
    const SECRET: [&str; 2] = ["--secret", "one secret for all of the servers"];
    let hands = Hands::at("2030-01-01T10:30:00Z");
    let one = App::on_postgres_with(&SECRET).await;
    let one = one.restarted(&SECRET, hands.clock()).await;
    let two = one.beside(&SECRET, hands.clock()).await;
    let site = Site::start().await;
    site.page("/", "teal", "");
    for number in 0..8 {
        rolling(
            &one,
            &format!("p{number}"),
            &site,
            json!({ "schedule": "hourly" }),
        )
        .await;
    }
    for (round, time) in ["2030-01-01T11:00:00Z", "2030-01-01T12:00:00Z"]
        .iter()
        .enumerate()
    {
        hands.put(time);
        let looks = (0..6).map(|number| {
            tick(if number % 2 == 0 {
                &one.service.app
            } else {
                &two.service.app
            })
        });
        for look in futures::future::join_all(looks).await {
            look.unwrap();
        }
        for number in 0..8 {
            assert_eq!(
                jobs(&one.client, &format!("p{number}")).await.len(),
                round + 1,
                "p{number}"
            );
        }
    }
    assert!(one.audited("schedule.missed").await.is_empty());
    two.stop().await;
    one.stop().await;
}
