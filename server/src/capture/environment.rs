//! What a browser has of its service's environment: little, since secrets stand there.
//!
//! The library that starts browsers adds variables and takes none away, so the others are handed on empty. Their names stay,
//! and a variable whose name is not UTF-8 stays as it is.

use std::ffi::OsString;

/// What a browser needs: where programs, libraries, its own files and the helper of its older sandbox are, and its language.
const KEPT: [&str; 6] = [
    "PATH",
    "HOME",
    "TMPDIR",
    "LANG",
    "LD_LIBRARY_PATH",
    "CHROME_DEVEL_SANDBOX",
];

/// How the names begin of what it needs besides: language, folders, fonts.
const KEPT_FAMILIES: [&str; 3] = ["LC_", "XDG_", "FONTCONFIG_"];

/// Those of these variables that are handed on empty.
pub(super) fn withheld(names: impl Iterator<Item = OsString>) -> impl Iterator<Item = String> {
    names
        .filter_map(|name| name.into_string().ok())
        .filter(|name| !is_kept(name))
}

fn is_kept(name: &str) -> bool {
    KEPT.contains(&name) || KEPT_FAMILIES.iter().any(|family| name.starts_with(family))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_browser_does_not_need_is_withheld() {
        let names = [
            "PATH",
            "PENTIMENTO_SECRET",
            "LC_ALL",
            "DATABASE_URL",
            "XDG_RUNTIME_DIR",
            "AWS_SECRET_ACCESS_KEY",
            "FONTCONFIG_FILE",
            "PATH_TO_A_SECRET",
            "TZ",
        ];
        let withheld: Vec<String> = withheld(names.into_iter().map(OsString::from)).collect();
        let expected = [
            "PENTIMENTO_SECRET",
            "DATABASE_URL",
            "AWS_SECRET_ACCESS_KEY",
            "PATH_TO_A_SECRET",
            "TZ",
        ];
        assert_eq!(withheld, expected);
    }
}
