//! The sitemaps that a `robots.txt` names (<https://www.sitemaps.org/protocol.html#submit_robots>).

/// How much of the file counts: what search engines read of it.
const MAX_BYTES: usize = 500 * 1024;

/// The addresses of its `Sitemap:` lines, in their order, as they are written.
pub(super) fn sitemaps(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_BYTES)]);
    let text = text.trim_start_matches('\u{feff}');
    text.lines().filter_map(sitemap_of_line).collect()
}

fn sitemap_of_line(line: &str) -> Option<String> {
    let line = line.split('#').next().unwrap_or_default();
    let (name, value) = line.split_once(':')?;
    let value = value.trim();
    (name.trim().eq_ignore_ascii_case("sitemap") && !value.is_empty()).then(|| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sitemap_lines_are_found_in_any_case_wherever_they_stand() {
        let robots = "\u{feff}SITEMAP:http://a.test/one.xml\r\nUser-agent: *\nDisallow: /x\n# Sitemap: /no.xml\n\
             \tsitemap :  /two.xml # the second\nSitemap:\nSitemaps: /no.xml\nno colon\n";
        assert_eq!(
            sitemaps(robots.as_bytes()),
            ["http://a.test/one.xml", "/two.xml"]
        );
        assert!(sitemaps(b"\xff\xfe\x00").is_empty());
    }
}
