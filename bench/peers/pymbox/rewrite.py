"""mailbox, email and lxml. It makes the links in the text/html parts of an mbox absolute.

    pymbox MBOX URL OUTPUT
"""

import base64
import mailbox
import quopri
import sys
from email.generator import BytesGenerator

from lxml import etree, html


def encoded(page, how):
    if how == "base64":
        return base64.encodebytes(page)
    if how == "quoted-printable":
        return quopri.encodestring(page)
    return page


def rewrite(name, url, output):
    parsers = {}
    with open(output, "wb") as out:
        generator = BytesGenerator(out, mangle_from_=True, maxheaderlen=0)
        for message in mailbox.mbox(name, create=False):
            for part in message.walk():
                if part.get_content_type() != "text/html":
                    continue
                charset = part.get_content_charset() or "us-ascii"
                parser = parsers.setdefault(charset, html.HTMLParser(encoding=charset))
                try:
                    # The part may be a fragment of a page: lxml adds the elements html and body.
                    doc = html.document_fromstring(part.get_payload(decode=True), parser=parser)
                except etree.ParserError:  # the part is empty
                    continue
                doc.make_links_absolute(url, handle_failures="ignore")
                page = html.tostring(doc, encoding=charset)
                part.set_payload(encoded(page, (part["Content-Transfer-Encoding"] or "").lower()).decode("ascii", "surrogateescape"))
            generator.flatten(message, unixfrom=True)
            out.write(b"\n")


rewrite(*sys.argv[1:])
