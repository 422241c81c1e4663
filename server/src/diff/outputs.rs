//! The pictures that `diff` writes, and where it may not write them.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use pentimento_compute::Drawing;

use super::DiffArgs;
use super::names::readable;
use super::pair::Pair;

/// What is to be written: files for a pair, folders for folders.
pub(super) struct Outputs {
    wishes: Vec<(Kind, PathBuf)>,
    /// Files that are compared although they lie elsewhere: nothing takes their place.
    spared: Arc<HashSet<PathBuf>>,
}

#[derive(Clone, Copy)]
enum Kind {
    Mask,
    Drawn(Drawing),
}

impl Outputs {
    /// From the options; two of them may not name the same place.
    pub(super) fn new(args: &DiffArgs) -> anyhow::Result<Self> {
        let wishes: Vec<_> = [
            (Kind::Mask, &args.mask),
            (Kind::Drawn(Drawing::Diff), &args.diff),
            (Kind::Drawn(Drawing::SideBySide), &args.side_by_side),
        ]
        .into_iter()
        .filter_map(|(kind, path)| Some((kind, path.clone()?)))
        .collect();
        for (index, (_, path)) in wishes.iter().enumerate() {
            if path == Path::new("-") {
                bail!(
                    "- names no file; the standard output is /dev/stdout, and a file of that name ./-"
                );
            }
            if wishes[..index]
                .iter()
                .any(|(_, other)| real(other) == real(path))
            {
                bail!(
                    "two of --mask, --diff and --side-by-side name {}; give each its own place",
                    readable(path)
                );
            }
        }
        Ok(Self {
            wishes,
            spared: Arc::default(),
        })
    }

    /// The same, with files that links among what is compared lead to.
    pub(super) fn sparing(self, linked: HashSet<PathBuf>) -> Self {
        Self {
            spared: Arc::new(linked),
            ..self
        }
    }

    /// Refuses to write into what is compared, or around it: files would be lost, or be compared the
    /// next time.
    pub(super) fn refuse_inputs(&self, inputs: [&Path; 2]) -> anyhow::Result<()> {
        for (_, path) in &self.wishes {
            for input in inputs {
                let (output, compared) = (real(path), real(input));
                if output.starts_with(&compared) || compared.starts_with(&output) {
                    return Err(over_input(path, input));
                }
            }
        }
        Ok(())
    }

    /// Makes the folders for the pages of folders, and tries whether files can be written there: sooner than after comparing.
    /// None may lie in another, where pages of the same name could meet.
    pub(super) fn make_folders(&self) -> anyhow::Result<()> {
        for (_, outer) in &self.wishes {
            let holds = |(_, inner): &&(Kind, PathBuf)| {
                inner != outer && real(inner).starts_with(real(outer))
            };
            if let Some((_, inner)) = self.wishes.iter().find(holds) {
                bail!(
                    "{} lies in {}, which takes pictures as well; give each its own place",
                    readable(inner),
                    readable(outer)
                );
            }
        }
        for (_, folder) in &self.wishes {
            std::fs::create_dir_all(folder)
                .and_then(|()| tempfile::tempfile_in(folder).map_err(|error| of_its_own(&error)))
                .with_context(|| format!("cannot write into {}", readable(folder)))?;
        }
        Ok(())
    }

    /// Whether a picture goes where words go.
    pub(super) fn go_to_stdout(&self) -> bool {
        self.wishes.iter().any(|(_, path)| is_stdout(path))
    }

    /// The same wishes for one page of folders.
    pub(super) fn of_page(&self, name: &Path) -> Self {
        let wishes = self.wishes.iter();
        Self {
            wishes: wishes
                .map(|&(kind, ref path)| (kind, path.join(name)))
                .collect(),
            spared: self.spared.clone(),
        }
    }

    /// What must be drawn for it.
    pub(super) fn drawings(&self) -> Vec<Drawing> {
        let drawing = |&(kind, _): &(Kind, PathBuf)| match kind {
            Kind::Mask => None,
            Kind::Drawn(drawing) => Some(drawing),
        };
        self.wishes.iter().filter_map(drawing).collect()
    }

