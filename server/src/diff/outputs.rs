//! The pictures that `diff` writes, and where it may not write them.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use pentimento_compute::Drawing;

use super::DiffArgs;
use super::pair::Pair;

/// What is to be written: files for a pair, folders for folders.
pub(super) struct Outputs {
    wishes: Vec<(Kind, PathBuf)>,
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
            if wishes[..index]
                .iter()
                .any(|(_, other)| real(other) == real(path))
            {
                bail!(
                    "two of --mask, --diff and --side-by-side name {}; give each its own place",
                    path.display()
                );
            }
        }
        Ok(Self { wishes })
    }

    /// Refuses to write into what is compared, or around it: files would be lost, or be compared the
    /// next time.
    pub(super) fn refuse_inputs(&self, inputs: [&Path; 2]) -> anyhow::Result<()> {
        for (_, path) in &self.wishes {
            for input in inputs {
                let (output, compared) = (real(path), real(input));
                if output.starts_with(&compared) || compared.starts_with(&output) {
                    bail!(
                        "{} would be written over what is compared, {}; name another place",
                        path.display(),
                        input.display()
                    );
                }
            }
        }
        Ok(())
    }

    /// The same wishes for one page of folders.
    pub(super) fn of_page(&self, name: &Path) -> Self {
        let wishes = self.wishes.iter();
        Self {
            wishes: wishes
                .map(|&(kind, ref path)| (kind, path.join(name)))
                .collect(),
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

    /// Writes what is wished, making folders as needed, and says where.
    pub(super) fn write(&self, pair: &Pair) -> anyhow::Result<Vec<PathBuf>> {
        for (kind, path) in &self.wishes {
            let png = match kind {
                Kind::Mask => Cow::Owned(pair.comparison.mask.to_png()?),
                Kind::Drawn(wished) => (pair.drawn.iter())
                    .find(|(drawing, _)| drawing == wished)
                    .map(|(_, png)| Cow::Borrowed(png))
                    .context("the pair was not drawn")?,
            };
            let write = || {
                if let Some(folder) = path.parent() {
                    std::fs::create_dir_all(folder)?;
                }
                std::fs::write(path, png.as_slice())
            };
            write().with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(self.wishes.iter().map(|(_, path)| path.clone()).collect())
    }
}

/// The path without links, of which the last parts need not exist yet.
fn real(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for known in path.ancestors() {
        if let (Ok(real), Ok(rest)) = (known.canonicalize(), path.strip_prefix(known)) {
            return if rest.as_os_str().is_empty() {
                real
            } else {
                real.join(rest)
            };
        }
    }
    path
}
