//! Areas to ignore, as people write them.

use pentimento_compute::Rect;

/// Reads `x,y,w,h`.
pub(super) fn parse(text: &str) -> Result<Rect, String> {
    let numbers: Vec<u32> = text
        .split(',')
        .map(|number| number.trim().parse())
        .collect::<Result<_, _>>()
        .unwrap_or_default();
    match numbers[..] {
        [x, y, width, height] if width > 0 && height > 0 => Ok(Rect {
            x,
            y,
            width,
            height,
        }),
        _ => Err(
            "four whole numbers are wanted: x,y,width,height with a width and a height of at \
             least 1, such as 0,0,320,80"
                .into(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_numbers_make_an_area() {
        let area = Rect {
            x: 1,
            y: 2,
            width: 30,
            height: 40,
        };
        assert_eq!(parse("1,2,30,40"), Ok(area));
        assert_eq!(parse(" 1, 2, 30, 40"), Ok(area));
        for wrong in [
            "",
            "1,2,3",
            "1,2,3,4,5",
            "1,2,0,4",
            "1,2,3,0",
            "-1,2,3,4",
            "1,2,3,4294967296",
            "a,b,c,d",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
