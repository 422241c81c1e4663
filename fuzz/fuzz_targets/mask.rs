//! Any bytes in place of a mask's PNG: what is read can be written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pentimento_compute::BitMask;
use pentimento_fuzz::is_small;

fuzz_target!(|data: &[u8]| {
    if !is_small(data) {
        return;
    }
    if let Ok(mask) = BitMask::from_png(data) {
        let written = mask.to_png().expect("memory does not fail");
        let read = BitMask::from_png(&written).expect("we wrote it");
        assert!(read == mask);
        assert!(mask.count() <= mask.size().pixels());
    }
});
