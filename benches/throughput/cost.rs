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
    before: Spent,
    /// The most processor time that each browser was seen with; one that was replaced took its figures along.
    browsers: HashMap<i32, f64>,
    browsers_peak_bytes: u64,
}

impl Cost {
    pub(crate) fn begin(server: i32) -> anyhow::Result<Self> {
        let before = spent(server)?;
        Ok(Self {
            server,
            browsers: before.browser_seconds.clone(),
            before,
            browsers_peak_bytes: 0,
        })
    }

    /// Notes what is spent and held now.
    pub(crate) fn look(&mut self) -> anyhow::Result<Spent> {
        let now = spent(self.server)?;
        for (id, seconds) in &now.browser_seconds {
            let most = self.browsers.entry(*id).or_default();
            *most = most.max(*seconds);
        }
        self.browsers_peak_bytes = self.browsers_peak_bytes.max(now.browser_bytes);
        Ok(now)
    }

    pub(crate) fn end(mut self) -> anyhow::Result<Figures> {
        let now = self.look()?;
        let peak_kib = Process::new(self.server)?.status()?.vmhwm.unwrap_or(0);
        let all = self.browsers.values().sum::<f64>();
        Ok(Figures {
            server_seconds: now.server_seconds - self.before.server_seconds,
            browser_seconds: all - self.before.browser_seconds.values().sum::<f64>(),
            server_peak_bytes: peak_kib << 10,
            browsers_peak_bytes: self.browsers_peak_bytes,
        })
    }
}

/// What was spent until now, and is held.
pub(crate) struct Spent {
    server_seconds: f64,
    /// Of each living browser with all below it, by its process id.
    browser_seconds: HashMap<i32, f64>,
    browser_bytes: u64,
}

/// Processor seconds of the process and of each browser that it started, and the bytes that those hold. What has ended
/// below a browser counts with its parent, which waited for it.
fn spent(server: i32) -> anyhow::Result<Spent> {
    let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
    let mut processes = HashMap::new();
    for process in all_processes()?.flatten() {
        if let Ok(stat) = process.stat() {
            children.entry(stat.ppid).or_default().push(stat.pid);
            processes.insert(stat.pid, (process, stat));
        }
    }
    let seconds = |ticks: u64| ticks as f64 / procfs::ticks_per_second() as f64;
    let (_, own) = processes
        .get(&server)
        .ok_or_else(|| anyhow::anyhow!("the program has ended"))?;
    let mut spent = Spent {
        server_seconds: seconds(own.utime + own.stime),
        browser_seconds: HashMap::new(),
        browser_bytes: 0,
    };
    for browser in children.get(&server).into_iter().flatten() {
        let mut sum = 0.0;
        let mut waiting = vec![*browser];
        while let Some(id) = waiting.pop() {
            waiting.extend(children.get(&id).into_iter().flatten());
            let Some((process, stat)) = processes.get(&id) else {
                continue;
            };
            let ended = (stat.cutime + stat.cstime).unsigned_abs();
            sum += seconds(stat.utime + stat.stime + ended);
            if let Ok(size) = process.statm() {
                spent.browser_bytes +=
                    size.resident.saturating_sub(size.shared) * procfs::page_size();
            }
        }
        spent.browser_seconds.insert(*browser, sum);
    }
    Ok(spent)
}
