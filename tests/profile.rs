//! The capture profile: what each step waits for or ends, what is reported of it, and that a project can switch it off.

use png::{BitDepth, ColorType, Encoder};
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::client::result;
use crate::support::picture::picture;
use crate::support::site::Site;

/// Every step that has a switch of its own, and is told on a result.
const STEPS: [&str; 9] = [
    "lazyContent",
    "networkQuiet",
    "fonts",
    "images",
    "ariaBusy",
    "domQuiet",
    "animations",
    "video",
    "stickyElements",
];

/// What ought to show.
const GREEN: [u8; 3] = [0, 128, 0];
/// What ought not.
const RED: [u8; 3] = [255, 0, 0];

/// A sign that is red until something makes it green.
const SIGN: &str = "<div id=sign style='height:100px;background:red'></div>\
     <script>const sign = document.getElementById('sign'); const green = () => { sign.style.background = 'green'; }</script>";

/// Captures these pages as one project, on the first device unless others are named.
async fn capture(app: &TestApp, site: &Site, project: &str, paths: &[&str], extra: Value) -> Value {
    let mut settings = json!({ "name": project, "testOrigin": site.origin });
    let paths: Vec<Value> = paths.iter().map(|path| json!({ "path": path })).collect();
    settings["paths"] = json!(paths);
    settings
        .as_object_mut()
        .unwrap()
        .extend(extra.as_object().unwrap().clone());
    app.client.post("/projects", settings).await.ok();
    app.client.run(json!({ "project": project })).await
}

/// The picture of a page, and what was reported of it.
async fn reported(app: &TestApp, job: &Value, path: &str) -> (image::RgbImage, Value) {
    let shot = picture(app, job, path).await;
    let id = result(job, path)["resultId"].as_str().unwrap();
    let item = app.client.get(&format!("/result/{id}")).await.ok();
    (shot, item["current"]["report"].clone())
}

fn step<'a>(report: &'a Value, name: &str) -> &'a Value {
    let steps = report["steps"].as_array().unwrap();
    let step = steps.iter().find(|step| step["step"] == name);
    step.unwrap_or_else(|| panic!("no step {name} in {report:#}"))
}