    /// Writes what is wished of a pair, making folders as needed, and says where: never in the place of these files, or into
    /// these folders. What is there is replaced as a whole, so that nothing is written through a link.
    pub(super) fn write(&self, pair: &Pair, inputs: &[&Path]) -> anyhow::Result<Vec<PathBuf>> {
        for (kind, path) in &self.wishes {
            let png = match kind {
                Kind::Mask => Cow::Owned(pair.comparison.mask.to_png()?),
                Kind::Drawn(wished) => (pair.drawn.iter())
                    .find(|(drawing, _)| drawing == wished)
                    .map(|(_, png)| Cow::Borrowed(png))
                    .context("the pair was not drawn")?,
            };
            let cannot_write = || format!("cannot write {}", readable(path));
            if let Some(folder) = folder_of(path) {
                std::fs::create_dir_all(folder).with_context(cannot_write)?;
            }
            // Only now every folder is there, and links and `..` tell where the path leads.
            if let Some(input) = inputs.iter().find(|input| takes_place(path, input)) {
                return Err(over_input(path, input));
            }
            if let Some(input) = entry(path).and_then(|path| self.spared.get(&path)) {
                return Err(over_input(path, input));
            }
            replace(path, png.as_slice()).with_context(cannot_write)?;
        }
        Ok(self.wishes.iter().map(|(_, path)| path.clone()).collect())
    }
}

fn over_input(output: &Path, input: &Path) -> anyhow::Error {
    anyhow!(
        "{} would be written over what is compared, {}; name another place",
        readable(output),
        readable(input)
    )
}

/// Whether an output, whose folder is there, would take the place of an input or of the file that it links to, or of a file
/// in a folder.
fn takes_place(output: &Path, input: &Path) -> bool {
    let inputs = [entry(input), input.canonicalize().ok()];
    entry(output)
        .is_some_and(|output| (inputs.iter().flatten()).any(|input| output.starts_with(input)))
}

/// Where a path leads, but for its last part, which may be a link.
fn entry(path: &Path) -> Option<PathBuf> {
    let folder = folder_of(path).unwrap_or(Path::new("."));
    Some(folder.canonicalize().ok()?.join(path.file_name()?))
}

/// Whether a path, such as `/dev/stdout`, leads to the pipe that the standard output is.
fn is_stdout(path: &Path) -> bool {
    let pipe = |path: &Path| {
        let facts = path.metadata().ok()?;
        let kind = facts.file_type();
        (kind.is_fifo() || kind.is_socket()).then(|| (facts.dev(), facts.ino()))
    };
    pipe(path).is_some_and(|there| pipe(Path::new("/dev/stdout")) == Some(there))
}

fn folder_of(path: &Path) -> Option<&Path> {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
}

/// Puts a file in the place of what is there; what is there and no file, such as a pipe, is written to.
fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if path.metadata().is_ok_and(|there| !there.is_file()) {
        return match std::fs::write(path, bytes) {
            // Whoever closed the other end has seen enough of it.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            written => written,
        };
    }
    if is_open_already(path) {
        return Err(std::io::Error::other(
            "it leads to a file that is open already; name the file itself",
        ));
    }
    let mut file = tempfile::Builder::new()
        .permissions(std::fs::Permissions::from_mode(0o666))
        .tempfile_in(folder_of(path).unwrap_or(Path::new(".")))
        .map_err(|error| of_its_own(&error))?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

/// The same without the name of a file that nobody but us knows.
fn of_its_own(error: &std::io::Error) -> std::io::Error {
    error.kind().into()
}

/// Whether a path such as `/dev/stdout` leads to a file by what a process has open: the link is no place for another file.
fn is_open_already(path: &Path) -> bool {
    let folder = folder_of(path).and_then(|folder| folder.canonicalize().ok());
    let is_of_system =
        folder.is_some_and(|folder| folder.starts_with("/proc") || folder.starts_with("/dev"));
    is_of_system && path.is_symlink()
}

/// The path without links and `..`, of which the last parts need not exist yet: they will be plain folders.
fn real(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for known in path.ancestors() {
        if let (Ok(mut real), Ok(rest)) = (known.canonicalize(), path.strip_prefix(known)) {
            for part in rest.components() {
                match part {
                    Component::ParentDir => drop(real.pop()),
                    part => real.push(part),
                }
            }
            return real;
        }
    }
    path
}
