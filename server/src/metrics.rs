//! Figures for a monitoring system, in the text format of Prometheus.
//!
//! Each service has its own; nothing in them names a page, a project or an organization.

use metrics::{Unit, with_local_recorder};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusRecorder};
use pentimento_compute::BackendReport;

const COMPARISONS: &str = "pentimento_comparisons_total";
const COMPARISON_SECONDS: &str = "pentimento_comparison_seconds";
const QUESTIONS: &str = "pentimento_language_model_questions_total";
const COMPARATOR: &str = "pentimento_comparator_info";

/// Upper bounds of the histogram's buckets in seconds: from equal viewports to the tallest pages.
const BUCKETS_SECONDS: [f64; 8] = [0.001, 0.005, 0.02, 0.05, 0.1, 0.3, 1.0, 5.0];

/// What one service counts.
pub struct Metrics(PrometheusRecorder);

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
            .build_recorder();
        with_local_recorder(&recorder, || {
            metrics::describe_counter!(
                COMPARISONS,
                "Pairs of captures compared, by what compared them."
            );
            metrics::describe_histogram!(
                COMPARISON_SECONDS,
                Unit::Seconds,
                "Time of one comparison."
            );
            metrics::describe_counter!(
                QUESTIONS,
                "Questions to the language model, by what came of them."
            );
            metrics::describe_gauge!(COMPARATOR, "1 for the backend that compares now.");
        });
        Ok(Self(recorder))
    }

    /// Counts a comparison by its backend: `cpu`, `gpu`, or `hash` for captures of the same bytes.
    pub fn count_comparison(&self, backend: &'static str, took_ms: i64) {
        with_local_recorder(&self.0, || {
            metrics::counter!(COMPARISONS, "backend" => backend).increment(1);
            // A clock may be set back while a comparison runs.
            let milliseconds = u32::try_from(took_ms.max(0)).unwrap_or(u32::MAX);
            metrics::histogram!(COMPARISON_SECONDS, "backend" => backend)
                .record(f64::from(milliseconds) / 1000.0);
        });
    }

    /// Counts a question to the language model by its outcome: `answered`, or why the answer is not used.
    pub fn count_question(&self, outcome: &'static str) {
        with_local_recorder(&self.0, || {
            metrics::counter!(QUESTIONS, "outcome" => outcome).increment(1);
        });
    }

    /// Everything counted so far, and which backend compares now.
    pub fn render(&self, report: BackendReport) -> String {
        let adapter = report.adapter.unwrap_or_default();
        with_local_recorder(&self.0, || {
            for backend in ["cpu", "gpu"] {
                let adapter = if backend == report.backend.as_str() {
                    adapter.clone()
                } else {
                    String::new()
                };
                let is_used = f64::from(u8::from(backend == report.backend.as_str()));
                metrics::gauge!(COMPARATOR, "backend" => backend, "adapter" => adapter)
                    .set(is_used);
            }
        });
        self.0.handle().render()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentimento_compute::{BackendChoice, Comparator};

    #[test]
    fn comparisons_are_counted_by_backend() {
        let metrics = Metrics::new().unwrap();
        metrics.count_comparison("hash", 0);
        metrics.count_comparison("cpu", 30);
        metrics.count_comparison("cpu", 2000);
        let text = metrics.render(Comparator::new(BackendChoice::Cpu).unwrap().report());
        for line in [
            "pentimento_comparisons_total{backend=\"cpu\"} 2",
            "pentimento_comparisons_total{backend=\"hash\"} 1",
            "pentimento_comparison_seconds_bucket{backend=\"cpu\",le=\"0.05\"} 1",
            "pentimento_comparison_seconds_sum{backend=\"cpu\"} 2.03",
            "pentimento_comparator_info{backend=\"cpu\",adapter=\"\"} 1",
        ] {
            assert!(text.contains(line), "{line} is missing in\n{text}");
        }
    }
}
