//! What a proxy remembers of its page: the addresses that it refused or could not reach.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use url::{Position, Url};

use crate::dial::ConnectError;
use crate::target::TargetError;

/// Refusals that are told of one page.
const MAX_REFUSALS: usize = 20;

/// Addresses of one page that are remembered.
const MAX_REMEMBERED: usize = 1_000;

/// An address that was refused, and the rule that refused it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Scheme, host and port; a tunnel's scheme is unknown, and told as `https`.
    pub address: String,
    /// What the host's address is, and the network that says so.
    pub rule: String,
}

impl Refusal {
    /// What a refused address tells; none when it was not refused by a rule.
    pub(crate) fn of(url: &Url, error: &TargetError) -> Option<Self> {
        let TargetError::Private { address, rule, .. } = error else {
            return None;
        };
        Some(Self {
            address: url.origin().ascii_serialization(),
            rule: format!("{address} is {rule}"),
        })
    }
}

#[derive(Default)]
pub(super) struct Obstacles(Mutex<Remembered>);

#[derive(Default)]
struct Remembered {
    refusals: Vec<Refusal>,
    by_address: HashMap<String, ConnectError>,
}

impl Obstacles {
    /// Remembers why an address was not reached, within bounds.
    pub(super) fn add(&self, url: &Url, error: ConnectError) {
        let mut remembered = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let ConnectError::Target(error) = &error
            && let Some(refusal) = Refusal::of(url, error)
            && remembered.refusals.len() < MAX_REFUSALS
            && !remembered.refusals.contains(&refusal)
        {
            remembered.refusals.push(refusal);
        }
        if remembered.by_address.len() < MAX_REMEMBERED {
            remembered.by_address.insert(key(url), error);
        }
    }

    /// The address was reached after all.
    pub(super) fn remove(&self, url: &Url) {
        let mut remembered = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        remembered.by_address.remove(&key(url));
    }

    pub(super) fn refusals(&self) -> Vec<Refusal> {
        let remembered = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        remembered.refusals.clone()
    }

    pub(super) fn of(&self, url: &Url) -> Option<ConnectError> {
        let remembered = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        remembered.by_address.get(&key(url)).cloned()
    }
}

/// What the proxy sees of an address: of `https` the host and port alone.
fn key(url: &Url) -> String {
    match url.scheme() {
        "http" => url[..Position::AfterQuery].to_owned(),
        _ => url.origin().ascii_serialization(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(rule: &'static str) -> ConnectError {
        ConnectError::Target(TargetError::Private {
            host: "inside.test".to_owned(),
            address: "10.0.0.5".parse().unwrap(),
            rule,
        })
    }

    #[test]
    fn refusals_are_told_once_and_within_bounds_and_without_paths() {
        let obstacles = Obstacles::default();
        for number in 0..2_000 {
            let url = format!("http://inside.test:{}/token?{number}", 1 + number % 50);
            obstacles.add(&url.parse().unwrap(), refused("private (10.0.0.0/8)"));
        }
        let refusals = obstacles.refusals();
        assert_eq!(refusals.len(), MAX_REFUSALS);
        assert_eq!(refusals[0].address, "http://inside.test:1");
        assert_eq!(refusals[0].rule, "10.0.0.5 is private (10.0.0.0/8)");
        assert!(obstacles.0.lock().unwrap().by_address.len() <= MAX_REMEMBERED);
    }

    #[test]
    fn an_obstacle_is_that_of_its_address_alone() {
        let obstacles = Obstacles::default();
        let url = |text: &str| text.parse::<Url>().unwrap();
        obstacles.add(&url("http://a.test/x?y"), ConnectError::NothingListens);
        obstacles.add(&url("https://b.test:8443/"), ConnectError::TimedOut);
        for (text, expected) in [
            ("http://a.test/x?y#z", Some(ConnectError::NothingListens)),
            ("http://a.test/x", None),
            ("https://a.test/x?y", None),
            ("https://b.test:8443/any", Some(ConnectError::TimedOut)),
            ("https://b.test/", None),
        ] {
            assert_eq!(obstacles.of(&url(text)), expected, "{text}");
        }
    }
}
