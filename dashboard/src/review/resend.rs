//! Sending a decision once more when it got lost. The service takes the same one again from the same key, and answers as it did.

use gloo_timers::future::TimeoutFuture;
use pentimento_api::approve::{ApproveAnswer, ApproveRequest};

use crate::client::{self, ClientError};

/// What is waited before each further try.
const WAITS_MS: [u32; 4] = [500, 1_000, 2_000, 4_000];

/// No try begins later than this after the first one: other decisions wait for their turn meanwhile, and somebody for word.
const PATIENCE_MS: f64 = 8_000.0;

/// Sends a decision, and again as long as that may help.
pub(super) async fn post(request: &ApproveRequest) -> Result<ApproveAnswer, ClientError> {
    let begun_ms = js_sys::Date::now();
    let mut tries = 0;
    loop {
        let answer = client::post::<ApproveAnswer>("/approve", request).await;
        let taken_ms = js_sys::Date::now() - begun_ms;
        let wait = match &answer {
            Err(error) if error.is_passing() => wait_ms(tries, taken_ms, error.retry_after_s()),
            _ => None,
        };
        let Some(wait) = wait else { return answer };
        TimeoutFuture::new(wait).await;
        tries += 1;
    }
}

/// How long to wait before the next try, so many after the first one and so long after its begin; nothing where it is enough.
fn wait_ms(tries: usize, taken_ms: f64, retry_after_s: Option<u32>) -> Option<u32> {
    let own_ms = *WAITS_MS.get(tries)?;
    let asked_ms = retry_after_s.unwrap_or(0).saturating_mul(1_000);
    let wait = own_ms.max(asked_ms);
    (taken_ms + f64::from(wait) <= PATIENCE_MS).then_some(wait)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_until_it_is_enough() {
        let mut taken_ms = 0.0;
        let mut waits = Vec::new();
        while let Some(wait) = wait_ms(waits.len(), taken_ms, None) {
            waits.push(wait);
            taken_ms += f64::from(wait);
        }
        assert_eq!(waits, WAITS_MS);
        // What came to nothing after half a minute is not begun again.
        assert_eq!(wait_ms(0, 30_000.0, None), None);
        assert_eq!(wait_ms(0, 7_400.0, None), Some(500));
    }

    #[test]
    fn a_service_that_wants_more_time_gets_it_if_there_is_so_much() {
        assert_eq!(wait_ms(0, 0.0, Some(3)), Some(3_000));
        assert_eq!(wait_ms(3, 0.0, Some(1)), Some(4_000));
        assert_eq!(wait_ms(0, 0.0, Some(60)), None);
        assert_eq!(wait_ms(0, 0.0, Some(u32::MAX)), None);
    }
}
