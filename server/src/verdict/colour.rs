//! Colours as people write them.

/// An opaque colour as captures have it, `rgb(41, 128, 185)`, as `#2980b9`; nothing for any other text.
pub(super) fn hex_of(text: &str) -> Option<String> {
    let channels = text.strip_prefix("rgb(")?.strip_suffix(')')?.split(',');
    let channels: Vec<u8> = channels
        .map(|part| part.trim().parse())
        .collect::<Result<_, _>>()
        .ok()?;
    (channels.len() == 3).then(|| format!("#{}", hex::encode(channels)))
}
