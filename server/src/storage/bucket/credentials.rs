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

/// Credentials that are about to expire are asked for again, but not with every link; so are those that could not be had anew.
const KEPT_AT_LEAST: Duration = Duration::from_secs(30);

/// How long a failure stands for those who ask while there are no credentials: who waits in a row waits once.
const FAILURE_KEPT: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub(super) struct HeldCredentials {
    provider: SharedCredentialsProvider,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    /// The last ones that were given.
    credentials: Option<Credentials>,
    /// Why there were none, the last time.
    failure: Option<String>,
    /// When to ask again.
    until: Option<Instant>,
}

impl HeldCredentials {
    pub(super) fn new(provider: SharedCredentialsProvider) -> Self {
        Self {
            provider,
            held: Mutex::default(),
        }
    }

    /// Credentials that are valid at `now`. While those that are held are, a failure to get others is only logged.
    pub(super) async fn get(&self, now: SystemTime) -> Result<Credentials, Problem> {
        self.get_at(now, Instant::now()).await
    }

    async fn get_at(&self, now: SystemTime, instant: Instant) -> Result<Credentials, Problem> {
        let mut held = self.held.lock().await;
        if held.until.is_none_or(|until| until <= instant) {
            self.ask(&mut held, now, instant).await;
        }
        let valid = held.credentials.as_ref().filter(|credentials| {
            let expiry = credentials.expiry();
            // Whether those that were given a moment ago are still good is the bucket's to say.
            held.failure.is_none() || expiry.is_none_or(|expiry| now < expiry)
        });
        valid.cloned().ok_or_else(|| {
            let said = held.failure.clone();
            Problem::NoCredentials(said.unwrap_or_default())
        })
    }

    async fn ask(&self, held: &mut Held, now: SystemTime, instant: Instant) {
        let asked = tokio::time::timeout(DEADLINE, self.provider.provide_credentials());
        let said = match asked.await {
            Ok(Ok(credentials)) => {
                held.until = Some(instant + kept_for(credentials.expiry(), now));
                held.credentials = Some(credentials);
                held.failure = None;
                return;
            }
            Ok(Err(error)) => match std::error::Error::source(&error) {
                Some(cause) => format!("{error}: {cause}"),
                None => error.to_string(),
            },
            Err(_) => "no answer in time".to_owned(),
        };
        let pause = if held.credentials.is_some() {
            tracing::warn!(
                reason = said,
                "the bucket's credentials cannot be renewed; the last ones are used while they are valid"
            );
            KEPT_AT_LEAST
        } else {
            FAILURE_KEPT
        };
        held.until = Some(instant + pause);
        held.failure = Some(said);
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
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use aws_credential_types::provider::{error::CredentialsError, future};

    use super::*;

    /// A role's credentials, which can be had the first few times alone.
    #[derive(Debug, Clone)]
    struct Role {
        asked: Arc<AtomicUsize>,
        given: usize,
        expiry: SystemTime,
    }

    impl ProvideCredentials for Role {
        fn provide_credentials<'a>(&'a self) -> future::ProvideCredentials<'a>
        where
            Self: 'a,
        {
            let asked = self.asked.fetch_add(1, Ordering::Relaxed);
            let answer = if asked < self.given {
                Ok(Credentials::new(
                    "id",
                    "secret",
                    None,
                    Some(self.expiry),
                    "role",
                ))
            } else {
                Err(CredentialsError::provider_error(
                    "the metadata service is away",
                ))
            };
            future::ProvideCredentials::ready(answer)
        }
    }

    fn held(given: usize, expiry: SystemTime) -> (HeldCredentials, Arc<AtomicUsize>) {
        let asked = Arc::new(AtomicUsize::new(0));
        let role = Role {
            asked: asked.clone(),
            given,
            expiry,
        };
        let held = HeldCredentials::new(SharedCredentialsProvider::new(role));
        (held, asked)
    }

    #[test]
    fn credentials_are_renewed_before_they_expire() {
        let now = SystemTime::UNIX_EPOCH;
        let minutes = Duration::from_mins;
        assert_eq!(kept_for(None, now), minutes(15));
        assert_eq!(kept_for(Some(now + minutes(60)), now), minutes(15));
        assert_eq!(kept_for(Some(now + minutes(12)), now), minutes(7));
        assert_eq!(kept_for(Some(now), now), KEPT_AT_LEAST);
    }

    #[tokio::test]
    async fn those_that_cannot_be_renewed_are_used_until_they_expire() {
        let now = SystemTime::UNIX_EPOCH;
        let expiry = now + Duration::from_hours(1);
        let (held, asked) = held(1, expiry);
        let start = Instant::now();
        held.get_at(now, start).await.unwrap();
        for _ in 0..3 {
            held.get_at(now + KEPT, start + KEPT).await.unwrap();
        }
        assert_eq!(asked.load(Ordering::Relaxed), 2, "asked again once");
        let end = start + Duration::from_hours(1);
        let refused = held.get_at(expiry, end).await.unwrap_err().to_string();
        assert!(
            refused.contains("the metadata service is away"),
            "{refused}"
        );
    }

    #[tokio::test]
    async fn a_failure_stands_for_a_moment() {
        let now = SystemTime::UNIX_EPOCH;
        let (held, asked) = held(0, now);
        let start = Instant::now();
        for _ in 0..3 {
            held.get_at(now, start).await.unwrap_err();
        }
        assert_eq!(asked.load(Ordering::Relaxed), 1);
        held.get_at(now, start + FAILURE_KEPT).await.unwrap_err();
        assert_eq!(asked.load(Ordering::Relaxed), 2);
    }
}
