//! The service as a process of its own, to be killed.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// A running `pentimento serve`; killed when dropped.
pub(crate) struct ServiceProcess {
    child: Child,
    /// Browsers that were running when it was killed.
    left: Vec<u32>,
    pub(crate) base: String,
    /// The admin key, when this was the first start.
    pub(crate) first_key: Option<String>,
}

impl ServiceProcess {
    /// Starts it and waits until it listens.
    pub(crate) fn start(data_dir: &Path, database_url: Option<&str>) -> Self {
        Self::start_logging(data_dir, database_url, "warn", Stdio::inherit())
    }

    /// The same with a log of its own.
    pub(crate) fn start_logging(
        data_dir: &Path,
        database_url: Option<&str>,
        level: &str,
        log: Stdio,
    ) -> Self {
        Self::start_with(data_dir, database_url, &[], &[], level, log)
    }

    /// The same with other flags, and in another environment.
    pub(crate) fn start_with(
        data_dir: &Path,
        database_url: Option<&str>,
        flags: &[String],
        environment: &[(&str, &str)],
        level: &str,
        log: Stdio,
    ) -> Self {
        let mut command = serve(data_dir, flags, environment);
        command
            .env("PENTIMENTO_LOG", level)
            .stderr(log)
            .stdout(Stdio::piped());
        if let Some(url) = database_url {
            command.env("DATABASE_URL", url);
        }
        let child = command.spawn().expect("the service starts");
        // From here on a panic ends the process too.
        let mut service = Self {
            child,
            left: Vec::new(),
            base: String::new(),
            first_key: None,
        };
        let (sender, lines) = mpsc::channel();
        let stdout = service.child.stdout.take().expect("its output is piped");
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        loop {
            let line = lines
                .recv_timeout(Duration::from_mins(1))
                .expect("the service says where it listens");
            if line.trim().starts_with("pnt_") {
                service.first_key = Some(line.trim().to_owned());
            }
            if let Some(base) = line.strip_prefix("Listening on ") {
                base.trim().clone_into(&mut service.base);
                return service;
            }
        }
    }

    /// kill -9. Its browsers go on: they are processes of their own.
    pub(crate) fn kill(&mut self) {
        self.left.extend(self.browsers());
        self.child.kill().expect("it is ours to kill");
        self.child.wait().expect("it ends");
    }

    /// The most memory that it ever held, in MiB.
    pub(crate) fn peak_memory_mib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))
            .expect("a Linux machine");
        let line = status.lines().find(|line| line.starts_with("VmHWM:"));
        let kib = line.and_then(|line| line.split_whitespace().nth(1));
        kib.and_then(|kib| kib.parse::<u64>().ok())
            .expect("the kernel says so")
            / 1024
    }

    /// Process ids of its browsers.
    pub(crate) fn browsers(&self) -> Vec<u32> {
        let own = self.child.id();
        let children = parents().into_iter().filter(|(_, parent)| *parent == own);
        children.map(|(id, _)| id).collect()
    }

    /// Process ids of its browsers' renderers.
    pub(crate) fn renderers(&self) -> Vec<u32> {
        let parents = parents();
        let mut below = std::collections::HashSet::from([self.child.id()]);
        // A process is younger than its parent, but its id need not be larger.
        loop {
            let more = parents.iter().filter(|(_, parent)| below.contains(parent));
            let more: Vec<u32> = more
                .map(|(id, _)| *id)
                .filter(|id| !below.contains(id))
                .collect();
            if more.is_empty() {
                break;
            }
            below.extend(more);
        }
        let is_renderer = |id: &u32| {
            let command = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&command).contains("--type=renderer")
        };
        below.into_iter().filter(is_renderer).collect()
    }

    /// Waits for its first browser and kills that.
    pub(crate) fn kill_a_browser(&self) {
        let begun = Instant::now();
        loop {
            if let Some(browser) = self.browsers().first() {
                signal_kill(*browser);
                while is_running(*browser) {
                    assert!(
                        begun.elapsed() < Duration::from_mins(1),
                        "the browser lives on"
                    );
                    std::thread::yield_now();
                }
                return;
            }
            assert!(
                begun.elapsed() < Duration::from_mins(1),
                "no browser was started"
            );
            std::thread::yield_now();
        }
    }
}

/// `pentimento serve` on a free port, with nothing of this process's credentials.
fn serve(data_dir: &Path, flags: &[String], environment: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pentimento"));
    command
        .args(["serve", "--listen", "127.0.0.1:0", "--data-dir"])
        .arg(data_dir)
        .args(flags)
        .env_remove("DATABASE_URL");
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("AWS_") {
            command.env_remove(name);
        }
    }
    command.envs(environment.iter().copied());
    command
}

/// Starts a service that ends by itself, and returns what it says.
pub(crate) fn fails_to_start(
    data_dir: &Path,
    flags: &[String],
    environment: &[(&str, &str)],
) -> String {
    let output = serve(data_dir, flags, environment).output();
    let output = output.expect("the service can be run");
    assert!(!output.status.success());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

impl Drop for ServiceProcess {
    fn drop(&mut self) {
        for browser in self
            .browsers()
            .into_iter()
            .chain(std::mem::take(&mut self.left))
        {
            signal_kill(browser);
        }
        // It may have been killed already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether a process runs; zombies that wait for their parent do not count.
pub(crate) fn is_running(id: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    stat.rsplit_once(')')
        .is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

/// Every process with its parent.
fn parents() -> Vec<(u32, u32)> {
    let entries = std::fs::read_dir("/proc").expect("a Linux machine");
    let ids = entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_string_lossy().parse::<u32>().ok());
    ids.filter_map(|id| Some((id, parent_of(id)?))).collect()
}

fn parent_of(id: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    stat.rsplit_once(')')?
        .1
        .split_whitespace()
        .nth(1)?
        .parse()
        .ok()
}

fn signal_kill(id: u32) {
    signal(id, rustix::process::Signal::KILL);
}

/// Sends a signal to one process.
pub(crate) fn signal(id: u32, signal: rustix::process::Signal) {
    let id = i32::try_from(id)
        .ok()
        .and_then(rustix::process::Pid::from_raw)
        .expect("a process id");
    // It may have ended by itself meanwhile.
    let _ = rustix::process::kill_process(id, signal);
}
