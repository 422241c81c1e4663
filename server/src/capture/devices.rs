//! The devices that a page can be captured on: Playwright's descriptors and four plain viewports.

mod suggest;

use std::sync::LazyLock;

use pentimento_api::device::{DeviceKind, DeviceListed, ScreenSize};
use serde::Deserialize;

pub use suggest::near_matches;

/// A device: its sizes and what it says of itself. Captures have one image pixel for each CSS pixel, so it has no scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Device {
    /// Its name.
    pub name: &'static str,
    /// The part that shows a page, in CSS pixels.
    pub viewport: Size,
    /// The whole screen, in CSS pixels.
    pub screen: Size,
    /// What it sends as `User-Agent`; none keeps the browser's own.
    pub user_agent: Option<&'static str>,
    /// Whether the viewport meta of pages counts.
    pub is_mobile: bool,
    /// Whether it is used with fingers.
    pub has_touch: bool,
    /// The browser that it says it is; none keeps the browser's own word.
    pub browser: Option<Browser>,
}

/// An extent in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Size {
    /// Across.
    pub width: u32,
    /// Down.
    pub height: u32,
}

/// The family of the browser that a device says it has. Captures are made with Chromium whatever it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Browser {
    /// Chrome, Edge and their kin.
    Chromium,
    /// Firefox.
    Firefox,
    /// Safari and its kin.
    Webkit,
}

/// The device when none is named.
pub const DEFAULT: &str = "Desktop Chrome";

/// What `source` says of the viewport names.
const OWN_SOURCE: &str = "pentimento";

/// Playwright's descriptors; `scripts/devices` writes the file. `deviceScaleFactor` is left out: it is always 1 here.
static DESCRIPTORS: LazyLock<Descriptors> = LazyLock::new(|| {
    serde_json::from_str(include_str!("devices.json")).expect("a file that a test reads")
});

static DEVICES: LazyLock<Vec<Device>> = LazyLock::new(|| {
    let viewports = [
        plain("desktop", 1920, 1080),
        plain("laptop", 1366, 768),
        plain("tablet", 768, 1024),
        Device {
            is_mobile: true,
            has_touch: true,
            ..plain("mobile", 375, 667)
        },
    ];
    let described = DESCRIPTORS.devices.iter().map(Descriptor::device);
    viewports.into_iter().chain(described).collect()
});

#[derive(Deserialize)]
struct Descriptors {
    source: &'static str,
    version: &'static str,
    devices: Vec<Descriptor>,
}

/// A device as Playwright describes it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    name: &'static str,
    viewport: Size,
    screen: Option<Size>,
    user_agent: &'static str,
    is_mobile: bool,
    has_touch: bool,
    default_browser_type: Browser,
}

impl Descriptor {
    fn device(&self) -> Device {
        Device {
            name: self.name,
            viewport: self.viewport,
            screen: self.screen.unwrap_or(self.viewport),
            user_agent: Some(self.user_agent),
            is_mobile: self.is_mobile,
            has_touch: self.has_touch,
            browser: Some(self.default_browser_type),
        }
    }
}

const fn plain(name: &'static str, width: u32, height: u32) -> Device {
    let size = Size { width, height };
    Device {
        name,
        viewport: size,
        screen: size,
        user_agent: None,
        is_mobile: false,
        has_touch: false,
        browser: None,
    }
}

/// The device with this name, whatever its case.
pub fn find(name: &str) -> Option<Device> {
    let mut devices = DEVICES.iter();
    devices
        .find(|device| device.name.eq_ignore_ascii_case(name.trim()))
        .copied()
}

/// Every device: the viewports first, then the descriptors in their own order.
pub fn all() -> &'static [Device] {
    &DEVICES
}

/// Every device as `GET /devices` lists it.
pub fn listed() -> Vec<DeviceListed> {
    let described = format!("{} {}", DESCRIPTORS.source, DESCRIPTORS.version);
    let list = |device: &Device| DeviceListed {
        name: device.name.to_owned(),
        kind: match device.browser {
            Some(_) => DeviceKind::Device,
            None => DeviceKind::Viewport,
        },
        width: device.viewport.width,
        height: device.viewport.height,
        screen: ScreenSize {
            width: device.screen.width,
            height: device.screen.height,
        },
        user_agent: device.user_agent.map(str::to_owned),
        touch: device.has_touch,
        mobile: device.is_mobile,
        source: match device.browser {
            Some(_) => described.clone(),
            None => OWN_SOURCE.to_owned(),
        },
    };
    all().iter().map(list).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_file_holds_every_descriptor_once() {
        assert_eq!(DESCRIPTORS.devices.len(), 207);
        let names: HashSet<String> = all()
            .iter()
            .map(|device| device.name.to_lowercase())
            .collect();
        assert_eq!(names.len(), 211);
        for device in all() {
            assert!(device.viewport.width >= 240 && device.viewport.height >= 240);
            assert!(device.screen.width >= 240 && device.screen.height >= 240);
        }
    }

    #[test]
    fn names_are_found_in_any_case() {
        let phone = find("iphone 13").unwrap();
        assert_eq!(
            (phone.viewport.width, phone.screen.height, phone.is_mobile),
            (390, 844, true)
        );
        assert_eq!(find(" LAPTOP ").unwrap().viewport.width, 1366);
        assert_eq!(find(DEFAULT).unwrap().viewport.height, 720);
        assert!(find("iPhone 99").is_none());
    }
}