fn pixels(picture: &image::RgbImage, colour: [u8; 3]) -> usize {
    picture.pixels().filter(|pixel| pixel.0 == colour).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_step_waits_or_ends_what_would_make_captures_differ() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    let pages = [
        // Content that waits to be seen, at each height that a scroll passes, the last included.
        (
            "/lazy",
            "<div style='height:5000px'></div><p id=a>a</p><div style='height:4990px'></div><p id=b>b</p>{SIGN}<script>\
             const seen = new Set(); const watch = new IntersectionObserver((all) => { for (const one of all) if (one.isIntersecting) seen.add(one.target.id);\
             if (seen.size === 2) green(); }); watch.observe(document.getElementById('a')); watch.observe(document.getElementById('b'));</script>",
        ),
        // A fetch that begins after the page has loaded, and whose answer changes no attribute that is watched.
        (
            "/network",
            "{SIGN}<script>addEventListener('load', () => setTimeout(() => fetch('/late').then(() => setTimeout(green, 100)), 400))</script>",
        ),
        // A document that goes on changing for a while.
        (
            "/dom",
            "{SIGN}<p id=n>0</p><script>let n = 0; const timer = setInterval(() => { document.getElementById('n').textContent = ++n; if (n === 12) { clearInterval(timer); green(); } }, 100)</script>",
        ),
        (
            "/busy",
            "{SIGN}<div id=busy aria-busy=true>wait</div><script>setTimeout(() => { green(); busy.setAttribute('aria-busy', 'false'); }, 1500)</script>",
        ),
        // Endless animations rest where the element is without them, finite ones at their end, in shadow trees too; whoever
        // waits for the end is told.
        (
            "/motion",
            "<style>@keyframes blink { 0% { background: red } 100% { background: orange } } .endless { height: 40px; background: green; animation: blink 3s steps(3) infinite }\
             .finite { height: 40px; background: red; animation: paint 60s forwards } @keyframes paint { to { background: green } } .turning { height: 40px; background: red; transition: background 60s }</style>\
             <div class=endless></div><div class=finite></div><div class=turning id=turning></div><div id=told style='height:40px;background:red'></div><div id=host></div><script>\
             requestAnimationFrame(() => requestAnimationFrame(() => { turning.style.background = 'green'; })); turning.addEventListener('transitionend', () => { told.style.background = 'green'; });\
             host.attachShadow({ mode: 'open' }).innerHTML = '<style>@keyframes paint { to { background: green } } div { height: 40px; background: red; animation: paint 60s forwards }</style><div></div>';</script>",
        ),
        // What begins as late as the page is given its whole height, also beside an element's content.
        (
            "/motion-later",
            "{SIGN}<style>@keyframes paint { to { background: green } } #later { height: 5000px }\
             .later::before { content: ''; display: block; height: 40px; background: red; animation: paint 60s forwards }</style>\
             <div id=later></div><script>addEventListener('resize', () => { later.className = 'later'; green(); });</script>",
        ),
        // What a page replaces is not what the steps use.
        (
            "/replaced",
            "{SIGN}<script>green(); window.Promise = class { then() {} }; window.setTimeout = () => 0; window.requestAnimationFrame = () => 0; window.MutationObserver = null;\
             Array.prototype.toJSON = () => 'broken'; Document.prototype.querySelectorAll = () => { throw new Error('no'); }; document.getAnimations = null;</script>",
        ),
        // What stays open is not waited for.
        (
            "/open",
            "{SIGN}<script>green(); new EventSource('/hanging'); new Worker('/worker.js'); navigator.sendBeacon('/hanging', 'x'); new WebSocket(location.origin.replace('http', 'ws') + '/socket');</script>",
        ),
        // A page that only leads to another one.
        (
            "/leads",
            "<script>addEventListener('load', () => location.replace('/led'))</script><div style='height:90px;background:red'></div>",
        ),
        (
            "/led",
            "{SIGN}<script>addEventListener('load', () => setTimeout(green, 200))</script>",
        ),
    ];
    for (path, body) in pages {
        site.page(path, "teal", &body.replace("{SIGN}", SIGN));
    }
    site.content("/late", 200, "text/plain", b"late".to_vec());
    site.content(
        "/worker.js",
        200,
        "text/javascript",
        b"fetch('/late')".to_vec(),
    );
    site.hangs("/hanging");
    let paths = pages.map(|(path, _)| path);
    let job = capture(&app, &site, "waits", &paths, json!({})).await;
    for path in paths {
        let (shot, report) = reported(&app, &job, path).await;
        assert_eq!(pixels(&shot, RED), 0, "{path}: {report:#}");
        assert!(pixels(&shot, GREEN) > 10_000, "{path}");
        for name in STEPS {
            assert_eq!(step(&report, name)["outcome"], "done", "{path}: {report:#}");
        }
        assert!(report["browser"].as_str().unwrap().contains("Chrom"));
        assert!(
            report["tookMs"].as_u64().unwrap() >= step(&report, "load")["tookMs"].as_u64().unwrap()
        );
    }
    let (_, report) = reported(&app, &job, "/network").await;
    assert!(step(&report, "networkQuiet")["tookMs"].as_u64().unwrap() > 400);
    let (_, report) = reported(&app, &job, "/busy").await;
    assert!(step(&report, "ariaBusy")["tookMs"].as_u64().unwrap() > 1000);
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_changes_where_no_observer_of_the_document_sees_it_is_waited_for() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    // It is rendered bit by bit, in a shadow tree and in one within that, which comes late.
    let shadow = "<x-bits></x-bits><script>customElements.define('x-bits', class extends HTMLElement { connectedCallback() {\
         const tree = this.attachShadow({ mode: 'open' }); tree.innerHTML = '<div style=height:100px;background:red></div><div></div>';\
         const [sign, host] = tree.children; let at = host; let n = 0; const timer = setInterval(() => { n += 1;\
         if (n === 5) at = host.attachShadow({ mode: 'open' }); at.textContent = n;\
         if (n === 20) { clearInterval(timer); sign.style.background = 'green'; } }, 100); } });</script>";
    let inner = format!(
        "{SIGN}<p id=n>0</p><script>let n = 0; const timer = setInterval(() => {{ document.getElementById('n').textContent = ++n;\
         if (n === 20) {{ clearInterval(timer); green(); }} }}, 100)</script>"
    );
    let frame = "<iframe src=/inner style='width:100%;height:600px;border:0'></iframe>";
    site.page("/shadow", "teal", shadow);
    site.page("/frame", "teal", frame);
    site.page("/inner", "gold", &inner);
    let paths = ["/shadow", "/frame"];
    let job = capture(&app, &site, "unseen", &paths, json!({})).await;
    for path in paths {
        let (shot, report) = reported(&app, &job, path).await;
        assert_eq!(pixels(&shot, RED), 0, "{path}: {report:#}");
        assert!(pixels(&shot, GREEN) > 10_000, "{path}");
        assert_eq!(step(&report, "domQuiet")["outcome"], "done", "{report:#}");
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_step_can_be_switched_off_and_says_so() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    let body = format!(
        "<style>@keyframes paint {{ to {{ background: green }} }} .finite {{ height: 40px; background: red; animation: paint 600s forwards }}\
         .bar {{ width: 200px; height: 50px; overflow: scroll; background: blue }}</style><div class=finite></div><div class=bar></div>\
         <div style='height:3000px'></div><p id=end>end</p>{SIGN}<div aria-busy=true>busy</div>\
         <script>new IntersectionObserver((all) => {{ if (all[0].isIntersecting) green(); }}).observe(document.getElementById('end'));\
         setInterval(() => {{ document.title = Date.now(); document.body.dataset.n = Date.now(); }}, 50)</script>"
    );
    site.page("/", "teal", &body);
    let mut off: serde_json::Map<String, Value> = STEPS
        .map(|name| (name.to_owned(), json!(false)))
        .into_iter()
        .collect();
    off.insert("scrollbars".to_owned(), json!(false));
    off.insert("caret".to_owned(), json!(false));
    let job = capture(&app, &site, "off", &["/"], json!({ "captureProfile": off })).await;
    let (shot, report) = reported(&app, &job, "/").await;
    for name in STEPS {
        assert_eq!(step(&report, name)["outcome"], "off", "{report:#}");
    }
    assert!(pixels(&shot, RED) > 100_000, "nothing was scrolled to");
    let bare = pixels(&shot, [0, 0, 255]);
    let (on, report) = reported(
        &app,
        &capture(&app, &site, "on", &["/"], json!({})).await,
        "/",
    )
    .await;
    assert_eq!(
        step(&report, "ariaBusy")["outcome"],
        "gave_up",
        "{report:#}"
    );
    assert_eq!(step(&report, "ariaBusy")["note"], "Busy: div.");
    assert_eq!(pixels(&on, RED), 0);
    assert_eq!(
        pixels(&on, [0, 0, 255]),
        200 * 50,
        "no scrollbar covers the box"
    );
    assert!(bare < 200 * 50, "scrollbars cover a part of the box");
    // What a project says is saved whole, and shown with what it leaves to the defaults.
    let saved = app.client.get("/project/off").await.ok();
    assert_eq!(
        (
            &saved["captureProfile"]["fonts"],
            &saved["captureProfile"]["agreement"]
        ),
        (&json!(false), &json!(true))
    );
    let cleared = json!({ "captureProfile": null });
    app.client.put("/project/off", cleared).await.ok();
    let saved = app.client.get("/project/off").await.ok();
    assert_eq!(
        (
            &saved["captureProfile"]["fonts"],
            &saved["baselineInvalidatedAt"]
        ),
        (&json!(true), &Value::Null)
    );
    let wrong = json!({ "captureProfile": { "clock": "noon" } });
    let sentence = app
        .client
        .put("/project/off", wrong)
        .await
        .refused(400, "invalid_input");
    assert!(sentence.contains("`captureProfile.clock`"), "{sentence}");
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_never_ends_is_given_up_and_named() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    let body = format!(
        "{SIGN}<img src=/missing.png><style>@font-face {{ font-family: Gone; src: url(/gone.woff2) }} p {{ font-family: Gone }}</style><p>text</p>\
         <script>green(); fetch('/hanging'); setInterval(() => {{ document.body.className = Date.now(); document.title = Date.now(); }}, 1)</script>"
    );
    site.page("/", "teal", &body);
    site.hangs("/hanging");
    let job = capture(&app, &site, "endless", &["/"], json!({})).await;
    let (shot, report) = reported(&app, &job, "/").await;
    assert_eq!(pixels(&shot, RED), 0);
    for (name, outcome, note) in [
        ("networkQuiet", "gave_up", "/hanging"),
        ("domQuiet", "gave_up", "It changed all the time."),
        ("images", "done", "/missing.png"),
        ("fonts", "done", "Gone"),
    ] {
        let step = step(&report, name);
        assert_eq!(step["outcome"], outcome, "{report:#}");
        assert!(step["note"].as_str().unwrap().contains(note), "{report:#}");
    }
    app.stop().await;
}

/// A picture that is one colour, then another, in turn for ever.
fn moving_picture() -> Vec<u8> {
    let mut png = Vec::new();
    let mut encoder = Encoder::new(&mut png, 60, 60);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_animated(2, 0).unwrap();
    encoder.set_frame_delay(1, 50).unwrap();
    let mut writer = encoder.write_header().unwrap();
    for colour in [GREEN, RED] {
        writer.write_image_data(&colour.repeat(60 * 60)).unwrap();
    }
    writer.finish().unwrap();
    png
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_and_videos_stand_at_their_first_frame() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    site.content("/moving.png", 200, "image/png", moving_picture());
    site.content(
        "/moving.svg",
        200,
        "image/svg+xml",
        b"<svg xmlns='http://www.w3.org/2000/svg' width='60' height='60'><rect width='60' height='60' fill='green'><animate attributeName='fill' values='green;red' calcMode='discrete' dur='0.08s' repeatCount='indefinite'/></rect></svg>".to_vec(),
    );
    let moving = "<img src=/moving.png><div style='width:60px;height:60px;background:url(/moving.png)'></div><img src=/moving.svg>\
         <svg width=60 height=60><rect width=60 height=60 fill=green><animate attributeName=fill values='green;red' calcMode=discrete dur=0.08s repeatCount=indefinite /></rect></svg>";
    site.page("/pictures", "teal", moving);
    // The page records its own video, first green and then red, and plays it in a loop.
    let video = "<p id=wait aria-busy=true>recording</p><video id=plain width=60 height=60 autoplay muted loop></video><script>(async () => {\
         const canvas = document.createElement('canvas'); canvas.width = canvas.height = 60; const pen = canvas.getContext('2d');\
         const draw = (colour) => { pen.fillStyle = colour; pen.fillRect(0, 0, 60, 60); }; draw('green');\
         const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: 'video/webm;codecs=vp8' }); const parts = [];\
         recorder.ondataavailable = (event) => parts.push(event.data); recorder.start();\
         const begun = performance.now(); await new Promise((done) => { const step = () => { const at = performance.now() - begun; draw(at < 400 ? 'green' : 'red'); at < 1000 ? setTimeout(step, 30) : done(); }; step(); });\
         await new Promise((done) => { recorder.onstop = done; recorder.stop(); });\
         plain.src = URL.createObjectURL(new Blob(parts)); await new Promise((done) => plain.addEventListener('timeupdate', () => { if (plain.currentTime > 0.5) done(); }));\
         wait.remove(); })()</script>";
    site.page("/video", "teal", video);
    let poster = video.replace("<video ", "<video poster=/poster.svg ");
    site.page("/poster", "teal", &poster);
    site.content("/poster.svg", 200, "image/svg+xml", b"<svg xmlns='http://www.w3.org/2000/svg' width='60' height='60'><rect width='60' height='60' fill='blue'/></svg>".to_vec());
    let job = capture(
        &app,
        &site,
        "frames",
        &["/pictures", "/video", "/poster"],
        json!({}),
    )
    .await;
    let (shot, _) = reported(&app, &job, "/pictures").await;
    assert_eq!((pixels(&shot, GREEN), pixels(&shot, RED)), (4 * 60 * 60, 0));
    let near = |pixel: &image::Rgb<u8>, colour: [u8; 3]| {
        pixel
            .0
            .iter()
            .zip(colour)
            .all(|(one, other)| one.abs_diff(other) < 40)
    };
    let (shot, report) = reported(&app, &job, "/video").await;
    assert_eq!(step(&report, "video")["outcome"], "done", "{report:#}");
    assert!(
        shot.pixels().all(|pixel| !near(pixel, RED)),
        "the video plays on"
    );
    assert!(
        shot.pixels().filter(|pixel| near(pixel, GREEN)).count() > 3_000,
        "its first frame is missing"
    );
    let (shot, report) = reported(&app, &job, "/poster").await;
    assert_eq!(pixels(&shot, [0, 0, 255]), 60 * 60, "{report:#}");
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clock_and_chance_stand_still_where_a_project_asks() {
    let app = TestApp::on_sqlite().await;
    let site = Site::start().await;
    let body = "<p id=said></p><script>const words = [Date.now(), new Date().toISOString(), new Date(0).getTime(), typeof Date(), Math.random(), crypto.randomUUID(),\
         crypto.getRandomValues(new Uint8Array(4)).join(), new Intl.DateTimeFormat('en', { timeZone: 'UTC' }).format(), new Date(2020, 1, 1).getFullYear(), new Date() instanceof Date,\
         ...(globalThis.Temporal ? ['instant', 'zonedDateTimeISO', 'plainDateTimeISO', 'plainDateISO', 'plainTimeISO'].map((name) => Temporal.Now[name]()) : [])];\
         said.textContent = words.join(' | ');</script>";
    site.page("/", "teal", body);
    let still =
        json!({ "captureProfile": { "clock": "2021-02-03T04:05:06Z", "seededRandom": true } });
    let mut said = Vec::new();
    for (project, extra) in [
        ("one", still.clone()),
        ("two", still),
        ("free", json!({})),
        ("free-too", json!({})),
    ] {
        let job = capture(&app, &site, project, &["/"], extra).await;
        let page = result(&job, "/");
        let (_, _, png) = app.client.download(&page["currentUrl"]).await;
        said.push(png);
    }
    assert!(said[0] == said[1], "time and chance moved");
    assert!(said[2] != said[3], "a page that shows the time shows it");
    app.stop().await;
}
