//! Reading sitemaps (sitemaps.org protocol 0.9): plain, gzip, and indexes of them.

use std::collections::{HashSet, VecDeque};
use std::io::Read;
use std::time::Duration;

use futures::StreamExt;
use quick_xml::Reader;
use quick_xml::events::Event;
use url::Url;

use crate::app::App;
use crate::gate::Gates;
use crate::page_path::path_and_query;
use crate::target::TargetPolicy;

/// The protocol's own limits: 50 MB unpacked and 50,000 addresses a file.
const MAX_BYTES: usize = 50 * 1024 * 1024;
const MAX_URLS: usize = 50_000;
/// Files that one index may lead to.
const MAX_FILES: usize = 50;
const MAX_REDIRECTS: usize = 5;
const FETCH_DEADLINE: Duration = Duration::from_secs(30);

/// Paths with query of every page that the sitemap lists, in its order.
///
/// # Errors
/// A sentence for people that names the sitemap and what is wrong with it.
pub async fn read(app: &App, address: &Url, gates: &Gates) -> Result<Vec<String>, String> {
    let mut waiting = VecDeque::from([address.clone()]);
    let mut seen = HashSet::from([address.clone()]);
    let mut paths = Vec::new();
    while let Some(file) = waiting.pop_front() {
        let bytes = tokio::time::timeout(FETCH_DEADLINE, fetch(app, &file, gates))
            .await
            .map_err(|_| {
                format!(
                    "The sitemap {file} did not arrive within {} s.",
                    FETCH_DEADLINE.as_secs()
                )
            })??;
        let parsed = parse(&unpack(&file, bytes)?)
            .map_err(|error| format!("{file} is not a sitemap: {error}"))?;
        for nested in parsed.files {
            let Ok(url) = file.join(&nested) else {
                continue;
            };
            if seen.len() < MAX_FILES && seen.insert(url.clone()) {
                waiting.push_back(url);
            }
        }
        let pages = parsed.pages.iter().filter_map(|page| file.join(page).ok());
        paths.extend(
            pages
                .map(|url| path_and_query(&url))
                .take(MAX_URLS - paths.len().min(MAX_URLS)),
        );
    }
    if paths.is_empty() {
        return Err(format!("The sitemap {address} lists no page."));
    }
    Ok(paths)
}

async fn fetch(app: &App, address: &Url, gates: &Gates) -> Result<Vec<u8>, String> {
    let mut url = address.clone();
    for _ in 0..=MAX_REDIRECTS {
        let client = app
            .dialer
            .client_for(&url)
            .await
            .map_err(|error| format!("The sitemap {url} cannot be read: {error}."))?;
        // Asked for anew at every redirect: a credential is for its origin alone.
        let gate = gates.of_address(&url).map_err(|error| error.to_string())?;
        let headers = gate.map(|gate| gate.request_headers());
        let response = client
            .get(url.clone())
            .headers(headers.unwrap_or_default())
            .send()
            .await
            .map_err(|error| format!("The sitemap {url} cannot be read: {}.", root(&error)))?;
        let status = response.status();
        if status.is_redirection() {
            let location = response
                .headers()
                .get("location")
                .and_then(|value| value.to_str().ok())
                .unwrap_or_default();
            let next = url.join(location).map_err(|_| {
                format!("The sitemap {url} redirects to `{location}`, which is no address.")
            })?;
            url = TargetPolicy::parse(next.as_str())
                .map_err(|error| format!("The sitemap {url} redirects: {error}."))?;
            continue;
        }
        if !status.is_success() {
            return Err(format!(
                "The sitemap {url} answered {}; check the address.",
                status.as_u16()
            ));
        }
        let mut bytes = Vec::new();
        let mut stream = response.bytes_stream();
        while let Some(chunk) = stream.next().await {
            let chunk =
                chunk.map_err(|error| format!("The sitemap {url} broke off: {}.", root(&error)))?;
            if bytes.len() + chunk.len() > MAX_BYTES {
                return Err(format!(
                    "The sitemap {url} is larger than 50 MB; split it into an index of smaller ones."
                ));
            }
            bytes.extend_from_slice(&chunk);
        }
        return Ok(bytes);
    }
    Err(format!(
        "The sitemap {address} redirects more than {MAX_REDIRECTS} times."
    ))
}

