//! An emitter for html5gum that keeps only references. html5gum recommends an emitter for the best speed: no text is copied,
//! and no token is made.

use std::borrow::Cow;
use std::convert::Infallible;

use html5gum::{naive_next_state, Emitter, Error, State, Tokenizer};

/// The base and the references of a page. The base may come after the references, so the caller resolves them at the end.
#[derive(Default)]
pub struct Found {
    base: Option<Vec<u8>>,
    text: Vec<u8>,    // the references, one after the other
    ends: Vec<usize>, // the end of each reference in text
}

impl Found {
    /// Returns the href of the first base element.
    pub fn base(&self) -> Option<Cow<'_, str>> {
        self.base.as_deref().map(String::from_utf8_lossy)
    }

    /// Returns the references in the order of the page.
    pub fn refs(&self) -> impl Iterator<Item = Cow<'_, str>> {
        let mut start = 0;
        self.ends
            .iter()
            .map(move |&end| String::from_utf8_lossy(&self.text[std::mem::replace(&mut start, end)..end]))
    }
}

#[derive(Clone, Copy)]
enum Kind {
    None,
    Base,
    One,
    Srcset,
}

/// A Finder finds the references of one page after the other. It reuses its buffers.
#[derive(Default)]
pub struct Finder {
    found: Found,
    start_tag: bool,
    tag: Vec<u8>,
    last: Vec<u8>, // the name of the last start tag
    attribute: Vec<u8>,
    kind: Option<Kind>, // the kind of the current attribute, when its name is complete
    value: usize,       // where the value of the current attribute starts in found.text
}

impl Finder {
    /// Returns what is in a page. The next call overwrites it.
    pub fn find(&mut self, page: &[u8]) -> &Found {
        self.found.base = None;
        self.found.text.clear();
        self.found.ends.clear();
        self.last.clear();
        let Ok(()) = Tokenizer::new_with_emitter(page, &mut *self).finish();
        &self.found
    }

    fn kind(&mut self) -> Kind {
        *self.kind.get_or_insert_with(|| match &self.attribute[..] {
            _ if !self.start_tag => Kind::None,
            b"href" if self.tag == b"base" => Kind::Base,
            b"href" | b"src" | b"action" | b"formaction" | b"background" | b"cite" | b"data" | b"poster" => Kind::One,
            b"srcset" => Kind::Srcset,
            _ => Kind::None,
        })
    }

    fn end_attribute(&mut self) {
        if self.attribute.is_empty() {
            return;
        }
        let found = match self.kind() {
            Kind::None => None,
            Kind::Base => {
                let base = self.found.text.split_off(self.value);
                self.found.base.get_or_insert(base);
                None
            }
            Kind::One => Some(()),
            Kind::Srcset => {
                let value = self.found.text.split_off(self.value);
                for candidate in String::from_utf8_lossy(&value).split(", ") {
                    if let Some(url) = candidate.split_ascii_whitespace().next() {
                        self.found.text.extend_from_slice(url.as_bytes());
                        self.found.ends.push(self.found.text.len());
                    }
                }
                None
            }
        };
        if found.is_some() {
            self.found.ends.push(self.found.text.len());
        }
        self.attribute.clear();
        self.kind = None;
    }
}

impl Emitter for &mut Finder {
    type Token = Infallible;

    fn set_last_start_tag(&mut self, last: Option<&[u8]>) {
        self.last.clear();
        self.last.extend_from_slice(last.unwrap_or_default());
    }
    fn emit_eof(&mut self) {}
    fn emit_error(&mut self, _: Error) {}
    #[inline]
    fn should_emit_errors(&mut self) -> bool {
        false
    }
    fn pop_token(&mut self) -> Option<Infallible> {
        None
    }
    fn emit_string(&mut self, _: &[u8]) {}
    fn init_start_tag(&mut self) {
        self.tag.clear();
        self.start_tag = true;
    }
    fn init_end_tag(&mut self) {
        self.tag.clear();
        self.start_tag = false;
    }
    fn init_comment(&mut self) {}
    fn emit_current_tag(&mut self) -> Option<State> {
        self.end_attribute();
        if !self.start_tag {
            return None;
        }
        let finder = &mut **self;
        std::mem::swap(&mut finder.last, &mut finder.tag);
        naive_next_state(&finder.last)
    }
    fn emit_current_comment(&mut self) {}
    fn emit_current_doctype(&mut self) {}
    fn set_self_closing(&mut self) {}
    fn set_force_quirks(&mut self) {}
    fn push_tag_name(&mut self, s: &[u8]) {
        self.tag.extend_from_slice(s);
    }
    fn push_comment(&mut self, _: &[u8]) {}
    fn push_doctype_name(&mut self, _: &[u8]) {}
    fn init_doctype(&mut self) {}
    fn init_attribute(&mut self) {
        self.end_attribute();
        self.value = self.found.text.len();
    }
    fn push_attribute_name(&mut self, s: &[u8]) {
        self.attribute.extend_from_slice(s);
    }
    fn push_attribute_value(&mut self, s: &[u8]) {
        if !matches!(self.kind(), Kind::None) {
            self.found.text.extend_from_slice(s);
        }
    }
    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        !self.start_tag && !self.last.is_empty() && self.last == self.tag
    }
}
