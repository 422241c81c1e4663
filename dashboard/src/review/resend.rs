//! Sending a decision once more when it got lost. The service takes the same one again from the same key, and answers as it did.

use gloo_timers::future::TimeoutFuture;
use pentimento_api::approve::{ApproveAnswer, ApproveRequest};
use pentimento_api::error::ErrorCode;

use crate::client::{self, ClientError};

/// What is waited before each further try.
const WAITS_MS: [u32; 4] = [500, 1_000, 2_000, 4_000];

/// No try begins later than this after the first one: other decisions wait for their turn meanwhile, and somebody for word.
const PATIENCE_MS: f64 = 8_000.0;

/// Sends a decision, and again as long as that may help, unless somebody else is signed in by then: it would be theirs.
pub(super) async fn post(
    request: &ApproveRequest,
    is_anothers: impl Fn() -> bool,
) -> Result<ApproveAnswer, ClientError> {
    let begun_ms = js_sys::Date::now();
    let mut tries = 0;
    let mut lost = None;
    loop {
        let answer = client::post::<ApproveAnswer>("/approve", request).await;
        let taken_ms = js_sys::Date::now() - begun_ms;
        let wait = match &answer {
            Err(error) if error.is_passing() => wait_ms(tries, taken_ms, error.retry_after_s()),
            _ => None,
        };
        let Some(wait) = wait else {
            return outcome(answer, lost);
        };
        TimeoutFuture::new(wait).await;
        if is_anothers() {
            return outcome(answer, lost);
        }
        lost = (answer.err()).filter(|error| !error.is_refusal()).or(lost);
        tries += 1;
    }
}

/// What became of a decision: its last answer, unless that refuses the try alone, and the answer to an earlier one was lost. Then
/// nobody knows.
fn outcome<T>(answer: Result<T, ClientError>, lost: Option<ClientError>) -> Result<T, ClientError> {
    match (answer, lost) {
        (Err(error), Some(lost)) if is_about_try(&error) => Err(lost),
        (answer, _) => answer,
    }
}

/// Whether an error tells of the request alone, and nothing of what it asks for: the service had no time for it, or would not
/// take it from this key.
fn is_about_try(error: &ClientError) -> bool {
    !error.is_for_good() || error.code() == Some(ErrorCode::Forbidden)
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
    use pentimento_api::error::ErrorBody;

    use super::*;

    #[test]
    fn a_lost_answer_stays_lost_until_something_is_told_of_the_decision() {
        let refused = |status, code| ClientError::Refused {
            status,
            body: ErrorBody {
                error: String::new(),
                code,
                conflicted_urls: None,
            },
            retry_after_s: None,
        };
        let lost = || Some(ClientError::Network);
        for (status, code) in [
            (401, ErrorCode::Unauthorized),
            (403, ErrorCode::Forbidden),
            (429, ErrorCode::RateLimited),
            (500, ErrorCode::Internal),
        ] {
            let error = refused(status, code);
            assert_eq!(
                outcome::<()>(Err(error.clone()), lost()),
                Err(ClientError::Network)
            );
            assert_eq!(outcome::<()>(Err(error.clone()), None), Err(error));
        }
        let moved = refused(409, ErrorCode::BaselineMoved);
        assert_eq!(outcome::<()>(Err(moved.clone()), lost()), Err(moved));
        assert_eq!(outcome(Ok(1), lost()), Ok(1));
    }

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
