//! Runs a peer that decodes an mbox. The program has two forms:
//!
//!     PEER FILE         (prints the number of text/html parts)
//!     PEER FILE SITE    (prints the links of these parts, found with html5gum)

use std::fs::File;
use std::io::{self, BufWriter, Write};

use finder::Finder;
use memchr::{memchr, memmem};
use memmap2::Mmap;

#[path = "pages.rs"]
#[allow(dead_code)] // only resolve is used
mod pages;

/// Calls visit for each message of an mbox. The file is mapped into memory, so that no message is copied. This is faster than
/// the iterator of mail-parser. It keeps the quotes before `>From `, which do not change the links.
pub fn messages(name: &str, mut visit: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    let mbox = unsafe { Mmap::map(&File::open(name)?)? };
    let from_line = memmem::Finder::new(b"\nFrom ");
    let mut rest = &mbox[..];
    while let Some(start) = memchr(b'\n', rest) {
        let end = from_line.find(&rest[start..]).map_or(rest.len(), |n| start + n + 1);
        visit(&rest[start + 1..end])?;
        rest = &rest[end..];
    }
    Ok(())
}

/// Runs the program. parts calls its second argument for each text/html part of an mbox.
pub fn run(parts: impl Fn(&str, &mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<()>) -> io::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    if let Some(site) = args.get(2) {
        let mut finder = Finder::default();
        parts(&args[1], &mut |page| {
            let found = finder.find(page.as_bytes());
            pages::resolve(&mut out, site, found.base().as_deref(), found.refs())
        })?;
    } else {
        let mut count = 0;
        parts(&args[1], &mut |_| {
            count += 1;
            Ok(())
        })?;
        writeln!(out, "{count}")?;
    }
    out.flush()
}
