//! A process from its start to its end, and what it took.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

use super::results::Sample;

/// A process that has ended.
pub(super) struct Finished {
    /// `None` when a signal ended it.
    pub(super) code: Option<i32>,
    pub(super) stdout: String,
    pub(super) stderr: String,
    pub(super) took: Sample,
}

/// Runs it to its end; one that is not done by the deadline is killed, which is an error.
///
/// No other child may be waited for meanwhile: its CPU time would count as this one's.
pub(super) fn run(command: &mut Command, deadline: Duration) -> Result<Finished> {
    let name = name_of(command);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let (cpu_begun, begun) = (children_cpu_us()?, Instant::now());
    let mut child = command
        .spawn()
        .with_context(|| format!("{name} cannot be started"))?;
    let (stdout, stderr) = (text_of(child.stdout.take()), text_of(child.stderr.take()));
    let ended = (stdout.recv_timeout(deadline)).and_then(|stdout| {
        let left = deadline.saturating_sub(begun.elapsed());
        Ok((stdout, stderr.recv_timeout(left)?))
    });
    let Ok((stdout, stderr)) = ended else {
        end(&mut child);
        bail!(
            "{name} was not done after {} s and was ended",
            deadline.as_secs()
        );
    };
    let status = child
        .wait()
        .with_context(|| format!("{name} cannot be waited for"))?;
    let (wall, cpu_us) = (begun.elapsed(), children_cpu_us()? - cpu_begun);
    Ok(Finished {
        code: status.code(),
        stdout,
        stderr,
        took: Sample {
            cpu_ms: cpu_us as f64 / 1e3,
            wall_ms: wall.as_secs_f64() * 1e3,
        },
    })
}

/// Kills this child, and no other process.
pub(super) fn end(child: &mut Child) {
    // Both fail only for a child that is gone already.
    let _ = child.kill();
    let _ = child.wait();
}

/// The program's name without its folder.
pub(super) fn name_of(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    program
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// Gives all that it says, once it has closed the pipe, which is when it ends.
fn text_of(pipe: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let (sender, receiver) = channel();
    if let Some(mut pipe) = pipe {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            // A pipe that breaks has given what it had. Nobody listens any more once the deadline is over.
            let _ = pipe.read_to_end(&mut bytes);
            let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned());
        });
    }
    receiver
}

/// CPU time of all children that have been waited for, in user and system mode, in microseconds.
fn children_cpu_us() -> Result<i64> {
    let usage =
        getrusage(UsageWho::RUSAGE_CHILDREN).context("the CPU time of children cannot be read")?;
    Ok(usage.user_time().num_microseconds() + usage.system_time().num_microseconds())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_process_says_and_takes() {
        let script = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo done; exit 3";
        let mut shell = Command::new("sh");
        let done = run(shell.args(["-c", script]), Duration::from_mins(1)).unwrap();
        assert_eq!((done.code, done.stdout.as_str()), (Some(3), "done\n"));
        assert!(done.took.cpu_ms > 0.0 && done.took.wall_ms > 0.0);
    }

    #[test]
    fn who_hangs_is_ended() {
        let mut sleep = Command::new("sleep");
        let hung = run(sleep.arg("60"), Duration::from_millis(50));
        assert!(hung.is_err_and(|error| error.to_string().contains("was ended")));
    }
}
