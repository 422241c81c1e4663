//! Whether Chromium locks its renderers in: wherever the system lets it.

use std::io::ErrorKind;

use chromiumoxide::error::CdpError;

/// How Chromium says that no sandbox is to be had, and how the helper of its older one does, which the system lets it start and no
/// more, as in containers.
const REFUSED: [&str; 4] = [
    "No usable sandbox!",
    "The SUID sandbox helper binary was found, but is not configured correctly",
    "The setuid sandbox is not running as root",
    "Failed to move to new namespace",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sandbox {
    On,
    Off,
}

/// Whether a browser ended at its start because the system refuses it its sandbox.
pub(super) fn is_refused(error: &CdpError) -> bool {
    let said = match error {
        CdpError::LaunchExit(_, said) => said,
        // The end of what it says may be seen before its own.
        CdpError::LaunchIo(error, said) if error.kind() == ErrorKind::UnexpectedEof => said,
        _ => return false,
    };
    let said = String::from_utf8_lossy(said.as_slice());
    REFUSED.iter().any(|sentence| said.contains(sentence)) || is_refused_otherwise(&said)
}

/// Chromium checks which errors the refusal of a namespace may have and ends at any other, such as 13, EACCES (a security module), and
/// 38, ENOSYS (seccomp). The error's number counts: its words are in the system's language.
fn is_refused_otherwise(said: &str) -> bool {
    said.lines().any(|line| {
        let is_check = line.contains("credentials.cc") && line.contains("Check failed");
        is_check && ["(13)", "(38)"].iter().any(|number| line.contains(number))
    })
}

/// Chromium refuses its sandbox to root.
pub(super) fn runs_as_root() -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
    }
    #[cfg(not(unix))]
    false
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    use chromiumoxide::error::BrowserStderr;

    use super::*;

    fn exit(said: &str) -> CdpError {
        let said = BrowserStderr::new(said.as_bytes().to_vec());
        CdpError::LaunchExit(ExitStatus::from_raw(6), said)
    }

    #[test]
    fn only_chromiums_own_word_at_an_exit_says_that_there_is_no_sandbox() {
        let fatal = "[7:7:0101/000000.000000:FATAL:zygote_host_impl_linux.cc(128)] No usable sandbox! If you are running on …";
        let helper = "Failed to move to new namespace: PID namespaces supported, Network namespace supported, \
                      but failed: errno = Operation not permitted";
        let apparmor = "[7:7:0101/000000.000000:FATAL:sandbox/linux/services/credentials.cc:131] Check failed: . : Permission denied (13)";
        let seccomp = "[7:7:0101/000000.000000:FATAL:credentials.cc(131)] Check failed: . : Function not implemented (38)";
        for said in [fatal, helper, apparmor, seccomp] {
            assert!(is_refused(&exit(said)), "{said}");
        }
        for said in [
            "",
            "Failed to create /srv/sandbox/browsers/profile-1: No space left on device",
            "[FATAL:sandbox_host_linux.cc(41)] Check failed: Too many open files (24)",
            "[FATAL:credentials.cc(131)] Check failed: . : Resource temporarily unavailable (11)",
        ] {
            assert!(!is_refused(&exit(said)), "{said}");
        }
        let said = || BrowserStderr::new(fatal.as_bytes().to_vec());
        let ended = |kind: ErrorKind| CdpError::LaunchIo(kind.into(), said());
        assert!(is_refused(&ended(ErrorKind::UnexpectedEof)));
        assert!(!is_refused(&ended(ErrorKind::InvalidData)));
        assert!(!is_refused(&CdpError::LaunchTimeout(said())));
        assert!(!is_refused(&CdpError::Timeout));
    }
}
