//! Compares pairs of PNG files from a list and prints what was measured, a JSON object a line.
//!
//! `measure LIST cpu|gpu` reads lines of `name<TAB>baseline<TAB>current<TAB>threshold` and compares each pair in
//! place, with and without anti-aliased pixels, and once more with its rows aligned, on the processor or on whatever graphics
//! adapter there is; `tests/oracles` sets the answers beside those of other tools, and both backends' beside each other.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::ExitCode;

use pentimento_compute::{
    Alignment, AntiAliasing, BackendChoice, Comparator, CompareOptions, Comparison,
};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (list, backend) = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [list, "cpu"] => (list, BackendChoice::Cpu),
        [list, "gpu"] => (list, BackendChoice::Gpu),
        _ => {
            eprintln!("usage: measure LIST cpu|gpu");
            return ExitCode::FAILURE;
        }
    };
    let list = std::fs::read_to_string(list).expect("the list can be read");
    let comparator = Comparator::new(backend).expect("there is such a backend");
    for line in list.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, baseline, current, threshold] = fields[..] else {
            eprintln!("not a line of four fields: {line}");
            return ExitCode::FAILURE;
        };
        let (baseline, current) = (read(baseline), read(current));
        let threshold: f64 = threshold.parse().expect("the threshold is a number");
        let compare = |anti_aliasing, alignment| {
            let options = CompareOptions {
                threshold,
                anti_aliasing,
                alignment,
                ..CompareOptions::default()
            };
            comparator
                .compare(&baseline, &current, &options)
                .expect("both files are PNGs")
        };
        let (without, with) = (
            compare(AntiAliasing::Exclude, Alignment::Off),
            compare(AntiAliasing::Include, Alignment::Off),
        );
        let aligned = compare(AntiAliasing::Exclude, Alignment::Auto);
        println!(
            r#"{{"name":"{name}","backend":"{}","excluded":{},"included":{},"one_sided":{},"score":{},"in_place":"{:016x}","in_place_with_aa":"{:016x}","aligned":"{:016x}","aligned_score":{}}}"#,
            without.backend.as_str(),
            without.changed_pixels,
            with.changed_pixels,
            with.inserted_pixels + with.removed_pixels,
            with.score,
            facts(&without),
            facts(&with),
            facts(&aligned),
            aligned.score
        );
    }
    ExitCode::SUCCESS
}

/// One number for all that both backends are to find alike: every bit of the masks, the regions, where rows lie, counts and distances.
fn facts(found: &Comparison) -> u64 {
    let mut hasher = DefaultHasher::new();
    let masks = [&found.mask, &found.faint].map(|mask| mask.to_png().expect("a mask is a PNG"));
    let counts = [
        found.changed_pixels,
        found.anti_aliased_pixels,
        found.inserted_pixels,
        found.removed_pixels,
    ];
    let distances = [found.mean_delta, found.max_delta].map(f64::to_bits);
    (masks, counts, found.unaligned_pixels, distances).hash(&mut hasher);
    format!("{:?} {:?}", found.regions, found.layout).hash(&mut hasher);
    hasher.finish()
}

fn read(path: &str) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{path}: {error}"))
}
