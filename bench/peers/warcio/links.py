"""warcio and lxml. It prints the links of the HTML responses in a WARC file.

    warcio FILE > urls
"""

import sys

from lxml import etree, html
from warcio.archiveiterator import ArchiveIterator


def links(name):
    parser = html.HTMLParser()
    with open(name, "rb") as file:
        for record in ArchiveIterator(file):
            if record.rec_type != "response":
                continue
            if not (record.http_headers.get_header("Content-Type") or "").startswith("text/html"):
                continue
            try:
                doc = html.document_fromstring(record.content_stream().read(), parser=parser)
            except etree.ParserError:  # the page is empty
                continue
            doc.make_links_absolute(record.rec_headers.get_header("WARC-Target-URI"), handle_failures="ignore")
            sys.stdout.writelines([link + "\n" for _, _, link, _ in doc.iterlinks()])


sys.stdout = open(1, "w", encoding="utf-8", errors="surrogatepass", buffering=1 << 16)
links(sys.argv[1])
sys.stdout.flush()
