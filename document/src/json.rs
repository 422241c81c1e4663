//! A strict JSON reader that is pulled value by value and never recurses, so that no nesting can
//! exhaust the stack.
//!
//! It differs from RFC 8259 parsers in one point: half a surrogate pair reads as U+FFFD, because
//! browsers write such halves when a text was cut inside a pair.

use std::borrow::Cow;

/// Where a text stops being JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Malformed {
    pub(crate) at: usize,
    pub(crate) what: &'static str,
}

/// The type of the next value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Object,
    Array,
    String,
    Number,
    Boolean,
    Null,
}

/// A position in a JSON text.
pub(crate) struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// The type of the value that comes next.
    pub(crate) fn kind(&mut self) -> Result<Kind, Malformed> {
        self.skip_whitespace();
        match self.peek() {
            Some(b'{') => Ok(Kind::Object),
            Some(b'[') => Ok(Kind::Array),
            Some(b'"') => Ok(Kind::String),
            Some(b'-' | b'0'..=b'9') => Ok(Kind::Number),
            Some(b't' | b'f') => Ok(Kind::Boolean),
            Some(b'n') => Ok(Kind::Null),
            _ => Err(self.malformed("a value is missing")),
        }
    }

    /// Enters the object or array that comes next, which [`Reader::kind`] has shown.
    pub(crate) fn enter(&mut self) {
        self.at += 1;
    }

    /// The next key of an object, or `None` at its end; `fresh` is true before the first.
    pub(crate) fn next_key(&mut self, fresh: &mut bool) -> Result<Option<Cow<'a, str>>, Malformed> {
        if !self.next_member(b'}', fresh)? {
            return Ok(None);
        }
        if self.peek() != Some(b'"') {
            return Err(self.malformed("a key is missing"));
        }
        let key = self.string()?;
        self.skip_whitespace();
        self.expect(b':', "a colon is missing")?;
        Ok(Some(key))
    }

    /// Whether an array has another element; `fresh` is true before the first.
    pub(crate) fn next_element(&mut self, fresh: &mut bool) -> Result<bool, Malformed> {
        self.next_member(b']', fresh)
    }

    fn next_member(&mut self, close: u8, fresh: &mut bool) -> Result<bool, Malformed> {
        self.skip_whitespace();
        let first = std::mem::replace(fresh, false);
        if self.peek() == Some(close) {
            self.at += 1;
            return Ok(false);
        }
        if !first {
            self.expect(b',', "a comma is missing")?;
            self.skip_whitespace();
        }
        Ok(true)
    }

    /// Reads a string; without escapes it is borrowed.
    pub(crate) fn string(&mut self) -> Result<Cow<'a, str>, Malformed> {
        self.expect(b'"', "a string is missing")?;
        let start = self.at;
        self.skip_plain();
        if self.peek() == Some(b'"') {
            self.at += 1;
            return Ok(Cow::Borrowed(&self.text[start..self.at - 1]));
        }
        let mut decoded = String::from(&self.text[start..self.at]);
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Cow::Owned(decoded));
                }
                Some(b'\\') => {
                    self.at += 1;
                    decoded.push(self.escape()?);
                }
                Some(_) => return Err(self.malformed("a control character is not escaped")),
                None => return Err(self.malformed("a string does not end")),
            }
            let start = self.at;
            self.skip_plain();
            decoded.push_str(&self.text[start..self.at]);
        }
    }

    /// Goes on to the next quote, backslash or control character.
    fn skip_plain(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        let breaks = |byte: &u8| *byte == b'"' || *byte == b'\\' || *byte < 0x20;
        self.at += rest.iter().position(breaks).unwrap_or(rest.len());
    }

    /// The character of an escape sequence, after its backslash.
    fn escape(&mut self) -> Result<char, Malformed> {
        let code = self.peek().unwrap_or(0);
        let plain = match code {
            b'"' | b'\\' | b'/' => char::from(code),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                self.at += 1;
                return self.code_point();
            }
            _ => return Err(self.malformed("an escape sequence is unknown")),
        };
        self.at += 1;
        Ok(plain)
    }

    /// The character of four hexadecimal digits, or of a surrogate pair. A NUL is replaced, as HTML does in what it reads.
    fn code_point(&mut self) -> Result<char, Malformed> {
        let first = self.four_digits()?;
        let second_follows = self.text.as_bytes()[self.at..].starts_with(b"\\u");
        if (0xD800..0xDC00).contains(&first) && second_follows {
            let back = self.at;
            self.at += 2;
            let second = self.four_digits()?;
            if (0xDC00..0xE000).contains(&second) {
                let joined = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                return Ok(char::from_u32(joined).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = back;
        }
        let read = char::from_u32(first).filter(|&read| read != '\0');
        Ok(read.unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn four_digits(&mut self) -> Result<u32, Malformed> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            let Some(digit) = digit else {
                return Err(self.malformed("an escape sequence lacks a hexadecimal digit"));
            };
            code = code * 16 + digit;
            self.at += 1;
        }
        Ok(code)
    }

    /// Reads a number; what exceeds a double is infinite.
    pub(crate) fn number(&mut self) -> Result<f64, Malformed> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let whole = self.at;
        self.digits()?;
        if self.text.as_bytes()[whole] == b'0' && self.at > whole + 1 {
            return Err(self.malformed("a number begins with zero"));
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        let parsed = self.text[start..self.at].parse();
        parsed.map_err(|_| self.malformed("a number is not one"))
    }

    fn digits(&mut self) -> Result<(), Malformed> {
        let rest = &self.text.as_bytes()[self.at..];
        let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += count;
        match count {
            0 => Err(self.malformed("a number lacks a digit")),
            _ => Ok(()),
        }
    }

    /// Reads `true` or `false`.
    pub(crate) fn boolean(&mut self) -> Result<bool, Malformed> {
        let truth = self.peek() == Some(b't');
        self.word(if truth { "true" } else { "false" })?;
        Ok(truth)
    }

    fn word(&mut self, word: &str) -> Result<(), Malformed> {
        if !self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
            return Err(self.malformed("a word is unknown"));
        }
        self.at += word.len();
        Ok(())
    }

    /// Reads any value to its end and returns its text.
    pub(crate) fn skip(&mut self) -> Result<&'a str, Malformed> {
        self.skip_whitespace();
        let start = self.at;
        // The open objects and arrays, with whether each is still before its first member.
        let mut open: Vec<(Kind, bool)> = Vec::new();
        loop {
            match self.kind()? {
                kind @ (Kind::Object | Kind::Array) => {
                    self.enter();
                    open.push((kind, true));
                }
                Kind::String => drop(self.string()?),
                Kind::Number => drop(self.number()?),
                Kind::Boolean => drop(self.boolean()?),
                Kind::Null => self.word("null")?,
            }
            loop {
                let Some((kind, fresh)) = open.last_mut() else {
                    return Ok(&self.text[start..self.at]);
                };
                let goes_on = match kind {
                    Kind::Object => self.next_key(fresh)?.is_some(),
                    _ => self.next_element(fresh)?,
                };
                if goes_on {
                    break;
                }
                open.pop();
            }
        }
    }

    /// Skips a text that is known to be a whole value, when it is the next one.
    pub(crate) fn skip_known(&mut self, value: &str) -> bool {
        let next = self.text.as_bytes()[self.at..].starts_with(value.as_bytes());
        if next {
            self.at += value.len();
        }
        next
    }

    /// Makes sure that nothing follows.
    pub(crate) fn finish(&mut self) -> Result<(), Malformed> {
        self.skip_whitespace();
        if self.at < self.text.len() {
            return Err(self.malformed("something follows the value"));
        }
        Ok(())
    }

    fn skip_whitespace(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        let blank = |byte: &&u8| matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
        self.at += rest.iter().take_while(blank).count();
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn expect(&mut self, byte: u8, what: &'static str) -> Result<(), Malformed> {
        if self.peek() != Some(byte) {
            return Err(self.malformed(what));
        }
        self.at += 1;
        Ok(())
    }

    fn malformed(&self, what: &'static str) -> Malformed {
        Malformed { at: self.at, what }
    }
}

#[cfg(test)]
mod tests;
