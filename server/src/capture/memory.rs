//! How much memory browsers take: what the kernel says of a process and all that descend from it.
//!
//! Counted is what is a process's own (`resident` less `shared` pages of `/proc/<id>/statm`): the program's code, which all
//! processes of a browser have in common, is not. Elsewhere than on Linux nothing is known and nothing is bounded.

use std::collections::{HashMap, HashSet};

use super::CaptureError;

pub(super) const MIB: u64 = 1 << 20;

/// The most that may be held, in MiB.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ceilings {
    /// By the renderer of one page.
    pub(super) page_mib: u32,
    /// By one browser with all that belong to it.
    pub(super) browser_mib: u32,
}

/// What of a browser is too large.
#[derive(Debug)]
pub(super) struct Excess {
    /// All that it holds.
    pub(super) bytes: u64,
    /// Renderers to end, and what their pages are told.
    pub(super) renderers: Vec<(i32, CaptureError)>,
    /// Whether it should take no page any more.
    pub(super) is_browser_too_large: bool,
}

impl Ceilings {
    /// What of a browser with these processes is too large.
    pub(super) fn excess(self, members: &[Member]) -> Excess {
        let (limit_mib, browser_mib) = (self.page_mib, self.browser_mib);
        let (page, browser) = (u64::from(limit_mib) * MIB, u64::from(browser_mib) * MIB);
        let bytes = members.iter().map(|it| it.bytes).sum();
        let all = members.iter().filter(|it| it.kind == Kind::Renderer);
        let large = all.clone().filter(|it| it.bytes > page);
        let mut renderers: Vec<(i32, CaptureError)> = large
            .map(|it| (it.id, CaptureError::Memory { limit_mib }))
            .collect();
        // A page can spread itself over many renderers of which none is too large.
        if bytes > browser + page
            && renderers.is_empty()
            && let Some(largest) = all.max_by_key(|it| it.bytes)
        {
            let limit_mib = browser_mib;
            renderers.push((largest.id, CaptureError::BrowserMemory { limit_mib }));
        }
        Excess {
            bytes,
            renderers,
            is_browser_too_large: bytes > browser,
        }
    }
}

/// One process of a browser.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    pub(super) id: i32,
    pub(super) bytes: u64,
    pub(super) kind: Kind,
}

/// What a process of a browser is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Shows the documents of one page, or of one site within it.
    Renderer,
    /// Everything else.
    Other,
}

/// The members of each root's tree, the root included. Processes that end meanwhile are passed over.
#[cfg(target_os = "linux")]
pub(super) fn trees(roots: &[i32]) -> HashMap<i32, Vec<Member>> {
    let Ok(all) = procfs::process::all_processes() else {
        return HashMap::new();
    };
    let mut processes = HashMap::new();
    let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
    for process in all.flatten() {
        if let Ok(stat) = process.stat() {
            children.entry(stat.ppid).or_default().push(stat.pid);
            processes.insert(stat.pid, process);
        }
    }
    let page_bytes = procfs::page_size();
    let tree = |root: i32| {
        let mut seen = HashSet::from([root]);
        let mut waiting = vec![root];
        let mut members = Vec::new();
        while let Some(id) = waiting.pop() {
            let below = children.get(&id).into_iter().flatten();
            waiting.extend(below.copied().filter(|child| seen.insert(*child)));
            members.extend(processes.get(&id).and_then(|it| member(it, page_bytes)));
        }
        (root, members)
    };
    roots.iter().copied().map(tree).collect()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn trees(_roots: &[i32]) -> HashMap<i32, Vec<Member>> {
    HashMap::new()
}

#[cfg(target_os = "linux")]
fn member(process: &procfs::process::Process, page_bytes: u64) -> Option<Member> {
    let size = process.statm().ok()?;
    let command = process.cmdline().ok()?;
    // A zygote's children name themselves in one piece.
    let is_renderer = command.iter().any(|part| part.contains("--type=renderer"));
    Some(Member {
        id: process.pid,
        bytes: size.resident.saturating_sub(size.shared) * page_bytes,
        kind: if is_renderer {
            Kind::Renderer
        } else {
            Kind::Other
        },
    })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn what_passes_its_ceiling_is_named_and_nothing_else() {
        use Kind::{Other, Renderer};
        let ceilings = Ceilings {
            page_mib: 100,
            browser_mib: 300,
        };
        let excess = |mib: &[(Kind, u64)]| {
            let members: Vec<Member> = (1..)
                .zip(mib)
                .map(|(id, (kind, mib))| Member {
                    id,
                    bytes: mib * MIB,
                    kind: *kind,
                })
                .collect();
            let excess = ceilings.excess(&members);
            let told = excess.renderers.iter();
            let told: Vec<(i32, bool)> = told
                .map(|(id, error)| (*id, matches!(error, CaptureError::Memory { .. })))
                .collect();
            (told, excess.is_browser_too_large)
        };
        assert_eq!(excess(&[(Other, 200), (Renderer, 100)]), (vec![], false));
        assert_eq!(
            excess(&[(Other, 101), (Renderer, 101)]),
            (vec![(2, true)], false)
        );
        assert_eq!(excess(&[(Other, 250), (Renderer, 90)]), (vec![], true));
        let spread = [(Other, 150), (Renderer, 80), (Renderer, 90), (Renderer, 85)];
        assert_eq!(excess(&spread), (vec![(3, false)], true));
        let one_is_enough = [(Other, 250), (Renderer, 90), (Renderer, 120)];
        assert_eq!(excess(&one_is_enough), (vec![(3, true)], true));
    }

    #[test]
    fn a_process_and_its_children_are_counted_with_what_is_their_own() {
        let own = i32::try_from(std::process::id()).unwrap();
        let before = trees(&[own])[&own].iter().map(|it| it.bytes).sum::<u64>();
        let held = std::hint::black_box(vec![1_u8; 64 << 20]);
        let mut child = std::process::Command::new("sleep")
            .arg("60")
            .spawn()
            .unwrap();
        let child_id = i32::try_from(child.id()).unwrap();
        let after = trees(&[own, 1]);
        child.kill().unwrap();
        child.wait().unwrap();
        let members = &after[&own];
        assert!(members.iter().any(|it| it.id == own));
        assert!(
            members
                .iter()
                .any(|it| it.id == child_id && it.kind == Kind::Other)
        );
        let bytes = members.iter().map(|it| it.bytes).sum::<u64>();
        // Other tests allocate and free beside this one.
        assert!(bytes > before / 2 + (60 << 20), "{before} {bytes}");
        drop(held);
    }
}
