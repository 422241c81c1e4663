//! Figures for a monitoring system, in the text format of Prometheus.
//!
//! Each service has its own; nothing in them names a page, a project or an organization.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use metrics::{Unit, with_local_recorder};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusRecorder};
use pentimento_compute::BackendReport;

use crate::capture::{Capture, CaptureError};

const COMPARISONS: &str = "pentimento_comparisons_total";
const COMPARISON_SECONDS: &str = "pentimento_comparison_seconds";
const CAPTURE_SECONDS: &str = "pentimento_capture_seconds";
const BROWSER_MEMORY: &str = "pentimento_browser_memory_bytes";
const QUESTIONS: &str = "pentimento_language_model_questions_total";
const COMPARATOR: &str = "pentimento_comparator_info";

/// Upper bounds of the histogram's buckets in seconds: from equal viewports to the tallest pages.
const BUCKETS_SECONDS: [f64; 8] = [0.001, 0.005, 0.02, 0.05, 0.1, 0.3, 1.0, 5.0];

/// The same for captures: from simple pages to those that use up the longest budget.
const CAPTURE_BUCKETS_SECONDS: [f64; 8] = [0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 600.0];

/// What came of an attempt at a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaptureOutcome {
    /// It was captured.
    Captured,
    /// It took too much memory.
    Memory,
    /// It took too much time.
    Time,
    /// It failed otherwise.
    Failed,
}

impl CaptureOutcome {
    /// Of an attempt.
    pub fn of(attempt: &Result<Capture, CaptureError>) -> Self {
        match attempt {
            Ok(_) => Self::Captured,
            Err(CaptureError::Memory { .. } | CaptureError::BrowserMemory { .. }) => Self::Memory,
            Err(CaptureError::OutOfTime { .. }) => Self::Time,
            Err(_) => Self::Failed,
        }
    }

    fn as_str(self) -> &'static str {
        match self {
            Self::Captured => "captured",
            Self::Memory => "memory",
            Self::Time => "time",
            Self::Failed => "failed",
        }
    }
}

/// What one service counts.
pub struct Metrics {
    recorder: PrometheusRecorder,
    /// The labels, backend and adapter, under which the comparator was shown last.
    comparator: Mutex<Option<(&'static str, String)>>,
}

impl Metrics {
    /// Begins at zero.
    ///
    /// # Errors
    /// Never with the buckets above; the library checks them.
    pub fn new() -> Result<Self, BuildError> {
        let recorder = PrometheusBuilder::new()
            .set_buckets_for_metric(
                Matcher::Full(COMPARISON_SECONDS.to_owned()),
                &BUCKETS_SECONDS,
            )?
            .set_buckets_for_metric(
                Matcher::Full(CAPTURE_SECONDS.to_owned()),
                &CAPTURE_BUCKETS_SECONDS,
            )?
            .build_recorder();
        with_local_recorder(&recorder, || {
            metrics::describe_counter!(
                COMPARISONS,
                "Pairs of captures compared, by what compared them."
            );
            metrics::describe_histogram!(
                COMPARISON_SECONDS,
                Unit::Seconds,
                "Time of comparing the pictures of two captures, without opening them in storage, by what compared them."
            );
            metrics::describe_histogram!(
                CAPTURE_SECONDS,
                Unit::Seconds,
                "Time that one attempt at a page held its place in a browser, by what came of it."
            );
            metrics::describe_gauge!(
                BROWSER_MEMORY,
                Unit::Bytes,
                "Memory of all browsers with their processes."
            );
            metrics::describe_counter!(
                QUESTIONS,
                "Questions to the language model, by what came of them."
            );
            metrics::describe_gauge!(COMPARATOR, "1 for the backend that compares now.");
        });
        Ok(Self {
            recorder,
            comparator: Mutex::default(),
        })
    }

    /// Counts a comparison by its backend: `cpu`, `gpu`, or `hash` for captures of the same bytes.
    pub fn count_comparison(&self, backend: &'static str, took: Duration) {
        with_local_recorder(&self.recorder, || {
            metrics::counter!(COMPARISONS, "backend" => backend).increment(1);
            metrics::histogram!(COMPARISON_SECONDS, "backend" => backend).record(took);
        });
    }

    /// Counts an attempt at a page.
    pub fn count_capture(&self, outcome: CaptureOutcome, took_ms: i64) {
        with_local_recorder(&self.recorder, || {
            metrics::histogram!(CAPTURE_SECONDS, "outcome" => outcome.as_str())
                .record(seconds(took_ms));
        });
    }

    /// Counts a question to the language model by its outcome: `answered`, or why the answer is not used.
    pub fn count_question(&self, outcome: &'static str) {
        with_local_recorder(&self.recorder, || {
            metrics::counter!(QUESTIONS, "outcome" => outcome).increment(1);
        });
    }

