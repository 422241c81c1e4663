//! Small pictures of pages.

use pentimento_compute::{Picture, Size, read_size, thumbnail, to_strips};

use crate::pages::{BLACK, Page, WHITE};

#[test]
fn thumbnails_are_means_over_white() {
    let board = Page::drawn(64, 64, |x, y| if (x + y) % 2 == 0 { BLACK } else { WHITE });
    let small = Page::read(&thumbnail(&board.png(), 16, 100).unwrap());
    assert_eq!(
        (small.size, small.color_at(5, 5)),
        (
            Size {
                width: 16,
                height: 16
            },
            [128, 128, 128, 255]
        )
    );
    let clear = Page::flat(30, 30, [0, 0, 0, 0]);
    assert_eq!(
        Page::read(&thumbnail(&clear.png(), 10, 10).unwrap()).color_at(4, 4),
        WHITE
    );
}

#[test]
fn thumbnails_are_cut_at_the_bottom_and_never_enlarged() {
    let check = |from: (u32, u32), to: (u32, u32)| {
        let png = thumbnail(&Page::text(from.0, from.1).png(), 100, 150).unwrap();
        assert_eq!(
            read_size(&png).unwrap(),
            Size {
                width: to.0,
                height: to.1
            },
            "{from:?}"
        );
    };
    check((400, 300), (100, 75));
    check((400, 3000), (100, 150));
    check((30, 20), (30, 20));
    check((1, 1), (1, 1));
}

#[test]
fn a_stored_capture_has_the_thumbnail_of_its_png() {
    for page in [Page::text(400, 3000), Page::translucent_noise(70, 90, 1)] {
        let (png, strips) = (page.png(), to_strips(&page.png()).unwrap());
        for (width, height) in [(100, 150), (360, 480), (1, 1)] {
            let of_png = thumbnail(&png, width, height).unwrap();
            let stored = Picture::strips(&strips);
            assert!(thumbnail(stored, width, height).unwrap() == of_png);
        }
        // Damage in a strip is told only where the strip shows.
        let mut damaged = strips;
        let begins = |bytes: &[u8]| bytes == [0x28, 0xb5, 0x2f, 0xfd];
        let last = damaged.windows(4).rposition(begins).unwrap();
        damaged[last] ^= 1;
        let damaged = Picture::strips(&damaged);
        assert!(thumbnail(damaged, 360, 4800).is_err());
        assert!(thumbnail(damaged, 360, 20).is_ok());
    }
}
