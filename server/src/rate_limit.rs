//! How often one key may call: each has a bucket of requests that fills up again steadily. Per process: several servers
//! each have buckets of their own.

use std::num::NonZeroU32;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use axum::extract::Request;
use axum::http::{Extensions, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use governor::clock::Clock as _;
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};

use crate::clock::Clock;
use crate::config::RateLimitSettings;
use crate::error::{Error, Result};

/// Both headers are those of draft-ietf-httpapi-ratelimit-headers-10 (September 2025), which is no RFC yet.
const POLICY_HEADER: HeaderName = HeaderName::from_static("ratelimit-policy");
const STANDING_HEADER: HeaderName = HeaderName::from_static("ratelimit");

/// The policy's name in both.
const POLICY: &str = "key";

type Buckets =
    RateLimiter<String, DefaultKeyedStateStore<String>, Ticks, StateInformationMiddleware>;

/// The buckets of every key that calls. Only keys that were found to be alive have one, so that nobody can make them up.
pub struct RateLimits(Option<Limits>);

struct Limits {
    buckets: Buckets,
    per_minute: u32,
    policy: HeaderValue,
    /// Seconds until a bucket that is not full has one request more, at most.
    refill_seconds: u64,
}

impl RateLimits {
    /// As the operator set them; none when the rate is 0.
    ///
    /// # Errors
    /// The settings make no rate.
    pub(crate) fn new(settings: &RateLimitSettings, clock: &Clock) -> anyhow::Result<Self> {
        let Some(per_minute) = NonZeroU32::new(settings.per_minute) else {
            return Ok(Self(None));
        };
        let burst = NonZeroU32::new(settings.burst).unwrap_or(NonZeroU32::MIN);
        let quota = Quota::per_minute(per_minute).allow_burst(burst);
        // A bucket that is used up is full again after this time: so many requests, in so many seconds.
        let window = whole_seconds(quota.burst_size_replenished_in());
        Ok(Self(Some(Limits {
            buckets: RateLimiter::new(quota, DefaultKeyedStateStore::default(), Ticks::of(clock)),
            per_minute: per_minute.get(),
            policy: HeaderValue::try_from(format!("\"{POLICY}\";q={burst};w={window}"))?,
            refill_seconds: whole_seconds(quota.replenish_interval()),
        })))
    }

    /// Takes a request out of the key's bucket, and notes how it stands for [`tell`]. A call counts once, however often
    /// its caller is asked for.
    ///
    /// # Errors
    /// 429 when the bucket is empty.
    pub(crate) fn admit(&self, key_id: &str, call: &Extensions) -> Result<()> {
        let Some(limits) = &self.0 else {
            return Ok(());
        };
        let standing = call.get::<Standing>();
        if standing.is_some_and(|standing| standing.0.get().is_some()) {
            return Ok(());
        }
        let outcome = limits.buckets.check_key(&key_id.to_owned());
        let (remaining, seconds) = match &outcome {
            Ok(state) => (state.remaining_burst_capacity(), limits.refill_seconds),
            Err(until) => (
                0,
                whole_seconds(until.wait_time_from(limits.buckets.clock().now())),
            ),
        };
        if let Some(standing) = standing {
            let text = format!("\"{POLICY}\";r={remaining};t={seconds}");
            let value = HeaderValue::try_from(text).map_err(anyhow::Error::from)?;
            // It was empty just now, and a call is handled by one task.
            let _ = standing.0.set((limits.policy.clone(), value));
        }
        match outcome {
            Ok(_) => Ok(()),
            Err(_) => Err(Error::RateLimited {
                message: format!(
                    "This key has made more than the {} calls a minute that it may make; wait {seconds} s, as `Retry-After` says, and send the call again.",
                    limits.per_minute
                ),
                retry_after_seconds: seconds,
            }),
        }
    }

    /// Forgets the buckets that are full again.
    pub(crate) fn forget_full(&self) {
        if let Some(limits) = &self.0 {
            limits.buckets.retain_recent();
            limits.buckets.shrink_to_fit();
        }
    }
}

/// Where one call's bucket stands: what both headers say. Empty until the call's key is known.
#[derive(Clone, Default)]
struct Standing(Arc<OnceLock<(HeaderValue, HeaderValue)>>);

/// Puts both headers on the answer of every call that was made with a key.
pub(crate) async fn tell(mut request: Request, next: Next) -> Response {
    let standing = Standing::default();
    request.extensions_mut().insert(standing.clone());
    let mut response = next.run(request).await;
    if let Some((policy, value)) = standing.0.get() {
        let headers = response.headers_mut();
        headers.insert(POLICY_HEADER, policy.clone());
        headers.insert(STANDING_HEADER, value.clone());
    }
    response
}

/// Rounded up, and never nothing.
fn whole_seconds(time: Duration) -> u64 {
    let started = u64::from(time.subsec_nanos() > 0);
    (time.as_secs() + started).max(1)
}

/// The time by which buckets fill. The machine's clock may be set back, which would leave them empty for as long, so that
/// time is counted from the start instead.
#[derive(Debug, Clone)]
enum Ticks {
    SinceStart(Instant),
    Manual(Clock),
}

impl Ticks {
    fn of(clock: &Clock) -> Self {
        match clock {
            Clock::System => Self::SinceStart(Instant::now()),
            Clock::Manual(_) => Self::Manual(clock.clone()),
        }
    }
}

impl governor::clock::Clock for Ticks {
    type Instant = Duration;

    fn now(&self) -> Duration {
        match self {
            Self::SinceStart(start) => start.elapsed(),
            Self::Manual(clock) => {
                Duration::from_millis(u64::try_from(clock.now_ms()).unwrap_or_default())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_whole_and_rounded_up() {
        for (millis, seconds) in [(0, 1), (5, 1), (1000, 1), (1001, 2), (14_999, 15)] {
            assert_eq!(whole_seconds(Duration::from_millis(millis)), seconds);
        }
    }
}
