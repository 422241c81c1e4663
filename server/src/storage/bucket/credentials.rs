//! The credentials that links to the bucket are signed with, kept for a while so that signing asks nobody.

use std::time::{Duration, SystemTime};

use aws_sdk_s3::config::{Credentials, ProvideCredentials, SharedCredentialsProvider};
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::failure::Problem;

/// Longest wait for credentials.
const DEADLINE: Duration = Duration::from_secs(10);

/// How long credentials are used before they are asked for again; those that expire, until this long before their end.
const KEPT: Duration = Duration::from_mins(15);
const RENEWED_BEFORE_END: Duration = Duration::from_mins(5);

/// Credentials that are about to expire are asked for again, but not with every link.
const KEPT_AT_LEAST: Duration = Duration::from_secs(30);

#[derive(Debug)]
pub(super) struct HeldCredentials {
    provider: SharedCredentialsProvider,
    held: Mutex<Option<(Credentials, Instant)>>,
}

impl HeldCredentials {
    pub(super) fn new(provider: SharedCredentialsProvider) -> Self {
        Self {
            provider,
            held: Mutex::new(None),
        }
    }

    pub(super) async fn get(&self, now: SystemTime) -> Result<Credentials, Problem> {
        let mut held = self.held.lock().await;
        if let Some((credentials, until)) = &*held
            && Instant::now() < *until
        {
            return Ok(credentials.clone());
        }
        let asked = tokio::time::timeout(DEADLINE, self.provider.provide_credentials());
        let credentials = match asked.await {
            Ok(Ok(credentials)) => credentials,
            Ok(Err(error)) => {
                let said = match std::error::Error::source(&error) {
                    Some(cause) => format!("{error}: {cause}"),
                    None => error.to_string(),
                };
                return Err(Problem::NoCredentials(said));
            }
            Err(_) => return Err(Problem::NoCredentials("no answer in time".to_owned())),
        };
        let until = Instant::now() + kept_for(credentials.expiry(), now);
        *held = Some((credentials.clone(), until));
        Ok(credentials)
    }
}

fn kept_for(expiry: Option<SystemTime>, now: SystemTime) -> Duration {
    let Some(expiry) = expiry else { return KEPT };
    let left = expiry.duration_since(now).unwrap_or_default();
    left.saturating_sub(RENEWED_BEFORE_END)
        .clamp(KEPT_AT_LEAST, KEPT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_renewed_before_they_expire() {
        let now = SystemTime::UNIX_EPOCH;
        let minutes = Duration::from_mins;
        assert_eq!(kept_for(None, now), minutes(15));
        assert_eq!(kept_for(Some(now + minutes(60)), now), minutes(15));
        assert_eq!(kept_for(Some(now + minutes(12)), now), minutes(7));
        assert_eq!(kept_for(Some(now), now), KEPT_AT_LEAST);
    }
}
