//! One HTML file that needs nothing else: styles and pictures are in it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html as markup};
use pentimento_api::result::PageResult;

use super::{Report, Standing, page_name, sentences, standing, unstable, verdict_words};

const STYLE: &str = "
:root { color-scheme: light dark; --line: #d5d9e0; --quiet: #5a6270; --open: #8a5300; --wrong: #b3261e; --settled: #00694a; }
@media (prefers-color-scheme: dark) { :root { --line: #3a404b; --quiet: #a0a8b5; --open: #f0b35a; --wrong: #ff8a80; --settled: #5fd3a5; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.125rem; margin: 0; }
article { border-top: 1px solid var(--line); padding: 1.25rem 0; }
.figures, footer { color: var(--quiet); font-size: .875rem; }
.open { color: var(--open); } .wrong { color: var(--wrong); } .settled { color: var(--settled); }
.pictures { display: flex; flex-wrap: wrap; gap: 1rem; } figure { margin: 0; } img { max-width: 100%; border: 1px solid var(--line); }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
";

/// The report as one HTML file.
pub(crate) fn html(report: &Report) -> String {
    let summary = &report.summary;
    let pages = (summary.regressions.iter().zip(&report.review_urls)).enumerate();
    let counts = [
        (summary.regression_count, "changed"),
        (summary.match_count, "unchanged"),
        (summary.new_baseline_count, "first baselines"),
        (summary.error_count, "not compared"),
    ];
    markup! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Visual check of " (report.name) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { "Visual check of " (report.name) }
                p { (summary.run_summary) }
                p { (summary.intent_assessment.summary) }
                p.figures {
                    @for (count, word) in counts { (count) " " (word) " · " }
                    (format!("similarity {:.1} of 100", summary.overall_score))
                }
                @for (index, (result, review_url)) in pages {
                    (page(result, review_url, report.pictures.get(index)))
                }
                @if unstable(summary).next().is_some() {
                    h2 { "Unstable, and unchanged as far as their captures agree" }
                    table {
                        @for (page, note) in unstable(summary) {
                            tr { td { (page_name(&page.url)) } td { (page.variant_name) } td { (note) } }
                        }
                    }
                }
                @if !summary.errors.is_empty() {
                    h2 { "Not compared" }
                    table {
                        @for page in &summary.errors {
                            tr { td { (page_name(&page.url)) } td { (page.variant_name) } td { (page.error_message) } }
                        }
                    }
                }
                footer { p { a href=(report.job_url) { "The run in the dashboard" } " · " (report.created_at) } }
            }
        }
    }
    .into_string()
}

fn page(result: &PageResult, review_url: &str, pictures: Option<&[Option<Vec<u8>>; 2]>) -> Markup {
    let tone = match standing(result) {
        Standing::Settled => "settled",
        Standing::Open => "open",
        Standing::Wrong => "wrong",
    };
    let pictures: Vec<(&str, &Vec<u8>)> = ["Baseline", "Current"]
        .into_iter()
        .zip(pictures.into_iter().flatten())
        .filter_map(|(word, picture)| Some((word, picture.as_ref()?)))
        .collect();
    markup! {
        article {
            h2 { a href=(review_url) { (page_name(&result.url)) } }
            p.figures {
                (result.variant_name) " · " span class=(tone) { (verdict_words(result)) }
                @if result.unstable == Some(true) { " · unstable" }
                @if let Some(share) = result.diff_percentage { (format!(" · {share:.2} % changed")) }
            }
            ul { @for sentence in sentences(result) { li { (sentence) } } }
            @if !pictures.is_empty() {
                div.pictures {
                    @for (word, picture) in pictures {
                        figure {
                            img alt=(word) src=(format!("data:image/png;base64,{}", STANDARD.encode(picture)));
                            figcaption.figures { (word) }
                        }
                    }
                }
            }
        }
    }
}
