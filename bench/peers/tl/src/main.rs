//! tl parses a page into a tree. The url crate resolves.
//!
//!     tl SITE < names > urls

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};

use tl::{Bytes, ParserOptions};

#[path = "../../pages.rs"]
mod pages;

/// Returns a value with its character references decoded. tl does not decode them.
fn decoded<'a>(value: &'a Option<Bytes>) -> Cow<'a, str> {
    let value = value.as_ref().map(|v| v.as_utf8_str()).unwrap_or_default();
    if value.contains('&') {
        return html_escape::decode_html_entities(&value).into_owned().into();
    }
    value
}

fn main() -> io::Result<()> {
    let site = std::env::args().nth(1).expect("SITE");
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    pages::each(&site, |url, page| {
        let page = String::from_utf8_lossy(page);
        let dom = tl::parse(&page, ParserOptions::default()).expect("less than 4 GiB");
        let mut base = None;
        let mut refs = Vec::new();
        for tag in dom.nodes().iter().filter_map(|node| node.as_tag()) {
            for (name, value) in tag.attributes().unstable_raw().iter() {
                let one = match name.as_bytes() {
                    b"href" if tag.name() == "base" => {
                        base = base.or(Some(decoded(value)));
                        continue;
                    }
                    b"href" | b"src" | b"action" | b"formaction" | b"background" | b"cite" | b"data" | b"poster" => true,
                    b"srcset" => false,
                    _ => continue,
                };
                let value = decoded(value);
                if one {
                    refs.push(value);
                    continue;
                }
                for candidate in value.split(", ") {
                    refs.extend(candidate.split_ascii_whitespace().next().map(|url| url.to_owned().into()));
                }
            }
        }
        pages::resolve(&mut out, url, base.as_deref(), refs.into_iter())
    })?;
    out.flush()
}
