//! Sitemaps as they are found, and as nobody should write them.

use std::io::Write;

use proptest::prelude::*;

use super::*;

fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

#[test]
fn pages_are_read_whatever_their_spelling() {
    let entry = |address: &str| format!("<urlset><url><loc>{address}</loc></url></urlset>");
    for (document, expected) in [
        (entry(" http://a.test/x?b=1&amp;c=2\n"), "http://a.test/x?b=1&c=2"),
        (entry("<![CDATA[http://a.test/y?a&b]]>"), "http://a.test/y?a&b"),
        (entry("http://a.test/&#x41;&#66;"), "http://a.test/AB"),
        (entry("http://a.test/<!-- not --><![CDATA[z]]>"), "http://a.test/z"),
        (entry("/relative"), "/relative"),
        (format!("\u{feff}<?xml version='1.0'?>\n{}", entry("/bom")), "/bom"),
        ("<sm:urlset xmlns:sm='s'><sm:url><sm:loc>/prefixed</sm:loc></sm:url></sm:urlset>".to_owned(), "/prefixed"),
        ("<sm:urlset><sm:url><sm:loc>/undeclared</sm:loc></sm:url></sm:urlset>".to_owned(), "/undeclared"),
        ("<urlset xmlns='s'><url xmlns=''><loc>/reset</loc></url></urlset>".to_owned(), "/reset"),
        ("<urlset xmlns='s'><url><loc>/images</loc><image:image xmlns:image='i'><image:loc>/i.png</image:loc></image:image></url></urlset>".to_owned(), "/images"),
        ("<urlset xmlns='s' xmlns:i='i' xmlns:xhtml='h'><url><i:loc>/not-this</i:loc><loc>/this</loc><xhtml:link rel='alternate' href='/de'/></url><i:url><i:loc>/nor-this</i:loc></i:url></urlset>".to_owned(), "/this"),
    ] {
        let read = read(document.clone().into_bytes()).unwrap();
        assert_eq!(read.pages, [expected], "{document}");
        assert_eq!((read.files.len(), read.unusable), (0, 0));
    }
    let index = "<s:sitemapindex xmlns:s='x'><s:sitemap><s:loc>/one.xml</s:loc><s:lastmod>2026</s:lastmod></s:sitemap></s:sitemapindex>";
    assert_eq!(parse(index).unwrap().files, ["/one.xml"]);
    assert_eq!(parse("<urlset/>").unwrap(), SitemapFile::default());
}

#[test]
fn entities_of_a_document_s_own_are_never_resolved() {
    let document = "<!DOCTYPE urlset [<!ENTITY a 'aaaaaaaaaa'><!ENTITY file SYSTEM 'file:///etc/passwd'>]>\
         <urlset><url><loc>/&a;</loc></url><url><loc>/&file;</loc></url><url><loc>/kept</loc></url></urlset>";
    let read = parse(document).unwrap();
    assert_eq!((read.pages, read.unusable), (vec!["/kept".to_owned()], 2));
}

#[test]
fn entries_that_cannot_be_used_are_counted() {
    let long = "x".repeat(3_000);
    let document = format!(
        "<urlset><url><loc> </loc></url><url><loc>/{long}</loc></url><url><loc>/&#xFFFFFFFF;</loc></url><url><lastmod/></url><url><loc>/ok</loc></url></urlset>"
    );
    let read = parse(&document).unwrap();
    assert_eq!((read.pages.len(), read.unusable), (1, 3));
}

#[test]
fn a_file_lists_fifty_thousand_addresses_at_most() {
    let entries: String = (0..50_010)
        .map(|number| format!("<url><loc>/{number}</loc></url>"))
        .collect();
    let read = parse(&format!("<urlset>{entries}</urlset>")).unwrap();
    assert_eq!((read.pages.len(), read.surplus), (50_000, 10));
    assert_eq!(read.pages[49_999], "/49999");
}

#[test]
fn what_is_no_sitemap_is_said_to_be_so() {
    let deep = "<a>".repeat(200);
    for (document, expected) in [
        (
            "<!doctype html><html><body>Not found</body></html>",
            "it holds a <html> document",
        ),
        ("<rss/>", "it holds a <rss> document"),
        ("", "it ends in the middle"),
        ("plain text", "it ends in the middle"),
        ("<urlset><url><loc>http://a.test/", "it ends in the middle"),
        ("<urlset></url></urlset>", "not valid XML"),
        (&format!("<urlset>{deep}"), "nested too deep"),
    ] {
        let error = parse(document).unwrap_err();
        assert!(error.contains(expected), "{document:.40}: {error}");
    }
}

#[test]
fn packed_files_are_known_by_their_content() {
    let document = b"<urlset><url><loc>/packed</loc></url></urlset>";
    for packed in [pack(document), pack(&pack(document))] {
        assert_eq!(read(packed).unwrap().pages, ["/packed"]);
    }
    let mut broken = pack(document);
    broken.truncate(broken.len() / 2);
    assert!(read(broken).unwrap_err().contains("not valid gzip"));
}

#[test]
fn a_bomb_is_refused() {
    let bomb = pack(&vec![b' '; MAX_BYTES + 1]);
    assert!(bomb.len() < 200_000, "{}", bomb.len());
    assert!(unpack(bomb).unwrap_err().contains("50 MB unpacked"));
    assert_eq!(
        unpack(pack(&vec![b' '; MAX_BYTES])).unwrap().len(),
        MAX_BYTES
    );
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..2_000)) {
        let _ = read(bytes.clone());
        let _ = read([&[0x1f, 0x8b][..], &bytes].concat());
        let _ = read(pack(&bytes));
    }

    #[test]
    fn no_pieces_of_sitemaps_make_it_panic(pieces in proptest::collection::vec(prop::sample::select(vec![
        "<urlset>", "</urlset>", "<sitemapindex xmlns='x'>", "</sitemapindex>", "<url>", "</url>", "<loc>", "</loc>",
        "<a:loc>", "</a:loc>", "<url/>", "&amp;", "&x;", "&#x110000;", "<![CDATA[", "]]>", "<!--", "-->", "<!DOCTYPE a [",
        "]>", "<?xml?>", "/p", "\u{feff}", "<", ">", "&",
    ]), 0..40)) {
        let _ = read(pieces.concat().into_bytes());
    }

    #[test]
    fn every_address_comes_back_as_it_was(paths in proptest::collection::vec("/[a-zA-Z0-9/?=&<>'\"é_.-]{0,60}", 0..50)) {
        let escape = |path: &String| path.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let entries: String = paths.iter().map(|path| format!("<url><loc>{}</loc></url>", escape(path))).collect();
        let read = read(pack(format!("<urlset>{entries}</urlset>").as_bytes())).unwrap();
        prop_assert_eq!(read.pages, paths);
    }
}
