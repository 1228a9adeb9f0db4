"""Calls of Python functions about pages in memory: those of the module absolink, and those of its peers.

    pycalls HOW COMMAND SITE BYTES CALLS < names

It takes the 20 pages whose length is nearest to BYTES, and calls the function for them in turn. COMMAND is the command absolink.
"""

import os
import sys


def absolink_rewrite(pages):
    import absolink
    for page, url in pages:
        absolink.rewrite(page, url, type="html")


def absolink_links(pages):
    import absolink
    for page, url in pages:
        [link.url for link in absolink.links(page, url, type="html")]


def absolink_rewrite_all(pages):
    import absolink
    for _ in absolink.rewrite_all(absolink.Document(page, url, type="html") for page, url in pages):
        pass


def lxml(pages):
    from lxml.html import make_links_absolute
    for page, url in pages:
        make_links_absolute(page, url)


def w3lib(pages):
    from urllib.parse import urljoin

    from selectolax.lexbor import LexborHTMLParser
    from w3lib.html import get_base_url
    for page, url in pages:
        base = get_base_url(page, url)
        tree = LexborHTMLParser(page)
        [urljoin(base, node.attributes[name] or "") for name in ("href", "src") for node in tree.css(f"[{name}]") if node.tag != "base"]


def beautifulsoup(pages):
    from urllib.parse import urljoin

    from bs4 import BeautifulSoup
    for page, url in pages:
        soup = BeautifulSoup(page, "lxml")
        base = soup.find("base", href=True)
        base = urljoin(url, base["href"]) if base else url
        for name in ("href", "src"):
            for tag in soup.find_all(attrs={name: True}):
                tag[name] = urljoin(base, tag[name])
        soup.encode()


def nearest(site, length, calls):
    """Yields pages and their URLs."""
    names = [line.rstrip("\n") for line in sys.stdin]
    names.sort(key=lambda name: (abs(os.stat(name).st_size - length), name))
    pages = []
    for name in names[:20]:
        with open(name, "rb") as file:
            pages.append((file.read(), site + name))
    for i in range(calls):
        yield pages[i % len(pages)]


how, os.environ["ABSOLINK"], site, length, calls = sys.argv[1:]
globals()[how](nearest(site, int(length), int(calls)))
