//! Every setting of the service: a flag, its environment variable, its unit and its default.

mod s3;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::clock::MS_PER_DAY;
use crate::target::AllowRule;

pub use s3::S3Settings;

/// Settings of `pentimento serve`. `docs/operating.md` describes each.
#[derive(Debug, Clone, Args)]
pub struct Config {
    /// Address and port to listen on; port 0 picks a free one.
    #[arg(long, env = "PENTIMENTO_LISTEN", default_value = "127.0.0.1:7357")]
    pub listen: SocketAddr,

    /// Where data is kept.
    #[command(flatten)]
    pub store: StoreConfig,

    /// A bucket in place of folders.
    #[command(flatten)]
    pub s3: S3Settings,

    /// The address under which people and CI reach the service, such as `https://vr.example.com`; links in answers
    /// start with it. Without it they start with the host that the request named.
    #[arg(long, env = "PENTIMENTO_PUBLIC_URL")]
    pub public_url: Option<url::Url>,

    /// Secret that signs links and seals gate credentials and the secrets of webhooks; at least 32 characters, the same on
    /// every server that shares a database. Without it one is made and kept in the data folder.
    #[arg(long, env = "PENTIMENTO_SECRET", hide_env_values = true)]
    pub secret: Option<secrecy::SecretString>,

    /// Hosts, addresses or networks (`10.1.0.0/16`) that may be captured, or sent webhooks, although they are private; may
    /// be repeated or separated by commas.
    #[arg(
        long = "allow-target",
        env = "PENTIMENTO_ALLOW_TARGETS",
        value_delimiter = ','
    )]
    pub allow_targets: Vec<AllowRule>,

    /// DNS server (`10.0.0.53:53`) that says where the hosts of pages, sitemaps and webhooks are; without it the system does.
    #[arg(long, env = "PENTIMENTO_DNS_SERVER")]
    pub dns_server: Option<SocketAddr>,

    /// How long signed links to captures stay valid, in seconds.
    #[arg(long, env = "PENTIMENTO_LINK_TTL_SECONDS", default_value_t = 86_400, value_parser = clap::value_parser!(u32).range(60..=604_800))]
    pub link_ttl_seconds: u32,

    /// How long a dashboard session lasts, in hours.
    #[arg(long, env = "PENTIMENTO_SESSION_TTL_HOURS", default_value_t = 168, value_parser = clap::value_parser!(u32).range(1..=8_760))]
    pub session_ttl_hours: u32,

    /// Largest JSON body of a request that may hold lists, in KiB; others take 64 KiB.
    #[arg(long, env = "PENTIMENTO_MAX_BODY_KIB", default_value_t = 2_048, value_parser = clap::value_parser!(u32).range(16..=65_536))]
    pub max_body_kib: u32,

    /// How often keys may call.
    #[command(flatten)]
    pub rate_limit: RateLimitSettings,

    /// How long a client-driven job may take from its start until it is finalized, in minutes; then it is closed as failed.
    #[arg(long, env = "PENTIMENTO_UPLOAD_DEADLINE_MINUTES", default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..=10_080))]
    pub upload_deadline_minutes: u32,

    /// How long a job is kept after its end, in days; then it is removed with all pictures that nothing else needs. Baselines and
    /// the last job of each project stay. Without it everything is kept.
    #[arg(long, env = "PENTIMENTO_KEEP_DAYS", value_parser = clap::value_parser!(u32).range(1..=36_500))]
    pub keep_days: Option<u32>,

    /// How pages are captured.
    #[command(flatten)]
    pub capture: CaptureSettings,

    /// What compares captures: `auto` takes a real GPU that a short measurement finds faster, else the CPU.
    #[arg(long, env = "PENTIMENTO_COMPARE_BACKEND", value_enum, default_value_t = CompareBackend::Auto)]
    pub compare_backend: CompareBackend,

    /// Memory of the graphics card in which baselines may stay between comparisons, in MiB; 0 keeps none.
    #[arg(long, env = "PENTIMENTO_GPU_BASELINES_MIB", default_value_t = 1024)]
    pub gpu_baselines_mib: u32,

    /// The optional language model.
    #[command(flatten)]
    pub language_model: LanguageModelSettings,

    /// Comparisons at once; 0 means one for each CPU core.
    #[arg(long, env = "PENTIMENTO_COMPARE_WORKERS", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=256))]
    pub compare_workers: u32,
}

/// Where the service keeps its data; shared by every command that opens the database.
#[derive(Debug, Clone, Args)]
pub struct StoreConfig {
    /// Folder for the embedded database, stored captures and the link secret.
    #[arg(long, env = "PENTIMENTO_DATA_DIR", default_value = "pentimento-data")]
    pub data_dir: PathBuf,

    /// `postgres://…` or `sqlite://…`; without it an SQLite file in the data folder.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: Option<String>,

    /// Connections to the database that read at once.
    #[arg(long, env = "PENTIMENTO_DATABASE_CONNECTIONS", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=200))]
    pub database_connections: u32,
}

/// How often one key may call, in one process.
#[derive(Debug, Clone, Args)]
pub struct RateLimitSettings {
    /// Calls that one key may make in a minute, steadily; 0 sets no limit.
    #[arg(id = "rate_limit_per_minute", value_name = "CALLS", long = "rate-limit-per-minute", env = "PENTIMENTO_RATE_LIMIT_PER_MINUTE", default_value_t = 12_000, value_parser = clap::value_parser!(u32).range(0..=10_000_000))]
    pub per_minute: u32,

    /// Calls that one key may make at once after a pause.
    #[arg(id = "rate_limit_burst", value_name = "CALLS", long = "rate-limit-burst", env = "PENTIMENTO_RATE_LIMIT_BURST", default_value_t = 3_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub burst: u32,
}

