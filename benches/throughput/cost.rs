//! What a process and the browsers below it cost: processor time and memory, from `/proc`.

use std::collections::HashMap;

use procfs::process::{Process, all_processes};

/// Figures of a stretch of time.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Figures {
    /// Of the service's own process.
    pub(crate) server_seconds: f64,
    /// Of everything below it.
    pub(crate) browser_seconds: f64,
    /// The most that the service was ever resident with.
    pub(crate) server_peak_bytes: u64,
    /// The most that all below it held at once: resident less shared.
    pub(crate) browsers_peak_bytes: u64,
}

/// The cost since it began.
pub(crate) struct Cost {
    server: i32,
    before: (f64, f64),
    browsers_peak_bytes: u64,
}

impl Cost {
    pub(crate) fn begin(server: i32) -> anyhow::Result<Self> {
        Ok(Self {
            server,
            before: processor_seconds(server)?.0,
            browsers_peak_bytes: 0,
        })
    }

    /// Notes what is held now.
    pub(crate) fn look(&mut self) -> anyhow::Result<()> {
        let (_, bytes) = processor_seconds(self.server)?;
        self.browsers_peak_bytes = self.browsers_peak_bytes.max(bytes);
        Ok(())
    }

    pub(crate) fn end(&self) -> anyhow::Result<Figures> {
        let ((server, browsers), _) = processor_seconds(self.server)?;
        let peak_kib = Process::new(self.server)?.status()?.vmhwm.unwrap_or(0);
        Ok(Figures {
            server_seconds: server - self.before.0,
            browser_seconds: browsers - self.before.1,
            server_peak_bytes: peak_kib << 10,
            browsers_peak_bytes: self.browsers_peak_bytes,
        })
    }
}

/// Processor seconds of the process and of all below it, and the bytes that those below hold. What has ended counts with
/// its parent, which waited for it.
fn processor_seconds(server: i32) -> anyhow::Result<((f64, f64), u64)> {
    let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
    let mut processes = HashMap::new();
    for process in all_processes()?.flatten() {
        if let Ok(stat) = process.stat() {
            children.entry(stat.ppid).or_default().push(stat.pid);
            processes.insert(stat.pid, (process, stat));
        }
    }
    let ticks = procfs::ticks_per_second() as f64;
    let (_, own) = processes
        .get(&server)
        .ok_or_else(|| anyhow::anyhow!("the program has ended"))?;
    let own_seconds = (own.utime + own.stime) as f64 / ticks;
    let ended = |cutime: i64, cstime: i64| (cutime + cstime) as f64 / ticks;
    let mut browser_seconds = ended(own.cutime, own.cstime);
    let mut bytes = 0;
    let mut waiting = children.get(&server).cloned().unwrap_or_default();
    while let Some(id) = waiting.pop() {
        waiting.extend(children.get(&id).into_iter().flatten());
        let Some((process, stat)) = processes.get(&id) else {
            continue;
        };
        browser_seconds +=
            (stat.utime + stat.stime) as f64 / ticks + ended(stat.cutime, stat.cstime);
        if let Ok(size) = process.statm() {
            bytes += size.resident.saturating_sub(size.shared) * procfs::page_size();
        }
    }
    Ok(((own_seconds, browser_seconds), bytes))
}
