//! Reads `index.html` in Trunk's form, and writes it with the names of the built files.
//!
//! Of Trunk's assets it knows those that the dashboard uses: `rel="rust"`, `rel="css"` and scripts.

use std::ops::Range;

use anyhow::{Result, bail};

/// What a tag marked `data-trunk` stands for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Asset {
    Rust,
    Css(String),
    Script(String),
}

/// A marked tag: what it stands for, and where it stands in the file.
pub(crate) struct Mark {
    pub(crate) asset: Asset,
    pub(crate) place: Range<usize>,
}

/// Every tag of `html` that is marked `data-trunk`, in order.
pub(crate) fn marks(html: &str) -> Result<Vec<Mark>> {
    let mut marks = Vec::new();
    let mut from = 0;
    while let Some(start) = html[from..].find('<').map(|at| from + at) {
        if html[start..].starts_with("<!--") {
            from = html[start..]
                .find("-->")
                .map_or(html.len(), |at| start + at + "-->".len());
            continue;
        }
        let Some(end) = html[start..].find('>').map(|at| start + at + 1) else {
            break;
        };
        from = end;
        let tag = &html[start..end];
        if !tag.contains("data-trunk") {
            continue;
        }
        let (asset, end) = match (
            attribute(tag, "rel"),
            attribute(tag, "href"),
            attribute(tag, "src"),
        ) {
            (Some("rust"), _, _) => (Asset::Rust, end),
            (Some("css"), Some(href), _) => (Asset::Css(href.to_owned()), end),
            (None, _, Some(src)) if html[end..].starts_with("</script>") => {
                (Asset::Script(src.to_owned()), end + "</script>".len())
            }
            _ => bail!("dashboard/index.html holds an asset that xtask does not know: {tag}"),
        };
        marks.push(Mark {
            asset,
            place: start..end,
        });
        from = end;
    }
    Ok(marks)
}

/// `html` with each marked tag replaced by its text.
pub(crate) fn replaced(html: &str, marks: &[Mark], texts: &[String]) -> String {
    let mut page = String::with_capacity(html.len() + 1024);
    let mut from = 0;
    for (mark, text) in marks.iter().zip(texts) {
        page.push_str(&html[from..mark.place.start]);
        page.push_str(text);
        from = mark.place.end;
    }
    page.push_str(&html[from..]);
    page
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let opening = format!(" {name}=\"");
    let start = tag.find(&opening)? + opening.len();
    let length = tag[start..].find('"')?;
    Some(&tag[start..start + length])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_tags_are_found_and_replaced() {
        let html = r#"<head><!-- <link data-trunk rel="css" href="no.css"> --><link rel="icon" href="data:,">
<link data-trunk rel="rust" href="Cargo.toml"><link data-trunk rel="css" href="a.css"/><script data-trunk src="t.js"></script></head>"#;
        let marks = marks(html).unwrap();
        let assets: Vec<_> = marks.iter().map(|mark| &mark.asset).collect();
        assert_eq!(
            assets,
            [
                &Asset::Rust,
                &Asset::Css("a.css".into()),
                &Asset::Script("t.js".into())
            ]
        );
        let page = replaced(html, &marks, &["1".into(), "2".into(), "3".into()]);
        assert!(page.ends_with("\n123</head>"), "{page}");
    }

    #[test]
    fn an_unknown_asset_is_an_error() {
        assert!(marks(r#"<link data-trunk rel="sass" href="a.sass">"#).is_err());
    }
}
