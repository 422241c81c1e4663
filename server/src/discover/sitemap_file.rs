//! One sitemap file, from its bytes to the addresses in it (sitemaps.org protocol 0.9): plain or gzip, pages or an
//! index. Nothing is fetched here, and no entity but XML's own is resolved.

#[cfg(test)]
mod tests;

use std::io::Read;

use quick_xml::NsReader;
use quick_xml::events::Event;
use quick_xml::name::ResolveResult;

/// The protocol's own limits: 50 MB unpacked and 50,000 addresses a file.
pub(super) const MAX_BYTES: usize = 50 * 1024 * 1024;
pub(super) const MAX_ADDRESSES: usize = 50_000;

/// Longest address in bytes, by the protocol.
const MAX_ADDRESS_BYTES: usize = 2_048;

/// How deep elements may be nested; a sitemap with every known extension needs six.
const MAX_DEPTH: usize = 100;

/// Gzip within gzip: a packed file that a server packs again.
const MAX_PACKINGS: usize = 2;

/// What one file holds, as it is written there.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct SitemapFile {
    /// Addresses of pages, of a `urlset`.
    pub(super) pages: Vec<String>,
    /// Addresses of more files, of a `sitemapindex`.
    pub(super) files: Vec<String>,
    /// Entries whose address is empty, too long, or made of unknown entities.
    pub(super) unusable: usize,
    /// Entries beyond what a file may hold.
    pub(super) surplus: usize,
}

/// Reads a file, packed or not.
///
/// # Errors
/// The end of a sentence for people, which begins with the file's address.
pub(super) fn read(bytes: Vec<u8>) -> Result<SitemapFile, String> {
    let bytes = unpack(bytes)?;
    parse(&String::from_utf8_lossy(&bytes))
}

/// Gzip is known by its first bytes; servers label it in several ways.
fn unpack(mut bytes: Vec<u8>) -> Result<Vec<u8>, String> {
    for _ in 0..MAX_PACKINGS {
        if !bytes.starts_with(&[0x1f, 0x8b]) {
            break;
        }
        let mut unpacked = Vec::new();
        flate2::read::MultiGzDecoder::new(bytes.as_slice())
            .take(MAX_BYTES as u64 + 1)
            .read_to_end(&mut unpacked)
            .map_err(|_| "is damaged: it is not valid gzip.".to_owned())?;
        if unpacked.len() > MAX_BYTES {
            return Err(
                "is larger than 50 MB unpacked; split it into an index of smaller ones.".to_owned(),
            );
        }
        bytes = unpacked;
    }
    Ok(bytes)
}

/// The two kinds of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Pages,
    Index,
}

impl Kind {
    fn of_root(name: &str) -> Result<Self, String> {
        match name {
            "urlset" => Ok(Self::Pages),
            "sitemapindex" => Ok(Self::Index),
            other => Err(format!(
                "is not a sitemap: it holds a <{}> document; a sitemap's root is <urlset> or <sitemapindex>.",
                other.chars().take(40).collect::<String>()
            )),
        }
    }

    fn entry(self) -> &'static str {
        match self {
            Self::Pages => "url",
            Self::Index => "sitemap",
        }
    }
}

