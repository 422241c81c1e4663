//! Small pictures of pages.

use pentimento_compute::{Size, read_size, thumbnail};

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