/// How pages are captured.
#[derive(Debug, Clone, Args)]
pub struct CaptureSettings {
    /// Path of Chromium's headless shell, or of Chromium; without it the usual places are searched.
    #[arg(long, env = "PENTIMENTO_BROWSER")]
    pub browser: Option<PathBuf>,

    /// Browser processes.
    #[arg(long, env = "PENTIMENTO_BROWSERS", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub browsers: u32,

    /// Pages captured at once in one browser process.
    #[arg(long, env = "PENTIMENTO_TABS_PER_BROWSER", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=20))]
    pub tabs_per_browser: u32,

    /// Captures after which a browser process is replaced by a fresh one.
    #[arg(long, env = "PENTIMENTO_CAPTURES_PER_BROWSER", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub captures_per_browser: u32,

    /// Memory that one page may take in its renderer, in MiB; a page that takes more is ended and is an error.
    #[arg(long, env = "PENTIMENTO_PAGE_MEMORY_MIB", default_value_t = 2_048, value_parser = clap::value_parser!(u32).range(128..=1_048_576))]
    pub page_memory_mib: u32,

    /// Memory that one browser may take with all its processes, in MiB; one that takes more gets no page any more and is
    /// replaced.
    #[arg(long, env = "PENTIMENTO_BROWSER_MEMORY_MIB", default_value_t = 4_096, value_parser = clap::value_parser!(u32).range(256..=1_048_576))]
    pub browser_memory_mib: u32,

    /// Time that one attempt at a page may take, in seconds.
    #[arg(long, env = "PENTIMENTO_PAGE_BUDGET_SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=600))]
    pub page_budget_seconds: u32,
}

impl CaptureSettings {
    /// Time that one attempt at a page may take.
    pub fn page_budget(&self) -> Duration {
        Duration::from_secs(u64::from(self.page_budget_seconds))
    }

    /// Pages that this process captures at once.
    pub fn tabs(&self) -> usize {
        (self.browsers * self.tabs_per_browser) as usize
    }
}

/// The optional language model, which words findings and says of open ones whether they were meant; off unless its address
/// and its name are given.
#[derive(Debug, Clone, Args)]
pub struct LanguageModelSettings {
    /// Base address of an endpoint of the OpenAI protocol, such as `http://127.0.0.1:11434/v1`; questions go to
    /// `/chat/completions` below it.
    #[arg(
        id = "language_model_url",
        value_name = "URL",
        long = "language-model-url",
        env = "PENTIMENTO_LANGUAGE_MODEL_URL"
    )]
    pub url: Option<url::Url>,

    /// The model's name there.
    #[arg(
        id = "language_model",
        value_name = "NAME",
        long = "language-model",
        env = "PENTIMENTO_LANGUAGE_MODEL"
    )]
    pub name: Option<String>,

    /// The key that is sent with questions, if the endpoint wants one.
    #[arg(
        id = "language_model_key",
        value_name = "KEY",
        long = "language-model-key",
        env = "PENTIMENTO_LANGUAGE_MODEL_KEY",
        hide_env_values = true
    )]
    pub key: Option<secrecy::SecretString>,

    /// Longest wait for one answer, in seconds.
    #[arg(id = "language_model_timeout_seconds", value_name = "SECONDS", long = "language-model-timeout-seconds", env = "PENTIMENTO_LANGUAGE_MODEL_TIMEOUT_SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=120))]
    pub timeout_seconds: u32,

    /// Most questions of one job; pages with the same changes share one.
    #[arg(id = "language_model_questions", value_name = "COUNT", long = "language-model-questions", env = "PENTIMENTO_LANGUAGE_MODEL_QUESTIONS", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub questions: u32,

    /// Longest time that one job waits for answers in all, in seconds.
    #[arg(id = "language_model_job_seconds", value_name = "SECONDS", long = "language-model-job-seconds", env = "PENTIMENTO_LANGUAGE_MODEL_JOB_SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=600))]
    pub job_seconds: u32,
}

/// What compares captures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CompareBackend {
    /// A real GPU that a short measurement finds faster, else the CPU.
    Auto,
    /// The CPU.
    Cpu,
    /// A GPU, a software one too; the service does not start without one.
    Gpu,
}

impl From<CompareBackend> for pentimento_compute::BackendChoice {
    fn from(backend: CompareBackend) -> Self {
        match backend {
            CompareBackend::Auto => Self::Auto,
            CompareBackend::Cpu => Self::Cpu,
            CompareBackend::Gpu => Self::Gpu,
        }
    }
}

impl Config {
    /// Whether the service is there for this machine alone: it listens on loopback, and is reached by no other address, as
    /// behind a proxy.
    pub fn is_for_this_machine(&self) -> bool {
        let is_own = |url: &url::Url| match url.host() {
            Some(url::Host::Ipv4(address)) => address.is_loopback(),
            Some(url::Host::Ipv6(address)) => address.is_loopback(),
            Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
            None => false,
        };
        self.listen.ip().is_loopback() && self.public_url.as_ref().is_none_or(is_own)
    }

    /// How long a client-driven job may take until it is finalized, in milliseconds.
    pub fn upload_deadline_ms(&self) -> i64 {
        i64::from(self.upload_deadline_minutes) * 60_000
    }

    /// How long a job is kept after its end, in milliseconds; none: for ever.
    pub fn keep_ms(&self) -> Option<i64> {
        self.keep_days.map(|days| i64::from(days) * MS_PER_DAY)
    }

    /// Comparisons at once in this process.
    pub fn compare_concurrency(&self) -> usize {
        match self.compare_workers {
            0 => std::thread::available_parallelism().map_or(2, std::num::NonZero::get),
            workers => workers as usize,
        }
    }
}
