//! What a device says of itself: the `User-Agent` header, `navigator.platform`, and client hints where its browser has
//! them.

use chromiumoxide::cdp::browser_protocol::emulation::{
    SetUserAgentOverrideParams, UserAgentBrandVersion, UserAgentMetadata,
};

use super::devices::{Browser, Device};

/// What Chromium sets among its brands so that nobody relies on their number.
const GREASE: (&str, &str) = ("Not=A?Brand", "24");

/// Takes `navigator.userAgentData` away: browsers other than Chromium's kin have none.
pub(super) const NO_USER_AGENT_DATA: &str = "delete Navigator.prototype.userAgentData;";

/// How the browser is to present itself; none keeps its own word.
pub(super) fn presented(device: &Device) -> Option<SetUserAgentOverrideParams> {
    let user_agent = device.user_agent?;
    let mut params = SetUserAgentOverrideParams::new(user_agent);
    params.platform = Some(platform(user_agent).navigator.to_owned());
    params.user_agent_metadata = match device.browser {
        Some(Browser::Chromium) => client_hints(user_agent),
        Some(Browser::Firefox | Browser::Webkit) | None => None,
    };
    Some(params)
}

/// An operating system as browsers name it.
struct Platform {
    /// `navigator.platform`.
    navigator: &'static str,
    /// `Sec-CH-UA-Platform`.
    hint: &'static str,
}

/// By the first of these that the user agent holds. `Linux armv81` is what Chrome says on every Android.
fn platform(user_agent: &str) -> Platform {
    const KNOWN: [(&str, &str, &str); 9] = [
        ("Windows", "Win32", "Windows"),
        ("iPhone", "iPhone", "iOS"),
        ("iPad", "iPad", "iOS"),
        ("Macintosh", "MacIntel", "macOS"),
        ("Android", "Linux armv81", "Android"),
        ("PlayBook", "BlackBerry", ""),
        ("BB10", "BlackBerry", ""),
        ("MeeGo", "Linux armv7l", "Linux"),
        ("Linux", "Linux armv7l", "Linux"),
    ];
    let known = KNOWN.iter().find(|(mark, ..)| user_agent.contains(mark));
    let (_, navigator, hint) = known.copied().unwrap_or_default();
    Platform { navigator, hint }
}

/// The client hints of a browser of Chromium's kin (<https://wicg.github.io/ua-client-hints/>); none when the user agent
/// names none.
fn client_hints(user_agent: &str) -> Option<UserAgentMetadata> {
    let chromium = version_after(user_agent, "Chrome/")?;
    let (brand, version) = match version_after(user_agent, "Edg/") {
        Some(version) => ("Microsoft Edge", version),
        None => ("Google Chrome", chromium),
    };
    let brands = |of: fn(&str) -> &str| {
        [GREASE, ("Chromium", chromium), (brand, version)]
            .map(|(brand, version)| UserAgentBrandVersion::new(brand, of(version)))
            .to_vec()
    };
    let is_android = user_agent.contains("Android");
    let is_windows = user_agent.contains("Windows");
    Some(UserAgentMetadata {
        brands: Some(brands(major)),
        full_version_list: Some(brands(|version| version)),
        platform: platform(user_agent).hint.to_owned(),
        platform_version: match version_after(user_agent, "Android ") {
            Some(version) if !is_windows => version.to_owned(),
            _ => "10.0.0".to_owned(),
        },
        architecture: if is_android { "" } else { "x86" }.to_owned(),
        model: if is_windows { "" } else { model(user_agent) }.to_owned(),
        mobile: user_agent.contains("Mobile"),
        bitness: Some(if is_android { "" } else { "64" }.to_owned()),
        wow64: Some(false),
        form_factors: None,
    })
}

fn major(version: &str) -> &str {
    version.split('.').next().unwrap_or_default()
}

/// The digits and dots after a mark.
fn version_after<'a>(user_agent: &'a str, mark: &str) -> Option<&'a str> {
    let (_, rest) = user_agent.split_once(mark)?;
    let end = rest.find(|character: char| !character.is_ascii_digit() && character != '.');
    Some(&rest[..end.unwrap_or(rest.len())]).filter(|version| !version.is_empty())
}

/// The model of an Android device: `Pixel 7` of `(Linux; Android 14; Pixel 7)`, without its build.
fn model(user_agent: &str) -> &str {
    let Some((_, rest)) = user_agent.split_once("Android ") else {
        return "";
    };
    let end = rest.find(") AppleWebKit").unwrap_or(rest.len());
    let last = rest[..end].rsplit("; ").next().unwrap_or_default();
    last.split(" Build/").next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::devices;
    use super::*;

    fn hints(name: &str) -> Option<UserAgentMetadata> {
        presented(&devices::find(name).unwrap())
            .unwrap()
            .user_agent_metadata
    }

    #[test]
    fn chromium_s_kin_say_who_they_are_in_client_hints() {
        for (name, brand, platform, model, mobile) in [
            ("Desktop Chrome", "Google Chrome", "Windows", "", false),
            ("Desktop Edge", "Microsoft Edge", "Windows", "", false),
            ("Pixel 7", "Google Chrome", "Android", "Pixel 7", true),
            (
                "Pixel 4a (5G)",
                "Google Chrome",
                "Android",
                "Pixel 4a (5G)",
                true,
            ),
            (
                "Galaxy S5 landscape",
                "Google Chrome",
                "Android",
                "SM-G900P",
                true,
            ),
            (
                "Galaxy Tab S9",
                "Google Chrome",
                "Android",
                "SM-X710",
                false,
            ),
        ] {
            let hints = hints(name).unwrap();
            let brands = hints.brands.unwrap();
            assert_eq!(brands.len(), 3);
            assert_eq!(brands[2].brand, brand, "{name}");
            assert!(brands[2].version.parse::<u32>().is_ok(), "{brands:?}");
            assert_eq!(
                (hints.platform.as_str(), hints.model.as_str(), hints.mobile),
                (platform, model, mobile),
                "{name}"
            );
        }
        for name in [
            "Desktop Firefox",
            "Desktop Safari",
            "iPhone 13",
            "Nokia Lumia 520",
        ] {
            assert!(hints(name).is_none(), "{name}");
        }
    }

    #[test]
    fn every_device_has_a_platform() {
        for device in devices::all() {
            let Some(presented) = presented(device) else {
                assert!(device.browser.is_none(), "{}", device.name);
                continue;
            };
            assert_ne!(presented.platform.as_deref(), Some(""), "{}", device.name);
        }
        assert_eq!(
            platform("(Macintosh; Intel Mac OS X 10_15_7)").navigator,
            "MacIntel"
        );
    }
}
