"""lxml. It calls make_links_absolute, and then iterlinks or tostring.

    lxml links SITE < names > urls
    lxml rewrite SITE FOLDER [sync] < names

With "sync", each file is written under another name and renamed. At the end the disk is synced.
"""

import os
import sys

from lxml import etree, html


def pages(site):
    parser = html.HTMLParser()
    for line in sys.stdin:
        name = line.rstrip("\n")
        url = site + name
        if url.endswith("/index.html"):
            url = url[: -len("index.html")]
        with open(name, "rb") as file:
            page = file.read()
        try:
            doc = html.document_fromstring(page, parser=parser)
        except etree.ParserError:  # the page is empty
            doc, page = None, page
        else:
            doc.make_links_absolute(url, resolve_base_href=True, handle_failures="ignore")
        yield name, page, doc


def links(site):
    out = sys.stdout
    for _, _, doc in pages(site):
        if doc is not None:
            out.writelines([link + "\n" for _, _, link, _ in doc.iterlinks()])


def rewrite(site, folder, sync=None):
    made = None
    for name, page, doc in pages(site):
        if doc is not None:
            page = html.tostring(doc, encoding=doc.getroottree().docinfo.encoding, doctype=doc.getroottree().docinfo.doctype)
        name = os.path.join(folder, name)
        if os.path.dirname(name) != made:
            made = os.path.dirname(name)
            os.makedirs(made, exist_ok=True)
        with open(name + ".part" if sync else name, "wb") as file:
            file.write(page)
        if sync:
            os.rename(name + ".part", name)
    if sync:
        os.sync()


sys.stdout = open(1, "w", encoding="utf-8", errors="surrogatepass", buffering=1 << 16)
{"links": links, "rewrite": rewrite}[sys.argv[1]](*sys.argv[2:])
sys.stdout.flush()