fn root(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

/// Gzip is known by its first bytes; servers label it in several ways.
fn unpack(file: &Url, bytes: Vec<u8>) -> Result<Vec<u8>, String> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes);
    }
    let mut unpacked = Vec::new();
    let mut reader = flate2::read::MultiGzDecoder::new(bytes.as_slice()).take(MAX_BYTES as u64 + 1);
    reader
        .read_to_end(&mut unpacked)
        .map_err(|_| format!("The sitemap {file} is damaged: it is not valid gzip."))?;
    if unpacked.len() > MAX_BYTES {
        return Err(format!(
            "The sitemap {file} is larger than 50 MB unpacked; split it into an index of smaller ones."
        ));
    }
    Ok(unpacked)
}

/// What one file holds: pages of a `urlset`, files of a `sitemapindex`.
#[derive(Debug, Default)]
struct Parsed {
    pages: Vec<String>,
    files: Vec<String>,
}

fn parse(bytes: &[u8]) -> Result<Parsed, String> {
    let document = String::from_utf8_lossy(bytes);
    let mut reader = Reader::from_str(&document);
    let mut parsed = Parsed::default();
    let mut path: Vec<String> = Vec::new();
    let mut text = String::new();
    loop {
        match reader
            .read_event()
            .map_err(|error| format!("it is not valid XML ({error})."))?
        {
            Event::Start(start) => {
                check_root(&path, start.local_name().as_ref())?;
                path.push(start.local_name().as_ref().to_owned());
                text.clear();
            }
            Event::Empty(empty) => check_root(&path, empty.local_name().as_ref())?,
            Event::Text(part) => text.push_str(&part),
            Event::CData(part) => text.push_str(&part),
            Event::GeneralRef(reference) => text.push_str(&resolve_reference(&reference)),
            Event::End(_) => {
                let address = text.trim().to_owned();
                match path
                    .iter()
                    .map(String::as_str)
                    .collect::<Vec<_>>()
                    .as_slice()
                {
                    ["urlset", "url", "loc"] if parsed.pages.len() < MAX_URLS => {
                        parsed.pages.push(address);
                    }
                    ["sitemapindex", "sitemap", "loc"] if parsed.files.len() < MAX_FILES => {
                        parsed.files.push(address);
                    }
                    _ => {}
                }
                path.pop();
                text.clear();
            }
            Event::Eof if path.is_empty() && !document.trim().is_empty() => return Ok(parsed),
            Event::Eof => return Err("it ends in the middle.".to_owned()),
            _ => {}
        }
    }
}

fn check_root(path: &[String], name: &str) -> Result<(), String> {
    if !path.is_empty() || name == "urlset" || name == "sitemapindex" {
        return Ok(());
    }
    Err(format!(
        "it holds a <{name}> document; a sitemap's root is <urlset> or <sitemapindex>."
    ))
}

/// `&amp;` and the like, and numeric references.
fn resolve_reference(name: &str) -> String {
    match name {
        "amp" => "&".to_owned(),
        "lt" => "<".to_owned(),
        "gt" => ">".to_owned(),
        "quot" => "\"".to_owned(),
        "apos" => "'".to_owned(),
        other => {
            let digits = other.trim_start_matches('#');
            let code = match digits.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok(),
                None => digits.parse().ok(),
            };
            code.and_then(char::from_u32)
                .map(String::from)
                .unwrap_or_default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_and_nested_files_are_read_with_any_namespace_prefix() {
        let plain = br#"<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
            <url><loc> http://a.test/x?b=1&amp;c=2 </loc><image:image xmlns:image="i"><image:loc>http://a.test/i.png</image:loc></image:image></url>
            <url><loc><![CDATA[http://a.test/y]]></loc></url></urlset>"#;
        assert_eq!(
            parse(plain).unwrap().pages,
            ["http://a.test/x?b=1&c=2", "http://a.test/y"]
        );
        let index = b"<s:sitemapindex xmlns:s='x'><s:sitemap><s:loc>/one.xml</s:loc></s:sitemap></s:sitemapindex>";
        assert_eq!(parse(index).unwrap().files, ["/one.xml"]);
    }

    #[test]
    fn what_is_no_sitemap_is_said_to_be_so() {
        for (bytes, expected) in [
            (
                &b"<!doctype html><html><body>Not found</body></html>"[..],
                "it holds a <html> document",
            ),
            (b"", "it ends in the middle"),
            (b"<urlset><url><loc>http://a.test/", "it ends in the middle"),
        ] {
            let error = parse(bytes).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn a_gzip_bomb_is_refused() {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        let block = vec![b' '; 1024 * 1024];
        for _ in 0..60 {
            std::io::Write::write_all(&mut packed, &block).unwrap();
        }
        let url = Url::parse("http://a.test/sitemap.xml.gz").unwrap();
        assert!(
            unpack(&url, packed.finish().unwrap())
                .unwrap_err()
                .contains("50 MB")
        );
    }
}
