"""FastWARC and Resiliparse. It prints the links of the HTML responses in a WARC file.

    resiliparse ada FILE > urls
    resiliparse urljoin FILE > urls
"""

import sys
from urllib.parse import urljoin

from ada_url import join_url
from fastwarc.warc import ArchiveIterator, WarcRecordType
from resiliparse.parse.html import HTMLTree

ONE = {"href", "src", "action", "formaction", "background", "cite", "data", "poster"}
LINKS = ", ".join(f"[{name}]" for name in sorted(ONE | {"srcset"}))


def references(document):
    # values() copies the list once; iterating over the list itself takes quadratic time.
    for element in document.query_selector_all(LINKS).values():
        for name in element.attribute_names:
            if name in ONE:
                if element.tag != "base":
                    yield element.get_attribute(name)
            elif name == "srcset":
                for candidate in element.get_attribute(name).split(", "):
                    yield from candidate.split(None, 1)[:1]


def stripped_urljoin(base, ref):
    return urljoin(base, ref.strip())  # urljoin keeps a blank before a URL; ada does not


def links(join, name):
    out = sys.stdout
    for record in ArchiveIterator(name, record_types=WarcRecordType.response):
        if record.http_content_type != "text/html":
            continue
        document = HTMLTree.parse_from_bytes(record.reader.read(), record.http_charset or "utf-8").document
        url = record.headers["WARC-Target-URI"]
        base = document.query_selector("base[href]")
        if base:
            url = join(url, base.get_attribute("href"))
        for ref in references(document):
            try:
                out.write(join(url, ref) + "\n")
            except ValueError:  # not a valid URL
                pass


sys.stdout = open(1, "w", encoding="utf-8", errors="surrogatepass", buffering=1 << 16)
links({"ada": join_url, "urljoin": stripped_urljoin}[sys.argv[1]], sys.argv[2])
sys.stdout.flush()
