//! Devices: the list of them, unknown names, and what a page in Chromium sees of the device that it is captured on.

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::client::Client;
use crate::support::process::ServiceProcess;
use crate::support::site::{Asked, Site};

/// Sends what the page sees to `/seen` and waits until that has arrived.
const REPORT: &str = "<script>
    const data = navigator.userAgentData;
    const seen = {
        width: innerWidth, height: innerHeight, layout: document.documentElement.clientWidth, screen: [screen.width, screen.height],
        userAgent: navigator.userAgent, platform: navigator.platform, ratio: devicePixelRatio,
        data: data ? { brand: data.brands.map((it) => it.brand).join(), platform: data.platform, mobile: data.mobile } : null,
        touchPoints: navigator.maxTouchPoints, touchEvents: 'ontouchstart' in window,
        coarse: matchMedia('(pointer: coarse)').matches, noHover: matchMedia('(hover: none)').matches,
        fine: matchMedia('(pointer: fine)').matches, hover: matchMedia('(hover: hover)').matches,
        landscape: matchMedia('(orientation: landscape)').matches, turned: screen.orientation.type,
    };
    const request = new XMLHttpRequest();
    request.open('GET', `/seen?${encodeURIComponent(JSON.stringify(seen))}`, false);
    request.send();
</script>";

/// What pages reported, with the request that carried it.
fn reports(site: &Site) -> Vec<(Value, Asked)> {
    let asked = site.asked().into_iter();
    let reports = asked.filter(|asked| asked.path == "/seen");
    reports
        .map(|asked| {
            let text = url::form_urlencoded::parse(format!("seen={}", asked.query).as_bytes())
                .next()
                .unwrap()
                .1
                .into_owned();
            (serde_json::from_str(&text).unwrap(), asked)
        })
        .collect()
}

/// What a page sees on a device.
async fn seen_on(app: &TestApp, device: &str, head: &str) -> (Value, Asked) {
    let site = Site::start().await;
    site.page("/", "teal", &format!("{head}{REPORT}"));
    site.content("/seen", 200, "text/plain", Vec::new());
    let project = format!("seen-{}", uuid::Uuid::now_v7());
    let request = json!({ "project": project, "testOrigin": site.origin, "devices": [device] });
    let job = app.client.run(request).await;
    assert_eq!(job["results"][0]["status"], "SUCCESS", "{job:#}");
    reports(&site).pop().expect("the page reports")
}

const WITH_META: &str = "<meta name=viewport content='width=device-width,initial-scale=1'>";

