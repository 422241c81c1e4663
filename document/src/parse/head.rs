//! Reads the metadata of a page, which our own captures put on the root.

use crate::clip::clip;
use crate::document::{Head, Link};
use crate::json::{Kind, Reader};

use super::Fault;

/// The most entries kept of each list.
const MAX_ENTRIES: usize = 200;
/// Characters kept of a value.
const MAX_VALUE: usize = 2000;
/// Characters kept of a JSON-LD block, and how many blocks.
const MAX_BLOCK: usize = 20_000;
const MAX_BLOCKS: usize = 50;

pub(super) fn read(reader: &mut Reader<'_>) -> Result<Head, Fault> {
    let mut head = Head::default();
    each_member(reader, "head", |key, reader| {
        match key {
            "title" => head.title = value(reader, "head.title", MAX_VALUE)?,
            "lang" => head.lang = value(reader, "head.lang", MAX_VALUE)?,
            "meta" => each_element(reader, "head.meta", |reader| {
                head.meta.extend(meta(reader)?);
                head.meta.truncate(MAX_ENTRIES);
                Ok(())
            })?,
            "links" => each_element(reader, "head.links", |reader| {
                head.links.push(link(reader)?);
                head.links.truncate(MAX_ENTRIES);
                Ok(())
            })?,
            "jsonLd" => each_element(reader, "head.jsonLd", |reader| {
                head.json_ld
                    .extend(value(reader, "head.jsonLd", MAX_BLOCK)?);
                head.json_ld.truncate(MAX_BLOCKS);
                Ok(())
            })?,
            _ => drop(reader.skip()?),
        }
        Ok(())
    })?;
    Ok(head)
}

/// Reads the errors of the page's scripts.
pub(super) fn errors(reader: &mut Reader<'_>) -> Result<Vec<String>, Fault> {
    let mut errors = Vec::new();
    each_element(reader, "errors", |reader| {
        errors.extend(value(reader, "errors", MAX_VALUE)?);
        errors.truncate(MAX_ENTRIES);
        Ok(())
    })?;
    Ok(errors)
}

fn meta(reader: &mut Reader<'_>) -> Result<Option<(String, String)>, Fault> {
    let (mut name, mut content) = (None, None);
    each_member(reader, "head.meta", |key, reader| {
        match key {
            "name" => name = value(reader, "head.meta.name", MAX_VALUE)?,
            "content" => content = value(reader, "head.meta.content", MAX_VALUE)?,
            _ => drop(reader.skip()?),
        }
        Ok(())
    })?;
    Ok(name.map(|name| (name, content.unwrap_or_default())))
}

fn link(reader: &mut Reader<'_>) -> Result<Link, Fault> {
    let mut link = Link::default();
    each_member(reader, "head.links", |key, reader| {
        match key {
            "rel" => link.rel = value(reader, "head.links.rel", MAX_VALUE)?.unwrap_or_default(),
            "href" => link.href = value(reader, "head.links.href", MAX_VALUE)?.unwrap_or_default(),
            "hreflang" => link.hreflang = value(reader, "head.links.hreflang", MAX_VALUE)?,
            _ => drop(reader.skip()?),
        }
        Ok(())
    })?;
    Ok(link)
}

/// A string, or nothing for null.
fn value(
    reader: &mut Reader<'_>,
    field: &'static str,
    most: usize,
) -> Result<Option<String>, Fault> {
    match reader.kind()? {
        Kind::String => Ok(Some(clip(&reader.string()?, most).to_owned())),
        Kind::Null => {
            reader.skip()?;
            Ok(None)
        }
        _ => Err(Fault::Type(field, "a string")),
    }
}

fn each_member<'a>(
    reader: &mut Reader<'a>,
    field: &'static str,
    mut read: impl FnMut(&str, &mut Reader<'a>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    if reader.kind()? != Kind::Object {
        return Err(Fault::Type(field, "an object"));
    }
    reader.enter();
    let mut fresh = true;
    while let Some(key) = reader.next_key(&mut fresh)? {
        read(&key, reader)?;
    }
    Ok(())
}

fn each_element<'a>(
    reader: &mut Reader<'a>,
    field: &'static str,
    mut read: impl FnMut(&mut Reader<'a>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    match reader.kind()? {
        Kind::Array => reader.enter(),
        Kind::Null => {
            reader.skip()?;
            return Ok(());
        }
        _ => return Err(Fault::Type(field, "a list")),
    }
    let mut fresh = true;
    while reader.next_element(&mut fresh)? {
        read(reader)?;
    }
    Ok(())
}
