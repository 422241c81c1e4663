//! A process that answers a line with a line, and the CPU time of each answer, read from outside.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use nix::sys::time::TimeValLike;
use nix::time::ClockId;
use nix::unistd::Pid;
use serde_json::Value;

use super::process::{end, name_of};
use super::results::Sample;

/// A process is at rest when its CPU clock stands still for this long.
const REST: Duration = Duration::from_millis(2);
/// It is not waited for its rest more often than this: Node's garbage collector may have its own time.
const MOST_RESTS: usize = 25;

/// A warm process; it ends with its value.
pub(super) struct Server {
    name: String,
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
    clock: ClockId,
    deadline: Duration,
}

impl Server {
    pub(super) fn start(command: &mut Command, deadline: Duration) -> Result<Self> {
        let name = name_of(command);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command
            .spawn()
            .with_context(|| format!("{name} cannot be started"))?;
        let stdin = child.stdin.take().context("the pipe was asked for")?;
        let stdout = child.stdout.take().context("the pipe was asked for")?;
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                // Nobody listens to a server that is being ended.
                let _ = sender.send(line);
            }
        });
        let pid = Pid::from_raw(child.id().try_into().context("process ids are positive")?);
        let clock = ClockId::pid_cpu_clock_id(pid).context("its CPU clock cannot be found")?;
        Ok(Self {
            name,
            child,
            stdin,
            lines,
            clock,
            deadline,
        })
    }

    /// The next line that it says by itself.
    pub(super) fn answer(&mut self) -> Result<Value> {
        let line = self.lines.recv_timeout(self.deadline).map_err(|_| {
            anyhow::anyhow!(
                "{} did not answer within {} s",
                self.name,
                self.deadline.as_secs()
            )
        })?;
        let answer: Value = serde_json::from_str(&line)
            .with_context(|| format!("{} answered no JSON: {line}", self.name))?;
        if let Some(error) = answer["error"].as_str() {
            bail!("{} answered: {error}", self.name);
        }
        Ok(answer)
    }

    pub(super) fn ask(&mut self, line: &str) -> Result<Value> {
        writeln!(self.stdin, "{line}").with_context(|| format!("{} has ended", self.name))?;
        self.answer()
    }

    /// What asking took: the wall time until the answer, and the CPU time until the process is at rest, since some answer
    /// before they have tidied up.
    pub(super) fn ask_timed(&mut self, line: &str) -> Result<(Sample, Value)> {
        let cpu_begun = self.cpu_ns_at_rest()?;
        let begun = Instant::now();
        let answer = self.ask(line)?;
        let wall_ms = begun.elapsed().as_secs_f64() * 1e3;
        let cpu_ms = (self.cpu_ns_at_rest()? - cpu_begun) as f64 / 1e6;
        Ok((Sample { cpu_ms, wall_ms }, answer))
    }

    fn cpu_ns_at_rest(&self) -> Result<i64> {
        let mut before = self.cpu_ns()?;
        for _ in 0..MOST_RESTS {
            std::thread::sleep(REST);
            let now = self.cpu_ns()?;
            if now == before {
                break;
            }
            before = now;
        }
        Ok(before)
    }

    /// CPU time of all its threads, those that have ended too.
    fn cpu_ns(&self) -> Result<i64> {
        let time = self
            .clock
            .now()
            .with_context(|| format!("{} has ended", self.name))?;
        Ok(time.num_nanoseconds())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_and_who_is_silent_is_reported() {
        let mut shell = Command::new("sh");
        shell.args([
            "-c",
            "read line; echo '{\"changed\": 5}'; read line; sleep 60",
        ]);
        let mut server = Server::start(&mut shell, Duration::from_millis(500)).unwrap();
        let (took, answer) = server.ask_timed("compare").unwrap();
        assert_eq!(answer["changed"], 5);
        assert!(took.wall_ms > 0.0);
        let silent = server.ask("compare").unwrap_err();
        assert!(silent.to_string().contains("did not answer"), "{silent}");
    }
}
