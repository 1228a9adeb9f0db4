//! mail-parser 1.0. It decodes only the parts that are asked for, and reuses its memory. See mbox.rs.

use mail_parser::{MessageBuffers, MessageParser};

#[path = "../../mbox.rs"]
mod mbox;

fn main() -> std::io::Result<()> {
    mbox::run(|name, visit| {
        let parser = MessageParser::new();
        let mut buffers = MessageBuffers::new();
        let mut text = String::new();
        mbox::messages(name, |raw| {
            let Some(message) = parser.parse_with(raw, &mut buffers) else {
                return Ok(());
            };
            for part in message.parts().filter(|part| part.is_content_type("text", "html")) {
                text.clear();
                part.text_into(&mut text);
                visit(&text)?;
            }
            buffers = message.into_buffers();
            Ok(())
        })
    })
}
