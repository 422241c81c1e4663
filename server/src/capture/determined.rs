//! Time and chance, where a project wants them the same in every capture: scripts that run before those of the page.

use jiff::Timestamp;
use pentimento_api::capture::CaptureProfile;

const CLOCK: &str = include_str!("clock.js");
const RANDOM: &str = include_str!("random.js");

/// What has to run in each document before the page's own scripts.
pub(super) fn scripts(profile: &CaptureProfile) -> Vec<String> {
    // A time that no longer parses is one that an older version took; the clock goes on then.
    let time = (profile.clock.as_deref()).and_then(|clock| clock.parse::<Timestamp>().ok());
    let clock = time.map(|time| calling(CLOCK, &time.as_millisecond().to_string()));
    let random = profile.seeded_random.then(|| calling(RANDOM, ""));
    clock.into_iter().chain(random).collect()
}

/// The call of a function whose first lines are a comment.
fn calling(function: &str, argument: &str) -> String {
    format!("(\n{function})({argument})")
}
