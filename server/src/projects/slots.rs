//! When a schedule's slots are. Pure: all of it in UTC, in milliseconds since 1970.

use crate::clock::{MS_PER_DAY, MS_PER_HOUR};
use pentimento_api::project::Schedule;

/// 1970-01-01 was a Thursday; days are counted from Monday.
const FIRST_WEEKDAY: i64 = 3;

/// A schedule with all that tells its slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rhythm {
    /// How often.
    pub schedule: Schedule,
    /// 0–23; an hourly schedule has none.
    pub hour: i64,
    /// 0 for Monday to 6 for Sunday; only a weekly schedule has one.
    pub weekday: i64,
}

impl Rhythm {
    /// The last slot that is not after `now_ms`.
    pub fn latest(self, now_ms: i64) -> i64 {
        let step = match self.schedule {
            Schedule::Hourly => MS_PER_HOUR,
            Schedule::Daily => MS_PER_DAY,
            Schedule::Weekly => 7 * MS_PER_DAY,
        };
        self.next_after(now_ms) - step
    }

    /// The first slot after `now_ms`.
    pub fn next_after(self, now_ms: i64) -> i64 {
        let today = now_ms.div_euclid(MS_PER_DAY) * MS_PER_DAY;
        let (first, step) = match self.schedule {
            Schedule::Hourly => (now_ms.div_euclid(MS_PER_HOUR) * MS_PER_HOUR, MS_PER_HOUR),
            Schedule::Daily => (today + self.hour * MS_PER_HOUR, MS_PER_DAY),
            Schedule::Weekly => {
                let ahead = (self.weekday - weekday(now_ms)).rem_euclid(7);
                (
                    today + ahead * MS_PER_DAY + self.hour * MS_PER_HOUR,
                    7 * MS_PER_DAY,
                )
            }
        };
        if first > now_ms { first } else { first + step }
    }
}

/// The day of the week: 0 for Monday to 6 for Sunday.
pub fn weekday(now_ms: i64) -> i64 {
    (now_ms.div_euclid(MS_PER_DAY) + FIRST_WEEKDAY).rem_euclid(7)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::rfc3339;

    fn at(text: &str) -> i64 {
        text.parse::<jiff::Timestamp>().unwrap().as_millisecond()
    }

    #[test]
    fn the_next_slot_is_strictly_ahead() {
        // 2026-03-04 was a Wednesday.
        for (schedule, hour, weekday, now, next) in [
            (
                Schedule::Hourly,
                0,
                0,
                "2026-03-04T10:59:59.999Z",
                "2026-03-04T11:00:00.000Z",
            ),
            (
                Schedule::Hourly,
                0,
                0,
                "2026-03-04T11:00:00Z",
                "2026-03-04T12:00:00.000Z",
            ),
            (
                Schedule::Daily,
                6,
                0,
                "2026-03-04T05:59:59Z",
                "2026-03-04T06:00:00.000Z",
            ),
            (
                Schedule::Daily,
                6,
                0,
                "2026-03-04T06:00:00Z",
                "2026-03-05T06:00:00.000Z",
            ),
            (
                Schedule::Daily,
                0,
                0,
                "2026-12-31T23:00:00Z",
                "2027-01-01T00:00:00.000Z",
            ),
            (
                Schedule::Weekly,
                9,
                2,
                "2026-03-04T08:00:00Z",
                "2026-03-04T09:00:00.000Z",
            ),
            (
                Schedule::Weekly,
                9,
                2,
                "2026-03-04T09:00:00Z",
                "2026-03-11T09:00:00.000Z",
            ),
            (
                Schedule::Weekly,
                9,
                0,
                "2026-03-04T08:00:00Z",
                "2026-03-09T09:00:00.000Z",
            ),
            (
                Schedule::Weekly,
                23,
                6,
                "2026-03-04T08:00:00Z",
                "2026-03-08T23:00:00.000Z",
            ),
        ] {
            let rhythm = Rhythm {
                schedule,
                hour,
                weekday,
            };
            assert_eq!(
                rfc3339(rhythm.next_after(at(now))),
                next,
                "{rhythm:?} at {now}"
            );
        }
    }

    #[test]
    fn the_latest_slot_may_be_now() {
        for (schedule, now, latest) in [
            (
                Schedule::Hourly,
                "2026-03-04T11:00:00Z",
                "2026-03-04T11:00:00.000Z",
            ),
            (
                Schedule::Daily,
                "2026-03-04T05:00:00Z",
                "2026-03-03T06:00:00.000Z",
            ),
            (
                Schedule::Weekly,
                "2026-03-04T06:00:00Z",
                "2026-03-04T06:00:00.000Z",
            ),
        ] {
            let rhythm = Rhythm {
                schedule,
                hour: 6,
                weekday: 2,
            };
            assert_eq!(rfc3339(rhythm.latest(at(now))), latest);
        }
    }

    #[test]
    fn weekdays_count_from_monday() {
        assert_eq!(weekday(0), 3);
        assert_eq!(weekday(at("2026-03-02T00:00:00Z")), 0);
        assert_eq!(weekday(at("2026-03-08T23:59:59Z")), 6);
    }
}
