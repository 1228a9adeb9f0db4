//! lol-html with a handler for each attribute. The url crate resolves.
//!
//!     lolhtml SITE < names > urls

use lol_html::html_content::Element;
use lol_html::{element, HtmlRewriter, MemorySettings, Settings};
use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, BufWriter, Write};

#[path = "../../pages.rs"]
mod pages;

/// The base and the references of a page. The base may come after the references, so they are resolved at the end.
#[derive(Default)]
struct Found {
    base: Option<String>,
    refs: Vec<String>,
}

impl Found {
    fn link(&mut self, el: &Element, name: &str) {
        if let Some(value) = el.get_attribute(name) {
            if el.tag_name() != "base" {
                self.refs.push(decoded(value));
            } else if name == "href" && self.base.is_none() {
                self.base = Some(decoded(value));
            }
        }
    }

    fn srcset(&mut self, el: &Element) {
        let value = decoded(el.get_attribute("srcset").unwrap_or_default());
        for candidate in value.split(", ") {
            self.refs.extend(candidate.split_ascii_whitespace().next().map(str::to_owned));
        }
    }
}

/// decoded returns a value with its character references decoded. lol-html does not decode them.
fn decoded(value: String) -> String {
    if value.contains('&') {
        html_escape::decode_html_entities(&value).into_owned()
    } else {
        value
    }
}

fn scan(page: &[u8], found: &RefCell<Found>) -> Result<(), lol_html::errors::RewritingError> {
    macro_rules! handlers {
        ($($name:literal)*) => {
            Settings::new()
                .with_strict(false)
                .with_memory_settings(MemorySettings::new())
                $(.append_element_content_handler(element!(concat!("[", $name, "]"), |el| {
                    found.borrow_mut().link(el, $name);
                    Ok(())
                })))*
                .append_element_content_handler(element!("[srcset]", |el| {
                    found.borrow_mut().srcset(el);
                    Ok(())
                }))
        };
    }
    let settings = handlers!("href" "src" "action" "formaction" "background" "cite" "data" "poster");
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    rewriter.write(page)?;
    rewriter.end()
}

fn main() -> io::Result<()> {
    let site = std::env::args().nth(1).expect("SITE");
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let found = RefCell::new(Found::default());
    pages::each(&site, |url, page| {
        if let Err(e) = scan(page, &found) {
            eprintln!("{url}: {e}");
        }
        let mut found = found.borrow_mut();
        let base = found.base.take();
        pages::resolve(&mut out, url, base.as_deref(), found.refs.drain(..).map(Cow::Owned))
    })?;
    out.flush()
}
