//! An uploaded DOM tree: unpacked within its bound and checked, or a sentence that says what is wrong.

use std::io::Read;

use flate2::read::MultiGzDecoder;
use pentimento_document::{Document, Unreadable};

use crate::capture::stand_in;
use crate::storage::staging::Part;

/// What a gzip file begins with; no JSON does.
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// The tree as plain JSON. One that is valid but more than is compared is kept: the pixels are compared all the same,
/// and the comparison says why the trees were not. So it is with one that unpacks to more than the bound, of which nothing is kept.
pub(super) fn read(uploaded: Option<Vec<u8>>) -> Result<Vec<u8>, String> {
    let Some(uploaded) = uploaded else {
        return Err(
            "The capture has no DOM tree: PUT it to `domUploadUrl` before the job is finalized."
                .to_owned(),
        );
    };
    let json = if uploaded.starts_with(&GZIP_MAGIC) {
        let Some(unpacked) = unpack(&uploaded)? else {
            return Ok(stand_in(&uploaded));
        };
        unpacked
    } else {
        uploaded
    };
    match Document::parse(&json) {
        Ok(_)
        | Err(
            Unreadable::TooLarge
            | Unreadable::TooManyNodes
            | Unreadable::TooDeep
            | Unreadable::Truncated
            | Unreadable::Absent,
        ) => Ok(json),
        Err(error) => Err(format!("The capture's DOM tree cannot be read: {error}")),
    }
}

/// None of what would unpack to more than the bound: no more than that is ever unpacked, and what is behind it may be damaged.
fn unpack(packed: &[u8]) -> Result<Option<Vec<u8>>, String> {
    let limit = Part::Dom.max_bytes();
    let mut json = Vec::new();
    MultiGzDecoder::new(packed)
        .take(limit + 1)
        .read_to_end(&mut json)
        .map_err(|error| {
            format!("The capture's DOM tree cannot be read: its gzip is damaged or cut short ({error}); upload it again.")
        })?;
    Ok((json.len() as u64 <= limit).then_some(json))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::capture::is_stand_in;

    fn gzip(content: impl Iterator<Item = Vec<u8>>) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        for piece in content {
            encoder.write_all(&piece).unwrap();
        }
        encoder.finish().unwrap()
    }

    const TREE: &[u8] = br#"{"tagName":"BODY","rect":{"x":0,"y":0,"w":9,"h":9}}"#;

    #[test]
    fn a_packed_tree_is_kept_plain() {
        assert_eq!(read(Some(TREE.to_vec())).unwrap(), TREE);
        let packed = gzip(std::iter::once(TREE.to_vec()));
        assert_eq!(read(Some(packed.clone())).unwrap(), TREE);
        let said = read(Some(packed[..packed.len() - 9].to_vec())).unwrap_err();
        assert!(said.contains("damaged or cut short"), "{said}");
    }

    #[test]
    fn of_a_bomb_nothing_is_kept_and_nothing_is_read_beyond_the_bound() {
        let bomb = gzip((0..2_048).map(|_| vec![b' '; 1 << 20]));
        assert!(bomb.len() < 16 << 20);
        let kept = read(Some(bomb.clone())).unwrap();
        assert!(is_stand_in(&kept) && kept.len() < 1_000);
        // What follows is never looked at.
        let cut_short = read(Some(bomb[..bomb.len() - 9].to_vec())).unwrap();
        assert!(is_stand_in(&cut_short) && cut_short != kept);
    }

    #[test]
    fn trees_beyond_the_bound_are_told_apart_and_those_within_it_are_kept() {
        let bound = usize::try_from(Part::Dom.max_bytes()).unwrap();
        let padded = |length: usize| {
            let mut tree = TREE.to_vec();
            tree.resize(length, b' ');
            tree
        };
        let pack = |tree: Vec<u8>| read(Some(gzip(std::iter::once(tree)))).unwrap();
        assert_eq!(pack(padded(bound)).len(), bound);
        let [one, other] = [bound + 1, bound + 2].map(|length| pack(padded(length)));
        assert!(is_stand_in(&one) && is_stand_in(&other) && one != other);
        assert_eq!(pack(padded(bound + 1)), one);
    }

    #[test]
    fn what_is_no_tree_is_said_to_be_none() {
        for (text, expected) in [
            ("{\"tagName\":", "not valid JSON"),
            ("null", "malformed"),
            ("[]", "malformed"),
            ("{\"rect\":{}}", "no tagName"),
        ] {
            let said = read(Some(text.as_bytes().to_vec())).unwrap_err();
            assert!(said.contains(expected), "{text}: {said}");
        }
    }

    #[test]
    fn a_tree_deeper_than_is_compared_is_kept() {
        let open = r#"{"tagName":"DIV","children":["#.repeat(600);
        let deep = format!("{open}{}", "]}".repeat(600));
        assert_eq!(
            read(Some(deep.clone().into_bytes())).unwrap(),
            deep.as_bytes()
        );
    }
}