fn parse(document: &str) -> Result<SitemapFile, String> {
    let mut reader = NsReader::from_str(document.trim_start_matches('\u{feff}'));
    let mut root: Option<(Kind, Namespace)> = None;
    let mut file = SitemapFile::default();
    let mut depth = 0;
    let mut is_in_entry = false;
    let mut address: Option<Address> = None;
    loop {
        let (namespace, event) = reader
            .read_resolved_event()
            .map_err(|error| format!("is not a sitemap: it is not valid XML ({error})."))?;
        match event {
            Event::Start(start) => {
                depth += 1;
                let name = start.local_name();
                let name = name.as_ref();
                match (&root, depth) {
                    (_, 1) => root = Some((Kind::of_root(name)?, Namespace::of(&namespace))),
                    (Some((kind, ours)), 2) => {
                        is_in_entry = name == kind.entry() && ours.holds(&namespace);
                    }
                    (Some((_, ours)), 3) if is_in_entry && name == "loc" => {
                        address = ours.holds(&namespace).then(Address::default);
                    }
                    (_, MAX_DEPTH..) => {
                        return Err(
                            "is not a sitemap: its elements are nested too deep.".to_owned()
                        );
                    }
                    _ => {}
                }
            }
            Event::Empty(empty) if depth == 0 => {
                let kind = Kind::of_root(empty.local_name().as_ref())?;
                root = Some((kind, Namespace::of(&namespace)));
            }
            Event::Text(part) if depth == 3 => Address::push(&mut address, &part),
            Event::CData(part) if depth == 3 => Address::push(&mut address, &part),
            Event::GeneralRef(reference) if depth == 3 => match resolve_reference(&reference) {
                Some(character) => Address::push(&mut address, character.encode_utf8(&mut [0; 4])),
                None => Address::spoil(&mut address),
            },
            Event::End(_) => {
                if depth == 3
                    && let Some(address) = address.take()
                    && let Some((kind, _)) = &root
                {
                    file.add(*kind, &address);
                }
                depth -= 1;
            }
            Event::Eof if depth == 0 && root.is_some() => return Ok(file),
            Event::Eof => return Err("is not a sitemap: it ends in the middle.".to_owned()),
            _ => {}
        }
    }
}

impl SitemapFile {
    fn add(&mut self, kind: Kind, address: &Address) {
        let list = match kind {
            Kind::Pages => &mut self.pages,
            Kind::Index => &mut self.files,
        };
        let text = address.text.trim();
        if address.is_spoilt || text.is_empty() {
            self.unusable += 1;
        } else if list.len() < MAX_ADDRESSES {
            list.push(text.to_owned());
        } else {
            self.surplus += 1;
        }
    }
}

/// The text of a `loc` as it is read.
#[derive(Default)]
struct Address {
    text: String,
    is_spoilt: bool,
}

impl Address {
    fn push(address: &mut Option<Self>, part: &str) {
        let Some(address) = address else { return };
        if address.text.len() + part.trim().len() > MAX_ADDRESS_BYTES {
            address.is_spoilt = true;
        } else {
            address.text.push_str(part);
        }
    }

    fn spoil(address: &mut Option<Self>) {
        if let Some(address) = address {
            address.is_spoilt = true;
        }
    }
}

/// The namespace of a file's root. Which one it is does not matter: files name several versions, or none.
enum Namespace {
    None,
    Bound(String),
    /// A prefix that nothing declares.
    Prefix(String),
}

impl Namespace {
    fn of(resolved: &ResolveResult<'_>) -> Self {
        match resolved {
            ResolveResult::Unbound => Self::None,
            ResolveResult::Bound(name) => Self::Bound(name.as_ref().to_owned()),
            ResolveResult::Unknown(prefix) => Self::Prefix(prefix.clone()),
        }
    }

    /// Whether an element is of the root's vocabulary, not of an extension such as that for images. Some generators
    /// write `xmlns=""` at every entry.
    fn holds(&self, resolved: &ResolveResult<'_>) -> bool {
        match resolved {
            ResolveResult::Unbound => true,
            ResolveResult::Bound(name) => {
                matches!(self, Self::Bound(ours) if ours == name.as_ref())
            }
            ResolveResult::Unknown(prefix) => matches!(self, Self::Prefix(ours) if ours == prefix),
        }
    }
}

/// XML's own entities and numeric references; those that a document declares itself are never resolved.
fn resolve_reference(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        other => {
            let digits = other.strip_prefix('#')?;
            let code = match digits.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16),
                None => digits.parse(),
            };
            code.ok().and_then(char::from_u32)
        }
    }
}
