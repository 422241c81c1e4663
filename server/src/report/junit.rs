//! JUnit XML: a test case for each page and variant. A page that needs a person, or is wrong, is a failure; one that could
//! not be compared is an error; a first baseline passes, and so does an unstable page without a change that its captures agree on.

use std::io::Cursor;

use pentimento_api::result::PageResult;
use quick_xml::events::BytesText;
use quick_xml::writer::Writer;

use super::{Report, Standing, page_name, sentences, standing, verdict_words};

/// The report as JUnit XML.
///
/// # Errors
/// Never in practice: it is written to memory.
pub(crate) fn junit(report: &Report) -> std::io::Result<String> {
    let summary = &report.summary;
    let failing = |result: &&PageResult| standing(result) != Standing::Settled;
    let failures = summary.regressions.iter().filter(failing).count();
    let counts = [
        ("tests", summary.total_urls.to_string()),
        ("failures", failures.to_string()),
        ("errors", summary.errors.len().to_string()),
        ("skipped", "0".to_owned()),
        ("time", format!("{:.3}", summary.execution_time)),
    ];
    let counts = || counts.iter().map(|(name, value)| (*name, value.as_str()));
    let name = plain(&report.name);
    let mut out = Cursor::new(Vec::new());
    let mut writer = Writer::new_with_indent(&mut out, b' ', 2);
    writer
        .create_element("testsuites")
        .with_attribute(("name", "Pentimento"))
        .with_attributes(counts())
        .write_inner_content(|writer| {
            writer
                .create_element("testsuite")
                .with_attribute(("name", name.as_str()))
                .with_attributes(counts())
                .with_attribute(("timestamp", report.created_at.as_str()))
                .write_inner_content(|writer| cases(writer, report))?;
            Ok(())
        })?;
    let xml = String::from_utf8(out.into_inner()).map_err(std::io::Error::other)?;
    Ok(format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{xml}\n"
    ))
}

type Out<'a> = Writer<&'a mut Cursor<Vec<u8>>>;

fn cases(writer: &mut Out<'_>, report: &Report) -> std::io::Result<()> {
    let summary = &report.summary;
    for (result, review_url) in summary.regressions.iter().zip(&report.review_urls) {
        if standing(result) == Standing::Settled {
            passed(writer, &result.url, &result.variant_name)?;
            continue;
        }
        let told = sentences(result);
        let message = told.first().map_or("The page changed.", String::as_str);
        let text = format!("{}\n{review_url}", told.join("\n"));
        failed(
            writer,
            [&result.url, &result.variant_name],
            ["failure", verdict_words(result), message, &text],
        )?;
    }
    for result in &summary.matches {
        match result
            .agreement_note
            .as_deref()
            .filter(|_| result.unstable == Some(true))
        {
            Some(note) => passed_with(writer, [&result.url, &result.variant_name], note)?,
            None => passed(writer, &result.url, &result.variant_name)?,
        }
    }
    for page in &summary.new_baselines {
        passed(writer, &page.url, &page.variant_name)?;
    }
    for page in &summary.errors {
        failed(
            writer,
            [&page.url, &page.variant_name],
            [
                "error",
                "not compared",
                &page.error_message,
                &report.job_url,
            ],
        )?;
    }
    Ok(())
}

fn passed(writer: &mut Out<'_>, url: &str, variant: &str) -> std::io::Result<()> {
    let (name, class) = (plain(&page_name(url)), plain(variant));
    (writer.create_element("testcase"))
        .with_attributes([("classname", class.as_str()), ("name", name.as_str())])
        .write_empty()?;
    Ok(())
}

/// A page that passes, and something to say of it all the same.
fn passed_with(writer: &mut Out<'_>, [url, variant]: [&str; 2], note: &str) -> std::io::Result<()> {
    let (name, class) = (plain(&page_name(url)), plain(variant));
    let note = plain(&format!("unstable: {note}"));
    (writer.create_element("testcase"))
        .with_attributes([("classname", class.as_str()), ("name", name.as_str())])
        .write_inner_content(|writer| {
            (writer.create_element("system-out")).write_text_content(BytesText::new(&note))?;
            Ok(())
        })?;
    Ok(())
}

fn failed(
    writer: &mut Out<'_>,
    [url, variant]: [&str; 2],
    [element, kind, message, text]: [&str; 4],
) -> std::io::Result<()> {
    let (name, class) = (plain(&page_name(url)), plain(variant));
    let (message, text) = (plain(message), plain(text));
    (writer.create_element("testcase"))
        .with_attributes([("classname", class.as_str()), ("name", name.as_str())])
        .write_inner_content(|writer| {
            (writer.create_element(element))
                .with_attributes([("type", kind), ("message", message.as_str())])
                .write_text_content(BytesText::new(&text))?;
            Ok(())
        })?;
    Ok(())
}

/// XML 1.0 has no place for most control characters, not even escaped.
fn plain(text: &str) -> String {
    let is_allowed = |character: char| match character {
        '\n' | '\t' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        other => !other.is_control(),
    };
    text.chars()
        .map(|character| {
            if is_allowed(character) {
                character
            } else {
                char::REPLACEMENT_CHARACTER
            }
        })
        .collect()
}
