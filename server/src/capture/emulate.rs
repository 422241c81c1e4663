//! Making a page's browser the device that it is captured on.

mod silence;

use chromiumoxide::Page;
use chromiumoxide::cdp::browser_protocol::emulation::{
    MediaFeature, ScreenOrientation, ScreenOrientationType, SetDeviceMetricsOverrideParams,
    SetEmulatedMediaParams, SetScrollbarsHiddenParams, SetTouchEmulationEnabledParams,
};
use chromiumoxide::cdp::browser_protocol::page::AddScriptToEvaluateOnNewDocumentParams;
use chromiumoxide::error::CdpError;
use pentimento_api::capture::CaptureProfile;

use super::devices::Device;
use super::{determined, user_agent};

/// Fingers that phones and tablets tell apart.
const TOUCH_POINTS: i64 = 5;

/// Dialogs would stop the page until somebody answers them; windows, and its own end, are not for a page to decide. What gets
/// past this, from frames of other sites, is for `conduct`.
const NO_DIALOGS: &str = "window.alert = () => {}; window.confirm = () => false; window.prompt = () => null; \
    window.print = () => {}; window.open = () => null; window.close = () => {};";

/// Everything that the page sees of its device from now on, and no dialogs, windows or console; of its project's profile, what
/// has to be in force before the page is opened.
pub(super) async fn emulate(
    page: &Page,
    device: &Device,
    profile: &CaptureProfile,
) -> Result<(), CdpError> {
    page.execute(metrics(device)?).await?;
    let mut touch = SetTouchEmulationEnabledParams::new(device.has_touch);
    touch.max_touch_points = device.has_touch.then_some(TOUCH_POINTS);
    page.execute(touch).await?;
    if let Some(presented) = user_agent::presented(device) {
        if presented.user_agent_metadata.is_none() {
            run_before_each_document(page, user_agent::NO_USER_AGENT_DATA).await?;
        }
        page.execute(presented).await?;
    }
    let motion = if profile.animations {
        "reduce"
    } else {
        "no-preference"
    };
    page.execute(
        SetEmulatedMediaParams::builder()
            .media("screen")
            .features(vec![MediaFeature::new("prefers-reduced-motion", motion)])
            .build(),
    )
    .await?;
    page.execute(SetScrollbarsHiddenParams::new(profile.scrollbars))
        .await?;
    for script in determined::scripts(profile) {
        run_before_each_document(page, &script).await?;
    }
    run_before_each_document(page, NO_DIALOGS).await?;
    silence::install(page).await
}

fn metrics(device: &Device) -> Result<SetDeviceMetricsOverrideParams, CdpError> {
    let (viewport, screen) = (device.viewport, device.screen);
    let is_turned = device.is_mobile && viewport.width > viewport.height;
    let orientation = match (device.is_mobile, is_turned) {
        (true, false) => ScreenOrientation::new(ScreenOrientationType::PortraitPrimary, 0),
        (true, true) => ScreenOrientation::new(ScreenOrientationType::LandscapePrimary, 90),
        (false, _) => ScreenOrientation::new(ScreenOrientationType::LandscapePrimary, 0),
    };
    SetDeviceMetricsOverrideParams::builder()
        .width(viewport.width)
        .height(viewport.height)
        .device_scale_factor(1.0)
        .mobile(device.is_mobile)
        .screen_width(screen.width)
        .screen_height(screen.height)
        .screen_orientation(orientation)
        .build()
        .map_err(CdpError::msg)
}

async fn run_before_each_document(page: &Page, script: &str) -> Result<(), CdpError> {
    page.execute(AddScriptToEvaluateOnNewDocumentParams::new(script))
        .await
        .map(drop)
}
