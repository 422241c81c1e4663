//! Names that outlive a power cut. Syncing a file keeps its content alone: a new name is an entry of the folder that it lies in,
//! and on the disk once that is synced, too (see the manual page fsync(2)).

use std::fs::DirBuilder;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Moves a synced file to another name on the same disk, in place of what lies there, and returns when the name is kept.
///
/// # Errors
/// The file cannot be moved (then all is as it was), or the folder cannot be synced.
pub(super) async fn rename(from: PathBuf, to: PathBuf) -> io::Result<()> {
    off_runtime(move || {
        std::fs::rename(&from, &to)?;
        sync_parent(&to)
    })
    .await
}

/// Returns when the name that a file was moved to is kept; that the file has gone on since is no error.
///
/// # Errors
/// The folder cannot be synced.
pub(super) async fn keep_name(path: PathBuf) -> io::Result<()> {
    off_runtime(move || match sync_parent(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        synced => synced,
    })
    .await
}

/// Creates a folder with all that lead to it, where they are missing, and returns when their names are kept.
///
/// # Errors
/// One cannot be created, or its own folder cannot be synced.
pub(super) async fn create_folder(folder: PathBuf) -> io::Result<()> {
    off_runtime(move || create_missing(&folder, &DirBuilder::new())).await
}

/// As [`create_folder`], and those that are missing become their owner's alone: databases and screenshots of sites behind gates
/// lie there. What is there already stays as it is.
///
/// # Errors
/// As [`create_folder`].
pub(crate) fn create_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    create_missing(folder, &builder)
}

fn create_missing(folder: &Path, builder: &DirBuilder) -> io::Result<()> {
    let missing: Vec<_> = folder
        .ancestors()
        .take_while(|ancestor| !ancestor.as_os_str().is_empty() && !ancestor.is_dir())
        .collect();
    for ancestor in missing.into_iter().rev() {
        match builder.create(ancestor) {
            // Another writer was faster, and may not have come to sync it.
            Err(error) if error.kind() == ErrorKind::AlreadyExists && ancestor.is_dir() => {}
            created => created?,
        }
        sync_parent(ancestor)?;
    }
    Ok(())
}

/// Folders can be synced on Unix alone, and there not on every disk (some of those over a network refuse it); elsewhere the file
/// system answers for names.
fn sync_parent(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    if let Some(parent) = path.parent() {
        let parent = if parent.as_os_str().is_empty() {
            Path::new(".")
        } else {
            parent
        };
        match std::fs::File::open(parent)?.sync_all() {
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::InvalidInput | ErrorKind::Unsupported
                ) => {}
            synced => synced?,
        }
    }
    Ok(())
}

async fn off_runtime(work: impl FnOnce() -> io::Result<()> + Send + 'static) -> io::Result<()> {
    tokio::task::spawn_blocking(work).await?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn folders_are_created_with_those_above_them_by_several_at_once() {
        let root = tempfile::tempdir().unwrap();
        let deep = root.path().join("a/b/c");
        let creating = (0..8).map(|_| create_folder(deep.clone()));
        for created in futures::future::join_all(creating).await {
            created.unwrap();
        }
        assert!(deep.is_dir());
        let file = deep.join("file");
        std::fs::write(&file, "in the way").unwrap();
        assert!(create_folder(file.join("below")).await.is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_private_folder_is_its_owners_alone_and_one_that_is_there_stays_as_it_is() {
        use std::fs::Permissions;
        use std::os::unix::fs::PermissionsExt;

        let root = tempfile::tempdir().unwrap();
        let [above, folder] = ["data", "data/browsers"].map(|name| root.path().join(name));
        let mode = |folder: &Path| std::fs::metadata(folder).unwrap().permissions().mode() & 0o777;
        create_private_folder(&folder).unwrap();
        assert_eq!([mode(&above), mode(&folder)], [0o700; 2]);
        std::fs::set_permissions(&above, Permissions::from_mode(0o750)).unwrap();
        create_private_folder(&above).unwrap();
        assert_eq!(mode(&above), 0o750);
    }

    #[tokio::test]
    async fn a_file_takes_the_place_of_another_or_stays_where_it_is() {
        let root = tempfile::tempdir().unwrap();
        let [new, old] = ["new", "old"].map(|name| root.path().join(name));
        std::fs::write(&new, "new").unwrap();
        std::fs::write(&old, "old").unwrap();
        let nowhere = root.path().join("missing/file");
        assert!(rename(new.clone(), nowhere).await.is_err());
        rename(new.clone(), old.clone()).await.unwrap();
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "new");
        assert!(!new.exists());
    }
}
