"""Links of pages that are in a table."""

import base64
import os
import sys

from . import binary
from .schema import LINKS_SCHEMA


def links_of_pages(df, url="url", html="html", **settings):
    """Returns the links of the pages in a DataFrame, with the columns of "absolink links".

    The column html has text, or bytes in the charset of the page. document is the URL of the page. entity is "" for the page
    itself. A page without html has no rows. settings are those of absolink.Session, like standard="whatwg".

    Each task has one absolink process, which reads several pages at the same time.
    """
    def rows(batches):
        import absolink
        os.environ["ABSOLINK"] = binary.find()
        with absolink.Session(**settings) as session:
            for batch in batches:
                yield _links(session, batch[url].to_pylist(), batch[html].to_pylist())

    return df.select(url, html).mapInArrow(rows, LINKS_SCHEMA)


def _links(session, urls, contents):
    """Returns the links of pages as a RecordBatch."""
    import pyarrow
    from pyspark.sql.pandas.types import to_arrow_schema
    columns = {name: [] for name in LINKS_SCHEMA.names}
    for page_url, links in _of_each(session, [(u or "", c) for u, c in zip(urls, contents) if c is not None]):
        for link in links:
            row = link.asdict()
            raw = _short(link.raw)
            text = raw.decode(errors="replace")
            row.update(document=page_url, raw=text, ref=_short(link.ref), url=link.url and _short(link.url),
                       raw_base64=None if text.encode() == raw else base64.b64encode(raw).decode())
            for name, column in columns.items():
                column.append(row[name])
    return pyarrow.RecordBatch.from_pydict(columns, to_arrow_schema(LINKS_SCHEMA))


def _of_each(session, pages):
    """Yields the URL and the links of each page. If the URL is not valid, the links have no base."""
    import absolink
    documents = [absolink.Document(content, url=_clean(page_url) or None, type="text/html") for page_url, content in pages]
    results = session.links_all(documents)
    for (page_url, _), document in zip(pages, documents):
        try:
            links = next(results)
        except absolink.ServiceError:
            raise
        except absolink.Error as error:
            print(f"{page_url}: {error}", file=sys.stderr)  # in the log of the executor
            links = session.links(document._replace(url=None))
        yield page_url, links


def _clean(url):
    """Returns a URL as URL parsers read it (URL Standard 4.4, step 3)."""
    return "".join(c for c in url if c not in "\t\r\n")


def _short(text):
    """Cuts a data: URL after its comma, as the command does."""
    comma, scheme = (b",", b"data:") if isinstance(text, bytes) else (",", "data:")
    if text[:5].lower() != scheme or comma not in text:
        return text
    return text[:text.index(comma) + 1]
