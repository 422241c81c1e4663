//! A browser to look with: what a reviewer's hands and eyes do.

use std::time::Duration;

use chromiumoxide::cdp::browser_protocol::emulation::SetDeviceMetricsOverrideParams;
use chromiumoxide::cdp::browser_protocol::input::{DispatchKeyEventParams, DispatchKeyEventType};
use chromiumoxide::cdp::js_protocol::runtime::EvaluateParams;
use chromiumoxide::{Browser, BrowserConfig, Page};
use futures::StreamExt;
use serde_json::Value;
use tempfile::TempDir;

/// Longest wait for something to appear on the screen.
const DEADLINE_MS: u32 = 20_000;

/// A browser with one page.
pub(crate) struct Eyes {
    browser: Browser,
    pub(crate) page: Page,
    _profile: TempDir,
}

impl Eyes {
    /// A window of this size.
    pub(crate) async fn open(width: u32, height: u32) -> Self {
        let configured = std::env::var_os("PENTIMENTO_BROWSER").map(std::path::PathBuf::from);
        let program =
            pentimento::capture::find_program(configured.as_ref()).expect("a browser is installed");
        let profile = tempfile::tempdir().unwrap();
        let config = BrowserConfig::builder()
            .chrome_executable(program)
            .user_data_dir(profile.path())
            .viewport(None)
            .no_sandbox()
            .launch_timeout(Duration::from_secs(30))
            .build()
            .unwrap();
        let (browser, mut events) = Browser::launch(config)
            .await
            .expect("a browser to look with");
        tokio::spawn(async move { while events.next().await.is_some() {} });
        let page = browser.new_page("about:blank").await.unwrap();
        let eyes = Self {
            browser,
            page,
            _profile: profile,
        };
        eyes.resize(width, height).await;
        eyes
    }

    /// Makes the window as large as this.
    pub(crate) async fn resize(&self, width: u32, height: u32) {
        let metrics =
            SetDeviceMetricsOverrideParams::new(i64::from(width), i64::from(height), 1.0, false);
        self.page.execute(metrics).await.unwrap();
    }

    pub(crate) async fn goto(&self, address: &str) {
        self.page.goto(address).await.unwrap();
    }

    /// Runs JavaScript and waits for what it gives.
    pub(crate) async fn run(&self, expression: &str) -> Value {
        let params = EvaluateParams::builder()
            .expression(expression)
            .await_promise(true)
            .return_by_value(true)
            .build()
            .unwrap();
        let returned = self.page.execute(params).await.unwrap().result;
        assert!(
            returned.exception_details.is_none(),
            "{expression}: {:?}",
            returned.exception_details
        );
        returned.result.value.unwrap_or(Value::Null)
    }

    /// Waits until the JavaScript condition holds.
    ///
    /// # Panics
    /// When it does not hold in time; the message shows what the screen says instead.
    pub(crate) async fn until(&self, condition: &str) {
        let expression = format!(
            "new Promise((done) => {{ const end = performance.now() + {DEADLINE_MS}; const look = () => {{ \
             let holds = false; try {{ holds = Boolean({condition}); }} catch {{ holds = false; }} \
             if (holds) done(true); else if (performance.now() > end) done(false); else requestAnimationFrame(look); }}; look(); }})"
        );
        if self.run(&expression).await != Value::Bool(true) {
            let seen = self
                .run("location.href + '\\n' + document.body.innerText")
                .await;
            panic!(
                "`{condition}` never held; the screen says:\n{}",
                seen.as_str().unwrap_or_default()
            );
        }
    }

    /// Waits for an element by its test id, clicks its middle as a hand would.
    pub(crate) async fn click(&self, test_id: &str) {
        let found = hook(test_id);
        self.until(&format!("{found} && !{found}.disabled")).await;
        self.run(&format!("{found}.click()")).await;
    }

    /// Types into an element by its test id.
    pub(crate) async fn type_into(&self, test_id: &str, text: &str) {
        let found = hook(test_id);
        self.until(&found).await;
        self.run(&format!("{found}.focus()")).await;
        for character in text.chars() {
            let press = |kind| {
                DispatchKeyEventParams::builder()
                    .r#type(kind)
                    .text(character.to_string())
                    .key(character.to_string())
                    .build()
                    .unwrap()
            };
            self.page
                .execute(press(DispatchKeyEventType::KeyDown))
                .await
                .unwrap();
            let release = DispatchKeyEventParams::builder()
                .r#type(DispatchKeyEventType::KeyUp)
                .key(character.to_string())
                .build()
                .unwrap();
            self.page.execute(release).await.unwrap();
        }
    }

    /// Presses a key, such as `a` or `Enter`.
    pub(crate) async fn press(&self, key: &str) {
        let mut down = DispatchKeyEventParams::builder()
            .r#type(DispatchKeyEventType::KeyDown)
            .key(key);
        if key.chars().count() == 1 {
            down = down.text(key).code(format!("Key{}", key.to_uppercase()));
        }
        if key == "Enter" {
            down = down.text("\r").code("Enter").windows_virtual_key_code(13);
        }
        self.page.execute(down.build().unwrap()).await.unwrap();
        let up = DispatchKeyEventParams::builder()
            .r#type(DispatchKeyEventType::KeyUp)
            .key(key)
            .build()
            .unwrap();
        self.page.execute(up).await.unwrap();
    }

    /// The text of an element by its test id.
    pub(crate) async fn text(&self, test_id: &str) -> String {
        let found = hook(test_id);
        self.until(&found).await;
        self.run(&format!("{found}.innerText"))
            .await
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    pub(crate) async fn close(mut self) {
        self.browser.close().await.unwrap();
        self.browser.wait().await.unwrap();
    }
}

/// JavaScript that finds an element by its test id.
pub(crate) fn hook(test_id: &str) -> String {
    format!("document.querySelector('[data-testid=\"{test_id}\"]')")
}