#[tokio::test(flavor = "multi_thread")]
async fn a_page_sees_the_device_that_it_is_captured_on() {
    let app = TestApp::on_sqlite().await;
    let listed = app.client.get("/devices").await.ok();
    for (name, platform, hints, orientation) in [
        (
            "Desktop Chrome",
            "Win32",
            Some(("Google Chrome", "Windows")),
            "landscape-primary",
        ),
        (
            "Desktop Edge",
            "Win32",
            Some(("Microsoft Edge", "Windows")),
            "landscape-primary",
        ),
        ("Desktop Firefox", "Win32", None, "landscape-primary"),
        ("Desktop Safari", "MacIntel", None, "landscape-primary"),
        ("iPhone 13", "iPhone", None, "portrait-primary"),
        ("iPhone 13 landscape", "iPhone", None, "landscape-primary"),
        ("iPad (gen 7)", "iPad", None, "portrait-primary"),
        (
            "Pixel 7",
            "Linux armv81",
            Some(("Google Chrome", "Android")),
            "portrait-primary",
        ),
        (
            "Galaxy Tab S9 landscape",
            "Linux armv81",
            Some(("Google Chrome", "Android")),
            "landscape-primary",
        ),
    ] {
        let listed = listed.as_array().unwrap();
        let device = listed.iter().find(|device| device["name"] == name).unwrap();
        let (seen, request) = seen_on(&app, name, WITH_META).await;
        let what = format!("{name}: {seen:#}");
        for (field, expected) in [
            ("width", &device["width"]),
            ("height", &device["height"]),
            (
                "screen",
                &json!([device["screen"]["width"], device["screen"]["height"]]),
            ),
            ("userAgent", &device["userAgent"]),
            ("platform", &json!(platform)),
            ("ratio", &json!(1)),
            (
                "touchPoints",
                &json!(if device["touch"] == true { 5 } else { 0 }),
            ),
            ("touchEvents", &device["touch"]),
            ("coarse", &device["touch"]),
            ("noHover", &device["touch"]),
            ("fine", &json!(device["touch"] == false)),
            ("hover", &json!(device["touch"] == false)),
            ("turned", &json!(orientation)),
            ("landscape", &json!(orientation.starts_with("landscape"))),
        ] {
            assert_eq!(&seen[field], expected, "{field} of {what}");
        }
        let header = |name: &str| {
            let value = request.headers.get(name);
            value.map(|value| value.to_str().unwrap().to_owned())
        };
        assert_eq!(
            header("user-agent").as_deref(),
            device["userAgent"].as_str()
        );
        match hints {
            None => {
                assert_eq!(seen["data"], Value::Null, "{what}");
                assert_eq!(header("sec-ch-ua-platform"), None, "{what}");
            }
            Some((brand, platform)) => {
                assert_eq!(seen["data"]["platform"], platform, "{what}");
                let brands = seen["data"]["brand"].as_str().unwrap();
                assert!(brands.contains(brand), "{what}");
                assert!(header("sec-ch-ua").unwrap().contains(brand), "{what}");
                assert_eq!(
                    header("sec-ch-ua-platform"),
                    Some(format!("\"{platform}\""))
                );
                let is_mobile = device["userAgent"].as_str().unwrap().contains("Mobile");
                assert_eq!(seen["data"]["mobile"], is_mobile, "{what}");
            }
        }
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn viewport_names_say_what_the_browser_is_and_mobile_ones_heed_the_viewport_meta() {
    let app = TestApp::on_sqlite().await;
    for (name, width, height, touch) in [
        ("desktop", 1920, 1080, false),
        ("Laptop", 1366, 768, false),
        ("tablet", 768, 1024, false),
        ("MOBILE", 375, 667, true),
    ] {
        let (seen, _) = seen_on(&app, name, WITH_META).await;
        assert_eq!(
            (&seen["width"], &seen["height"]),
            (&json!(width), &json!(height)),
            "{name}"
        );
        assert_eq!(
            (&seen["screen"], &seen["coarse"]),
            (&json!([width, height]), &json!(touch)),
            "{name}"
        );
        assert!(
            seen["userAgent"]
                .as_str()
                .unwrap()
                .contains("HeadlessChrome/"),
            "{seen}"
        );
        // Without the meta, phones lay a page out as for a desktop and shrink it.
        let (bare, _) = seen_on(&app, name, "").await;
        assert_eq!(bare["layout"], if touch { 980 } else { width }, "{name}");
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_device_is_listed_and_every_listed_name_is_taken() {
    let app = TestApp::on_sqlite().await;
    let reader = app.client_with("main", &["read"]).await;
    let listed = reader.get("/devices").await.ok();
    let listed = listed.as_array().unwrap();
    assert_eq!(listed.len(), 211);
    let of_kind = |kind: &str| {
        listed
            .iter()
            .filter(|device| device["kind"] == kind)
            .count()
    };
    assert_eq!((of_kind("viewport"), of_kind("device")), (4, 207));
    let mobile = listed
        .iter()
        .find(|device| device["name"] == "mobile")
        .unwrap();
    let expected = json!({
        "name": "mobile", "kind": "viewport", "width": 375, "height": 667, "screen": { "width": 375, "height": 667 },
        "touch": true, "mobile": true, "source": "pentimento",
    });
    assert_eq!(mobile, &expected);
    let phone = listed
        .iter()
        .find(|device| device["name"] == "Pixel 7")
        .unwrap();
    assert!(
        phone["source"]
            .as_str()
            .unwrap()
            .starts_with("playwright-core 1."),
        "{phone}"
    );
    let names: Vec<String> = (listed.iter())
        .map(|device| device["name"].as_str().unwrap().to_uppercase())
        .collect();
    for (number, names) in names.chunks(50).enumerate() {
        let project = json!({ "name": format!("all-{number}"), "testOrigin": "http://shop.test", "devices": names });
        app.client.post("/projects", project).await.ok();
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_name_is_told_what_is_near_and_where_the_list_is() {
    let app = TestApp::on_sqlite().await;
    for (name, near) in [
        ("iphone13", "did you mean `iPhone 13`, "),
        ("Galaxy S9", "did you mean `Galaxy S9+`, "),
        ("Pixel7", "did you mean `Pixel 7`, "),
        ("Safari", "`Desktop Safari`"),
        (
            "zzzz",
            "no device is named `zzzz`; GET /devices lists all of them.",
        ),
    ] {
        let request = json!({ "project": "near", "testOrigin": "http://127.0.0.1:9", "devices": ["mobile", name] });
        let sentence = (app.client.post("/crawl", request).await).refused(400, "invalid_input");
        assert!(
            sentence.starts_with("`devices[1]`: no device is named"),
            "{sentence}"
        );
        assert!(
            sentence.contains(near) && sentence.contains("GET /devices"),
            "{sentence}"
        );
        assert!(sentence.matches('`').count() <= 2 + 2 + 2 * 5, "{sentence}");
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_have_one_time_zone_wherever_the_service_runs() {
    let site = Site::start().await;
    let body = "<script>
        const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
        const request = new XMLHttpRequest();
        request.open('GET', `/zone?${zone},${new Date(0).getHours()},${new Date().getTimezoneOffset()}`, false);
        request.send();
    </script>";
    site.page("/", "teal", body);
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = [("TZ", "America/New_York")];
    let service = ServiceProcess::start_with(
        folder.path(),
        None,
        &[],
        &elsewhere,
        "warn",
        std::process::Stdio::inherit(),
    );
    let key = service.first_key.clone().unwrap();
    let client = Client::new(service.base.clone(), key);
    client
        .run(json!({ "project": "zones", "testOrigin": site.origin }))
        .await;
    let asked = site.asked();
    let told: Vec<&str> = asked
        .iter()
        .filter(|asked| asked.path == "/zone")
        .map(|asked| asked.query.as_str())
        .collect();
    assert!(!told.is_empty());
    assert!(told.iter().all(|told| *told == "UTC,0,0"), "{told:?}");
}
