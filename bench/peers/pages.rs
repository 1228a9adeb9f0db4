//! Reads the pages and prints their links, in the same way for all peers in Rust. Standard input has one file name on each
//! line. Each file is read completely into one buffer, which the next file overwrites.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, Read, Write};
use url::Url;

/// Calls visit for every page, with its URL below site and its content. The URL of an index.html is the URL of its directory.
pub fn each(site: &str, mut visit: impl FnMut(&str, &[u8]) -> io::Result<()>) -> io::Result<()> {
    let mut buffer = Vec::new();
    for name in io::stdin().lock().lines() {
        let name = name?;
        let mut file = File::open(&name)?;
        let len = file.metadata()?.len() as usize;
        if len > buffer.len() {
            buffer.resize(len + len / 2, 0);
        }
        file.read_exact(&mut buffer[..len])?;
        let mut url = format!("{site}{name}");
        if url.ends_with("/index.html") {
            url.truncate(url.len() - "index.html".len());
        }
        visit(&url, &buffer[..len])?;
    }
    Ok(())
}

/// Resolves the references of a page and prints the URLs. The base is the content of the first `<base href>`.
pub fn resolve<'a>(
    out: &mut impl Write,
    from: &str,
    base: Option<&str>,
    refs: impl Iterator<Item = Cow<'a, str>>,
) -> io::Result<()> {
    let mut url = Url::parse(from).expect("a URL");
    if let Some(joined) = base.and_then(|b| url.join(b).ok()) {
        url = joined;
    }
    for reference in refs {
        if let Ok(link) = url.join(&reference) {
            out.write_all(link.as_str().as_bytes())?;
            out.write_all(b"\n")?;
        }
    }
    Ok(())
}
