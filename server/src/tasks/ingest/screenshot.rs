//! An uploaded screenshot: a whole PNG within the bounds of what is compared, or a sentence that says what is wrong.

use crate::tasks::stored::Forms;

/// Decodes the screenshot to what is kept of it.
pub(super) fn read(png: &[u8]) -> Result<Forms, String> {
    let unusable =
        |error: &dyn std::fmt::Display| format!("The screenshot cannot be used: {error}.");
    pentimento_compute::read_size(png).map_err(|error| unusable(&error))?;
    if !is_whole(png) {
        return Err(unusable(
            &"the PNG is cut short: its end is missing; save or capture it again",
        ));
    }
    Forms::of(png).map_err(|error| unusable(&error))
}

/// Whether the file's chunks lead to the one that ends a PNG. The pixels may all be there without it, and yet a file
/// that breaks off is not what was captured.
fn is_whole(png: &[u8]) -> bool {
    // Signature (8); each chunk has a length (4), a name (4), its content and a checksum (4).
    let mut at = 8_usize;
    while let Some(header) = png.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let [a, b, c, d, name @ ..] = *header;
        let length = u32::from_be_bytes([a, b, c, d]) as usize;
        let Some(end) = at.checked_add(12).and_then(|at| at.checked_add(length)) else {
            return false;
        };
        if end > png.len() {
            return false;
        }
        if name == *b"IEND" {
            return true;
        }
        at = end;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture() -> Vec<u8> {
        let mut file = std::io::Cursor::new(Vec::new());
        image::RgbImage::from_pixel(40, 40, image::Rgb([9, 80, 120]))
            .write_to(&mut file, image::ImageFormat::Png)
            .unwrap();
        file.into_inner()
    }

    #[test]
    fn a_png_that_breaks_off_anywhere_is_refused() {
        let png = picture();
        assert!(read(&png).is_ok());
        for length in 0..png.len() {
            let said = read(&png[..length]).err().unwrap();
            assert!(
                said.starts_with("The screenshot cannot be used: "),
                "{length}: {said}"
            );
        }
    }

    #[test]
    fn what_is_no_png_is_said_to_be_none() {
        let said = read(b"GIF89a not a picture of ours").err().unwrap();
        assert!(said.contains("not a PNG picture"), "{said}");
    }
}
