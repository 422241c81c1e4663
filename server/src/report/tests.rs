use pentimento_api::ids::{JobId, ResultId};
use pentimento_api::job::JobStatus;
use pentimento_api::result::{RegionVerdict, ResultStatus, ServiceSummary, Verdict, VerdictBasis};
use pentimento_api::summary::{IntentAssessment, NewBaseline, PageError, RunDecision};
use quick_xml::XmlVersion;
use quick_xml::events::Event;
use quick_xml::reader::Reader;

use super::*;

/// What a page might say to break out of a report.
const HOSTILE: &str = "\u{1}]]> <script>alert(1)</script> | [x](javascript:1) @everyone `a` \"'&";

fn changed(path: &str, decision: Decision, triage: Option<TriageStatus>) -> PageResult {
    let verdict = |decision| RegionVerdict {
        decision,
        confidence: 0.5,
        reasoning: String::new(),
    };
    let told = |label: &str, consequence| ServiceSummary {
        label: label.to_owned(),
        text: HOSTILE.to_owned(),
        verdict: Some(verdict(decision)),
        consequence,
    };
    let summary = vec![told("A", false), told("B", true), told("C", true)];
    PageResult {
        result_id: ResultId(uuid::Uuid::nil()),
        url: format!("https://shop.example{path}"),
        variant_name: "Desktop Chrome".to_owned(),
        status: ResultStatus::Success,
        error_message: None,
        is_new_baseline: false,
        changed: true,
        content_changed: Some(true),
        metadata_changed: None,
        unstable: None,
        agreement_note: None,
        flake_score: None,
        flaky_runs: None,
        known_runs: None,
        change_group: None,
        changes: None,
        elements_changed: None,
        diff_percentage: Some(1.25),
        visual_match_score: Some(98.0),
        backend: Some("cpu".to_owned()),
        regressionbot_summary: summary.clone(),
        service_summary: summary,
        verdict: Some(Verdict {
            decision,
            min_confidence: 0.5,
            avg_confidence: 0.5,
            regions: std::collections::BTreeMap::new(),
            basis: VerdictBasis::Measured,
            model: None,
            prompt_hash: None,
        }),
        current_url: None,
        baseline_url: None,
        diff_url: None,
        dom_assist_skip_reason: None,
        truncated: None,
        triage_status: triage,
        triaged_at: None,
        triaged_by: None,
        triaged_verdict: None,
        triage_note: None,
    }
}

fn report() -> Report {
    let regressions = vec![
        changed("/bug?a=1&b=<2>", Decision::Bug, None),
        changed("/open", Decision::NeedsReview, Some(TriageStatus::Pending)),
        changed("/approved", Decision::Bug, Some(TriageStatus::Approved)),
        changed(
            "/rejected",
            Decision::Intentional,
            Some(TriageStatus::Rejected),
        ),
        changed("/meant", Decision::Intentional, None),
    ];
    Report {
        name: HOSTILE.to_owned(),
        created_at: "2026-11-21T12:00:00Z".to_owned(),
        job_url: "https://vr.example/app/jobs/1".to_owned(),
        review_urls: vec!["https://vr.example/app/review/1".to_owned(); regressions.len()],
        pictures: vec![[Some(vec![1, 2, 3]), None]],
        summary: JobSummary {
            job_id: JobId(uuid::Uuid::nil()),
            status: JobStatus::Completed,
            error: None,
            environment: None,
            base_environment: None,
            total_urls: 7,
            completed_count: 7,
            overall_score: 98.0,
            execution_time: 1.5,
            regression_count: 5,
            match_count: 0,
            new_baseline_count: 1,
            error_count: 1,
            run_summary: HOSTILE.to_owned(),
            intent_assessment: IntentAssessment {
                decision: RunDecision::Fail,
                intent_provided: true,
                bug_count: 2,
                intentional_count: 2,
                noise_count: 0,
                needs_review_count: 1,
                all_accounted_for: false,
                summary: "2 bugs.".to_owned(),
            },
            run_context: None,
            regressions,
            matches: Vec::new(),
            new_baselines: vec![NewBaseline {
                url: "https://shop.example/new".to_owned(),
                variant_name: "mobile".to_owned(),
            }],
            errors: vec![PageError {
                url: "https://shop.example/gone".to_owned(),
                variant_name: "mobile".to_owned(),
                error_message: HOSTILE.to_owned(),
            }],
        },
    }
}

