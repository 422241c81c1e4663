//! What the benchmark ran on, without names of hosts or people.

use std::fs::read_to_string;

/// Rows of a table: what, and how it is.
pub(super) fn describe() -> Vec<(&'static str, String)> {
    let processor =
        field("/proc/cpuinfo", "model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let cores = std::thread::available_parallelism()
        .map_or_else(|_| "unknown".to_owned(), |count| count.to_string());
    let memory = field("/proc/meminfo", "MemTotal")
        .and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok())
        .map_or_else(
            || "unknown".to_owned(),
            |kib| format!("{:.0} GiB", kib / (1024.0 * 1024.0)),
        );
    let kernel = read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    vec![
        ("Processor", processor),
        ("Vectors", vectors().to_owned()),
        ("Cores", cores),
        ("Memory", memory),
        ("Kernel", format!("Linux {}", numbers_of(kernel.trim()))),
    ]
}

/// The longest vectors that the comparison finds here: processors of one name differ in them.
fn vectors() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx512f") {
            return "AVX-512";
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            return "AVX2";
        }
    }
    "128 bits"
}

/// The value of the first line `name : value`.
fn field(path: &str, name: &str) -> Option<String> {
    let text = read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// The numbers that a kernel's release begins with; what follows them may name its builder.
fn numbers_of(release: &str) -> &str {
    release.split(['-', '+']).next().unwrap_or(release)
}
