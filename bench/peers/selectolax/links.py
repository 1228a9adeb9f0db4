"""selectolax and ada. lexbor builds the tree of the page, and finds the elements with links.

    selectolax SITE < names > urls
"""

import sys

from ada_url import join_url
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

ONE = {"href", "src", "action", "formaction", "background", "cite", "data", "poster"}
LINKS = ", ".join(f"[{name}]" for name in sorted(ONE | {"srcset"}))


def references(tree):
    for node in tree.css(LINKS):
        for name, value in node.attributes.items():
            if name in ONE:
                if node.tag != "base":
                    yield value or ""
            elif name == "srcset" and value:
                for candidate in value.split(", "):
                    yield from candidate.split(None, 1)[:1]


def links(site):
    out = sys.stdout
    for line in sys.stdin:
        name = line.rstrip("\n")
        url = site + name
        if url.endswith("/index.html"):
            url = url[: -len("index.html")]
        with open(name, "rb") as file:
            # Without events, which selectolax documents as faster. The links are the same.
            tree = LexborHTMLParser(file.read(), options=LexborDocumentOptions.WO_EVENTS)
        base = tree.css_first("base[href]")
        if base:
            url = join_url(url, base.attributes["href"] or "")
        for ref in references(tree):
            try:
                out.write(join_url(url, ref) + "\n")
            except ValueError:  # not a valid URL
                pass


sys.stdout = open(1, "w", encoding="utf-8", errors="surrogatepass", buffering=1 << 16)
links(*sys.argv[1:])
sys.stdout.flush()
