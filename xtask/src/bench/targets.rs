//! What we want to reach, and whether this run did.

use super::contender::{
    BLAZEDIFF_PLAIN, Contender, Group, ODIFF_SERVER, PNG, PNG_LOAD, STORED, STORED_LOAD, Tool,
};
use super::corpus::Kind;
use super::results::{Ratio, Results, Time};
use super::stages;
use super::statistics::three_digits;
use super::tables::table;

/// The in-process rows that have a target, by their paths in `benches/compare.rs`.
const MEMCMP: &str = "memory/memcmp";
const COMPARE_TEXT: &str = "stages/compare_text";
const SSIM_TEXT: &str = "stages/ssim_text";
/// Comparing reads both pictures once, so memory's own speed is the floor.
const COMPARE_OVER_MEMCMP: f64 = 1.5;
/// Longest time of the similarity score for a text edit.
const SSIM_MS: f64 = 15.0;

/// A ratio of CPU time that we want on a kind.
struct Target {
    what: String,
    kind: Kind,
    at_least: f64,
    measured: Option<Ratio>,
    /// The same if ours loaded the pictures and did nothing else: more cannot be reached without loading faster.
    loading: Option<Ratio>,
}

/// A table of all targets; a ratio is reached when it is on every pair of its kind.
pub(super) fn reached(results: &Results, printed_stages: Option<&str>) -> String {
    let head = [
        "target",
        "kind",
        "wanted",
        "median",
        "lowest",
        "reached",
        "loading alone",
    ]
    .map(str::to_owned);
    let mut rows: Vec<Vec<String>> = ratios(results).iter().map(row).collect();
    rows.extend(stage_rows(printed_stages));
    table(&head, &rows)
}

fn ratios(results: &Results) -> Vec<Target> {
    let in_group = |tool, group| {
        let of = |contender: &&Contender| contender.tool == tool && contender.group == group;
        results.contenders.iter().find(of).copied()
    };
    let mut targets = Vec::new();
    let mut want = |what: &str,
                    rival: Option<Contender>,
                    [ours, loading]: [Option<Contender>; 2],
                    wanted: &dyn Fn(Kind) -> f64| {
        let place = |of: Option<Contender>| of.and_then(|contender| results.place(&contender));
        let ratio = |ours, kind| {
            let (rival, ours) = (place(rival)?, place(ours)?);
            results.ratio(rival, ours, kind, Time::Cpu)
        };
        for kind in Kind::ALL {
            targets.push(Target {
                what: what.to_owned(),
                kind,
                at_least: wanted(kind),
                measured: ratio(ours, kind),
                loading: ratio(loading, kind),
            });
        }
    };
    let cli = |group| {
        (
            in_group(Tool::Odiff, group),
            [in_group(Tool::Pentimento, group), Some(PNG_LOAD)],
        )
    };
    let (odiff, ours) = cli(Group::Image);
    want(
        "less CPU than odiff, both with a diff image",
        odiff,
        ours,
        &|_| 3.0,
    );
    let (odiff_mask, ours) = cli(Group::Mask);
    want(
        "less CPU than odiff --diff-mask, changed pixels only",
        odiff_mask,
        ours,
        &|_| 4.0,
    );
    want(
        "less CPU than odiff --server, stored captures",
        Some(ODIFF_SERVER),
        [Some(STORED), Some(STORED_LOAD)],
        &|kind| match kind {
            Kind::Identical => 100.0,
            Kind::Text | Kind::Colour => 8.0,
            Kind::Shift | Kind::Aa => 5.0,
        },
    );
    want(
        "less CPU than blazediff's binding, stored captures",
        Some(BLAZEDIFF_PLAIN),
        [Some(STORED), Some(STORED_LOAD)],
        &|_| 1.0,
    );
    want(
        "less CPU than blazediff's binding, both from PNG files",
        Some(BLAZEDIFF_PLAIN),
        [Some(PNG), None],
        &|_| 1.0,
    );
    targets
}

fn row(target: &Target) -> Vec<String> {
    let [median, lowest, reached] = match target.measured {
        None => ["–", "–", "not measured"].map(str::to_owned),
        Some(ratio) => {
            let reached = match (
                ratio.missing > 0,
                ratio.lowest >= target.at_least,
                ratio.median >= target.at_least,
            ) {
                (true, _, _) => "ours failed",
                (false, true, _) => "yes",
                (false, false, true) => "in the median",
                (false, false, false) => "no",
            };
            [
                three_digits(ratio.median),
                three_digits(ratio.lowest),
                reached.to_owned(),
            ]
        }
    };
    let wanted = format!("≥ {}", three_digits(target.at_least));
    let loading = target
        .loading
        .map_or_else(|| "–".to_owned(), |ratio| three_digits(ratio.lowest));
    vec![
        target.what.clone(),
        target.kind.as_str().to_owned(),
        wanted,
        median,
        lowest,
        reached,
        loading,
    ]
}

fn stage_rows(printed: Option<&str>) -> [Vec<String>; 2] {
    let median = |path| stages::median_ms(printed?, path);
    let over_memcmp = median(COMPARE_TEXT)
        .zip(median(MEMCMP))
        .map(|(compare, memcmp)| compare / memcmp);
    let at_most = |what: &str, wanted: String, measured: Option<f64>, most: f64| {
        let reached = match measured {
            None => "not measured",
            Some(value) if value <= most => "yes",
            Some(_) => "no",
        };
        let measured = measured.map_or_else(|| "–".to_owned(), three_digits);
        [what, "text", &wanted, &measured, "–", reached, "–"]
            .map(str::to_owned)
            .to_vec()
    };
    [
        at_most(
            "compare stage alone on 20 MP, times memcmp of both pictures",
            format!("≤ {COMPARE_OVER_MEMCMP}"),
            over_memcmp,
            COMPARE_OVER_MEMCMP,
        ),
        at_most(
            "similarity score (SSIM) alone, ms",
            format!("≤ {SSIM_MS}"),
            median(SSIM_TEXT),
            SSIM_MS,
        ),
    ]
}
