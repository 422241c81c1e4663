//! Which hardware compares, and why.

/// Which hardware is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BackendChoice {
    /// A real GPU when there is one and a short measurement finds it faster; the CPU when there is
    /// none or only a software adapter, which the CPU path outruns.
    #[default]
    Auto,
    /// The CPU, whatever else there is.
    Cpu,
    /// Any adapter, a software one included; an error when there is none.
    Gpu,
}

/// How a [`crate::Comparator`] works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ComparatorOptions {
    /// Which hardware compares.
    pub backend: BackendChoice,
    /// Bytes of baselines that stay in a graphics card's memory, least recently used ones going
    /// first; 0 (the default) keeps none.
    pub resident_bytes: u64,
}

/// The hardware that did, or will do, the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// Threads on the processor.
    Cpu,
    /// Shaders on a graphics adapter.
    Gpu,
}

impl Backend {
    /// The word for logs, health and results.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
        }
    }
}

/// The backend in use, for people and for health checks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackendReport {
    /// What compares.
    pub backend: Backend,
    /// Name of the graphics adapter, when one is used.
    pub adapter: Option<String>,
    /// Name and version of its driver, as far as it tells.
    pub driver: Option<String>,
    /// Why this backend, in one sentence.
    pub reason: String,
}

impl BackendReport {
    pub(crate) fn cpu(reason: impl Into<String>) -> Self {
        Self {
            backend: Backend::Cpu,
            adapter: None,
            driver: None,
            reason: reason.into(),
        }
    }
}
