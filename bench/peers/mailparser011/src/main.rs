//! mail-parser 0.11. It decodes every part of a message, attachments too. Only the fields of MIME are parsed. See mbox.rs.

use std::io;

use mail_parser::{Message, MessageParser, PartType};

#[path = "../../mbox.rs"]
mod mbox;

/// Calls visit for every text/html part of a message, and of the messages in it.
fn parts(message: &Message, visit: &mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<()> {
    for part in &message.parts {
        match &part.body {
            PartType::Html(text) => visit(text)?,
            PartType::Message(inner) => parts(inner, visit)?,
            _ => (),
        }
    }
    Ok(())
}

fn main() -> io::Result<()> {
    mbox::run(|name, visit| {
        let parser = MessageParser::new().with_mime_headers();
        mbox::messages(name, |raw| match parser.parse(raw) {
            Some(message) => parts(&message, visit),
            None => Ok(()),
        })
    })
}
