//! `pentimento-diff`: the same as a program of its own.

use std::process::Command;

use super::{Desk, Said, desk, edited, page};

impl Desk {
    /// Runs the program that only compares.
    fn diff_by_itself(&self, args: &[&str]) -> Said {
        self.run(Command::new(env!("CARGO_BIN_EXE_pentimento-diff")).args(args))
    }
}

#[test]
fn the_program_that_only_compares_says_the_same() {
    let desk = desk();
    desk.save("old/x.png", &page());
    desk.save("new/x.png", &edited());
    for (code, args) in [
        (0, &["a.png", "a.png"][..]),
        (1, &["a.png", "b.png", "--json", "--mask", "mask.png"]),
        (1, &["old", "new", "--diff", "diffs"]),
        (2, &["a.png", "none.png"]),
        (2, &["a.png", "b.png", "--mask", "a.png"]),
    ] {
        let taken = || {
            ["mask.png", "diffs/x.png"].map(|name| {
                let bytes = std::fs::read(desk.path(name)).ok();
                std::fs::remove_file(desk.path(name)).ok();
                bytes
            })
        };
        let said = desk.diff_by_itself(args).ends_with(code);
        let written = taken();
        assert_eq!(
            written.iter().flatten().count(),
            usize::from(code == 1),
            "{args:?}"
        );
        assert_eq!(said, desk.diff(args), "{args:?}");
        assert!(written == taken(), "{args:?}");
    }
    desk.diff_by_itself(&["a.png"])
        .ends_with(2)
        .complains(&["<CURRENT>", "Usage: pentimento-diff"]);
    let version = env!("CARGO_PKG_VERSION");
    desk.diff_by_itself(&["--version"])
        .ends_with(0)
        .says(&[&format!("pentimento-diff {version}")]);
    let help = desk.diff_by_itself(&["--help"]).ends_with(0).stdout;
    assert!(
        help.starts_with("Compares two PNG files or two folders"),
        "{help}"
    );
}
