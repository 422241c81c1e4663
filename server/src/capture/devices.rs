//! The devices that a page can be captured on: Playwright's descriptors and four plain viewports.

/// A device: its viewport and what it says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Device {
    /// Its name.
    pub name: &'static str,
    /// Viewport width in CSS pixels.
    pub width: u32,
    /// Viewport height in CSS pixels.
    pub height: u32,
    /// What it sends as `User-Agent`; none keeps the browser's own.
    pub user_agent: Option<&'static str>,
    /// How pages are laid out and touched.
    pub kind: DeviceKind,
}

/// How pages are laid out and touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceKind {
    /// A pointer and no viewport meta.
    Desktop,
    /// Fingers, and the viewport meta counts.
    Mobile,
}

/// The device when none is named.
pub const DEFAULT: &str = "Desktop Chrome";

/// How alike two names must be for a suggestion (Jaro–Winkler, 0–1).
const NEAR: f64 = 0.75;

/// Most suggestions.
const MAX_SUGGESTIONS: usize = 3;

// Facts of playwright-core's `devices`; `deviceScaleFactor` is pinned to 1 and therefore left out.
const DEVICES: [Device; 7] = [
    Device {
        name: DEFAULT,
        width: 1280,
        height: 720,
        user_agent: None,
        kind: DeviceKind::Desktop,
    },
    Device {
        name: "iPhone 13",
        width: 390,
        height: 664,
        user_agent: Some(
            "Mozilla/5.0 (iPhone; CPU iPhone OS 15_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
        ),
        kind: DeviceKind::Mobile,
    },
    Device {
        name: "Pixel 7",
        width: 412,
        height: 839,
        user_agent: Some(
            "Mozilla/5.0 (Linux; Android 14; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36",
        ),
        kind: DeviceKind::Mobile,
    },
    Device {
        name: "desktop",
        width: 1920,
        height: 1080,
        user_agent: None,
        kind: DeviceKind::Desktop,
    },
    Device {
        name: "laptop",
        width: 1366,
        height: 768,
        user_agent: None,
        kind: DeviceKind::Desktop,
    },
    Device {
        name: "tablet",
        width: 768,
        height: 1024,
        user_agent: None,
        kind: DeviceKind::Desktop,
    },
    Device {
        name: "mobile",
        width: 375,
        height: 667,
        user_agent: None,
        kind: DeviceKind::Mobile,
    },
];

/// The device with this name, whatever its case.
pub fn find(name: &str) -> Option<Device> {
    DEVICES
        .into_iter()
        .find(|device| device.name.eq_ignore_ascii_case(name.trim()))
}

/// Every device's name.
pub fn names() -> impl Iterator<Item = &'static str> {
    DEVICES.into_iter().map(|device| device.name)
}

/// Names that are nearly this one, the nearest first, in backquotes.
pub fn near_matches(name: &str) -> Vec<String> {
    let wanted = name.to_lowercase();
    let mut near: Vec<(f64, &str)> = names()
        .map(|known| (strsim::jaro_winkler(&wanted, &known.to_lowercase()), known))
        .filter(|(likeness, _)| *likeness >= NEAR)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    near.into_iter()
        .take(MAX_SUGGESTIONS)
        .map(|(_, known)| format!("`{known}`"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_any_case_and_near_ones_suggested() {
        assert_eq!(find("iphone 13").map(|device| device.width), Some(390));
        assert!(find("iPhone 99").is_none());
        assert_eq!(
            near_matches("iphone13").first().map(String::as_str),
            Some("`iPhone 13`")
        );
        assert!(near_matches("zzzz").is_empty());
    }
}