#[test]
fn junit_fails_what_needs_a_person_or_is_wrong() {
    let xml = junit(&report()).unwrap();
    let mut reader = Reader::from_str(&xml);
    let (mut cases, mut failures, mut errors) = (0, Vec::new(), 0);
    let mut case = String::new();
    loop {
        match reader.read_event().expect("the report is well-formed") {
            Event::Start(tag) | Event::Empty(tag) => {
                let attribute = |name: &str| {
                    let value = tag.try_get_attribute(name).unwrap()?;
                    Some(
                        value
                            .normalized_value(XmlVersion::Implicit1_0)
                            .unwrap()
                            .into_owned(),
                    )
                };
                match tag.name().as_ref() {
                    "testsuite" => {
                        assert_eq!(attribute("tests").as_deref(), Some("7"));
                        assert_eq!(attribute("failures").as_deref(), Some("3"));
                        assert_eq!(attribute("errors").as_deref(), Some("1"));
                    }
                    "testcase" => {
                        cases += 1;
                        case = attribute("name").unwrap();
                    }
                    "failure" => failures.push((case.clone(), attribute("type").unwrap())),
                    "error" => errors += 1,
                    _ => {}
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    let failures: Vec<(&str, &str)> = (failures.iter())
        .map(|(case, kind)| (case.as_str(), kind.as_str()))
        .collect();
    assert_eq!((cases, errors), (7, 1));
    assert_eq!(
        failures,
        [
            ("/bug?a=1&b=%3C2%3E", "bug"),
            ("/open", "needs review"),
            ("/rejected", "rejected")
        ]
    );
    assert!(!xml.contains('\u{1}'), "XML has no place for it");
}

#[test]
fn what_a_page_says_is_data_in_markdown_and_html() {
    let markdown = markdown(&report());
    for markup in ["<script", "](javascript", "@everyone", "| [x]"] {
        assert!(!markdown.contains(markup), "{markup}: {markdown}");
    }
    assert!(
        markdown.contains("| [/open](https://vr.example/app/review/1) |"),
        "{markdown}"
    );
    assert!(
        markdown.contains("2 more regions follow from this."),
        "{markdown}"
    );
    let html = html(&report());
    assert!(!html.contains("<script"), "{html}");
    assert_eq!(html.matches("data:image/png;base64,AQID").count(), 1);
    assert!(!html.contains("src=\"http"), "it needs nothing else");
}

/// A Markdown text without markup as its reader sees it.
fn shown(markdown: &str) -> String {
    let mut parts = markdown.split("&#");
    let mut shown = parts.next().unwrap().to_owned();
    for part in parts {
        let (code, rest) = part.split_once(';').unwrap();
        shown.push(char::from_u32(code.parse().unwrap()).unwrap());
        shown.push_str(rest);
    }
    shown
}

#[test]
fn what_a_page_says_becomes_no_link_and_no_mention_on_hosts_of_code() {
    let told = |said: &str| {
        let mut report = report();
        report.summary.run_summary = said.to_owned();
        shown(markdown(&report).lines().nth(2).unwrap())
    };
    let said = "https://evil.example/a, ftp://evil.example, www.evil.example, (WWW.evil.example), \
         ana@evil.example, @everyone, shop#12, !34, &5, $6, GH-7, ~bug and %\"2.0\"";
    let line = told(said);
    for linked in [
        "://",
        "www.",
        "WWW.",
        "@evil",
        "@everyone",
        "#12",
        "!34",
        "&5",
        "$6",
        "GH-7",
        "~bug",
        "%\"",
    ] {
        assert!(!line.contains(linked), "{linked}: {line}");
    }
    assert_eq!(line.replace('\u{200b}', ""), said);
    let harmless = "new.html: 5 % of a & b, w. x / y, from #23408e to #a8324a";
    assert_eq!(told(harmless), harmless);
}

#[test]
fn a_report_is_no_longer_than_a_comment_may_be_and_says_what_it_leaves_out() {
    let mut report = report();
    let page = |number: usize| changed(&format!("/{number}"), Decision::Bug, None);
    report.summary.regressions = (0..120).map(page).collect();
    report.review_urls = vec!["https://vr.example/app/review/1".to_owned(); 120];
    let error = |number: usize| PageError {
        url: format!("https://shop.example/gone/{number}"),
        variant_name: "mobile".to_owned(),
        error_message: HOSTILE.repeat(20),
    };
    report.summary.errors = (0..300).map(error).collect();
    let markdown = markdown(&report);
    let length = markdown.chars().count();
    assert!((55_000..=60_000).contains(&length), "{length}");
    let rows = |begin: &str| {
        let lines = markdown.lines();
        lines.filter(|line| line.starts_with(begin)).count()
    };
    let (changes, errors) = (rows("| [/"), rows("| /"));
    assert!(changes == 100 && (1..100).contains(&errors), "{errors}");
    let ends = [
        "…and 20 more.".to_owned(),
        format!("…and {} more.", 300 - errors),
        format!(
            "{} pages are left out here; [all of the run](https://vr.example/app/jobs/1) has them.",
            420 - changes - errors
        ),
    ];
    for end in &ends {
        assert!(markdown.contains(end), "{end}");
    }
    assert_eq!(markdown.lines().next_back(), Some(ends[2].as_str()));
}
