//! One baseline file and one current file, read and compared.

use std::fs::File;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use pentimento_compute::{
    Comparator, CompareOptions, Comparison, DiskFile, Drawing, Error, FileBytes, Form, OwnedPair,
    PictureFile, Size, check_form, read_size, thumbnail,
};

use super::Outcome;
use super::names::readable;

/// Bytes read of one file: more than the largest accepted picture takes without any compression,
/// with 16 bits a channel.
const MAX_FILE_BYTES: u64 = 1 << 30;

/// Bytes that tell whether a file is a picture, and how large.
const HEADER_BYTES: usize = 33;

/// Two files that are open: pictures, as far as their headers say. What is long of them is not read yet.
pub(super) struct Opened<'p> {
    paths: [&'p Path; 2],
    pngs: OwnedPair,
}

/// What comparing two files gave.
pub(super) struct Pair {
    pub(super) comparison: Comparison,
    pub(super) drawn: Vec<(Drawing, Vec<u8>)>,
}

/// What to draw of a pair.
pub(super) struct Wanted {
    pub(super) drawings: Vec<Drawing>,
    /// Whether to draw also what did not change.
    pub(super) of_same: bool,
}

impl Pair {
    pub(super) fn outcome(&self) -> Outcome {
        outcome(&self.comparison)
    }
}

fn outcome(comparison: &Comparison) -> Outcome {
    if comparison.changed_pixels > 0 {
        Outcome::Different
    } else {
        Outcome::Same
    }
}

impl<'p> Opened<'p> {
    /// Opens the files at two paths; errors name the file at fault.
    pub(super) fn new(paths: [&'p Path; 2], options: CompareOptions) -> anyhow::Result<Self> {
        let pngs = OwnedPair {
            baseline: Arc::new(open(paths[0])?),
            current: Arc::new(open(paths[1])?),
            form: Form::Png,
            options,
        };
        Ok(Self { paths, pngs })
    }

    /// Pixels of both pictures.
    pub(super) fn pixels(&self) -> u64 {
        // What was changed since it was opened is refused when it is read.
        let pixels = |file: &PictureFile| read_size(file).map_or(0, Size::pixels);
        pixels(&self.pngs.baseline) + pixels(&self.pngs.current)
    }

    /// Compares them and draws what is wanted; errors name the file at fault.
    pub(super) fn compare(&self, comparator: &Comparator, wanted: &Wanted) -> anyhow::Result<Pair> {
        let Self { paths, pngs } = self;
        let files = [
            (paths[0], pngs.baseline.bytes()),
            (paths[1], pngs.current.bytes()),
        ];
        let compare = || {
            if wanted.drawings.is_empty() {
                let comparison = comparator.compare_together(pngs)?;
                let drawn = Vec::new();
                return Ok(Pair { comparison, drawn });
            }
            let [baseline, current] = files.map(|(_, png)| png);
            let mut compared = comparator.compare_to_draw(baseline, current, &pngs.options)?;
            let mut drawn = Vec::new();
            if wanted.of_same || outcome(&compared.comparison) == Outcome::Different {
                for &drawing in &wanted.drawings {
                    drawn.push((drawing, compared.draw(drawing)?));
                }
            }
            Ok(Pair {
                comparison: compared.comparison,
                drawn,
            })
        };
        // A decoder that panics must not take the other pages of a folder with it.
        match catch_unwind(AssertUnwindSafe(compare)) {
            Ok(Ok(pair)) if pair.outcome() == Outcome::Same => {
                // The comparator takes files of the same bytes as they are, whole or not. Others were read, and are whole.
                check_form(&*pngs.baseline).with_context(|| readable(paths[0]))?;
                Ok(pair)
            }
            Ok(compared) => compared.map_err(|error| blame(files, error)),
            Err(_) => Err(anyhow!(
                "{} and {}: comparing them failed in a way that it never should; please report it with both files",
                readable(paths[0]),
                readable(paths[1])
            )),
        }
    }
}

/// Opens a picture's file. What is no picture, or too large a one, is refused.
fn open(path: &Path) -> anyhow::Result<PictureFile> {
    let cannot_read = || format!("cannot read {}", readable(path));
    let file = File::open(path).with_context(cannot_read)?;
    let about = file.metadata().with_context(cannot_read)?;
    if !PictureFile::stays_on_disk(&about) {
        return Ok(read(path, file, about.len())?.into());
    }
    let file = DiskFile::new(file, about.len());
    read_size(&file).with_context(|| readable(path))?;
    if about.len() > MAX_FILE_BYTES {
        bail!(too_long(path));
    }
    Ok(PictureFile::Disk(file))
}

/// Reads a file that has so many bytes, if its length is known.
fn read(path: &Path, file: File, length: u64) -> anyhow::Result<Vec<u8>> {
    let cannot_read = || format!("cannot read {}", readable(path));
    let mut file = file.take(MAX_FILE_BYTES + 1);
    // What is no picture, or too large a one, is refused before there is memory for it.
    let mut bytes = Vec::with_capacity(HEADER_BYTES);
    let mut header = file.by_ref().take(HEADER_BYTES as u64);
    header.read_to_end(&mut bytes).with_context(cannot_read)?;
    read_size(&bytes).with_context(|| readable(path))?;
    let rest = length
        .min(MAX_FILE_BYTES)
        .saturating_sub(HEADER_BYTES as u64);
    bytes.reserve_exact(usize::try_from(rest).unwrap_or(0) + 1);
    file.read_to_end(&mut bytes).with_context(cannot_read)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        bail!(too_long(path));
    }
    Ok(bytes)
}

fn too_long(path: &Path) -> String {
    format!("{}: the file is larger than 1 GiB", readable(path))
}

/// Finds the file that an error of the comparison is about; without one it is about both.
fn blame(files: [(&Path, FileBytes<'_>); 2], error: Error) -> anyhow::Error {
    if matches!(error, Error::Corrupt(_) | Error::Unreadable(_)) {
        for file in files {
            if let Err(error) = decode(file) {
                return error;
            }
        }
    }
    let [baseline, current] = files.map(|(path, _)| readable(path));
    anyhow!(error).context(format!("{baseline} and {current}"))
}

fn decode((path, png): (&Path, FileBytes<'_>)) -> anyhow::Result<()> {
    thumbnail(png, 1, 1).with_context(|| readable(path))?;
    Ok(())
}
