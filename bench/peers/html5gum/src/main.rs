//! html5gum with an emitter of its own. The url crate resolves.
//!
//!     html5gum links SITE < names > urls
//!     html5gum refs < names > references    (as they are in the pages, not resolved)

use std::io::{self, BufWriter, Write};

use finder::Finder;

#[path = "../../pages.rs"]
mod pages;

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut finder = Finder::default();
    match args[1].as_str() {
        "links" => pages::each(&args[2], |url, page| {
            let found = finder.find(page);
            pages::resolve(&mut out, url, found.base().as_deref(), found.refs())
        })?,
        _ => pages::each("", |_, page| {
            for reference in finder.find(page).refs() {
                out.write_all(reference.as_bytes())?;
                out.write_all(b"\n")?;
            }
            Ok(())
        })?,
    }
    out.flush()
}