    /// Puts what was timed since into the histograms' buckets. Where nobody reads the figures, each would be kept by itself for ever.
    pub fn keep_up(&self) {
        self.recorder.handle().run_upkeep();
    }

    /// Everything counted so far, which backend compares now, and how much memory the browsers hold.
    pub fn render(&self, report: BackendReport, browser_memory_bytes: u64) -> String {
        let gauge = |(backend, adapter): &(&'static str, String)| metrics::gauge!(COMPARATOR, "backend" => *backend, "adapter" => adapter.clone());
        let now = (report.backend.as_str(), report.adapter.unwrap_or_default());
        with_local_recorder(&self.recorder, || {
            metrics::gauge!(BROWSER_MEMORY).set(browser_memory_bytes as f64);
            let mut shown = self
                .comparator
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            // A series that nobody sets any more would stay at 1.
            if let Some(before) = shown.replace(now.clone())
                && before != now
            {
                gauge(&before).set(0.0);
            }
            gauge(&now).set(1.0);
        });
        self.recorder.handle().render()
    }
}

fn seconds(milliseconds: i64) -> f64 {
    // A clock may be set back while something is measured.
    f64::from(u32::try_from(milliseconds.max(0)).unwrap_or(u32::MAX)) / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentimento_compute::{Backend, BackendChoice, Comparator};

    #[test]
    fn comparisons_and_captures_are_counted() {
        let metrics = Metrics::new().unwrap();
        metrics.count_comparison("hash", Duration::ZERO);
        metrics.count_comparison("cpu", Duration::from_millis(30));
        metrics.count_comparison("cpu", Duration::from_secs(2));
        metrics.count_capture(CaptureOutcome::Captured, 1_500);
        metrics.count_capture(CaptureOutcome::Memory, 3_000);
        let report = Comparator::new(BackendChoice::Cpu).unwrap().report();
        let text = metrics.render(report, 5_000);
        for line in [
            "pentimento_comparisons_total{backend=\"cpu\"} 2",
            "pentimento_comparisons_total{backend=\"hash\"} 1",
            "pentimento_comparison_seconds_bucket{backend=\"cpu\",le=\"0.05\"} 1",
            "pentimento_comparison_seconds_sum{backend=\"cpu\"} 2.03",
            "pentimento_capture_seconds_bucket{outcome=\"captured\",le=\"2\"} 1",
            "pentimento_capture_seconds_sum{outcome=\"memory\"} 3",
            "pentimento_browser_memory_bytes 5000",
            "pentimento_comparator_info{backend=\"cpu\",adapter=\"\"} 1",
        ] {
            assert!(text.contains(line), "{line} is missing in\n{text}");
        }
    }

    #[test]
    fn what_is_kept_up_between_two_looks_counts_once() {
        let metrics = Metrics::new().unwrap();
        metrics.count_comparison("cpu", Duration::from_millis(30));
        metrics.keep_up();
        metrics.count_comparison("cpu", Duration::from_secs(2));
        metrics.keep_up();
        metrics.keep_up();
        let report = Comparator::new(BackendChoice::Cpu).unwrap().report();
        let text = metrics.render(report, 0);
        for line in [
            "pentimento_comparison_seconds_bucket{backend=\"cpu\",le=\"0.05\"} 1",
            "pentimento_comparison_seconds_count{backend=\"cpu\"} 2",
            "pentimento_comparison_seconds_sum{backend=\"cpu\"} 2.03",
        ] {
            assert!(text.contains(line), "{line} is missing in\n{text}");
        }
    }

    #[test]
    fn one_backend_compares_at_a_time() {
        let metrics = Metrics::new().unwrap();
        let cpu = Comparator::new(BackendChoice::Cpu).unwrap().report();
        let card = |name: &str| BackendReport {
            backend: Backend::Gpu,
            adapter: Some(name.to_owned()),
            ..cpu.clone()
        };
        let mut text = String::new();
        for report in [
            card("one"),
            cpu.clone(),
            card("one"),
            card("other"),
            cpu.clone(),
        ] {
            text = metrics.render(report, 0);
            let infos = text.lines().filter(|line| line.starts_with(COMPARATOR));
            assert_eq!(
                infos.filter(|line| line.ends_with(" 1")).count(),
                1,
                "{text}"
            );
        }
        for line in [
            "pentimento_comparator_info{backend=\"cpu\",adapter=\"\"} 1",
            "pentimento_comparator_info{backend=\"gpu\",adapter=\"one\"} 0",
            "pentimento_comparator_info{backend=\"gpu\",adapter=\"other\"} 0",
        ] {
            assert!(text.contains(line), "{line} is missing in\n{text}");
        }
    }
}
