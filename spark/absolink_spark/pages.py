"""Links of pages that are in a table."""

import os
import subprocess
import sys
import tempfile

from . import binary
from .schema import LINKS_SCHEMA


def links_of_pages(df, url="url", html="html", flags=()):
    """Returns the links of the pages in a DataFrame, with the columns of "absolink links".

    The column html has text, or bytes in the charset of the page. document is the URL of the page. entity is "" for the page
    itself. A page without html has no rows.

    Each task runs one absolink process. The pages are its records, as in a web archive.
    """
    flags = tuple(flags)

    def rows(batches):
        import pyarrow.parquet
        with tempfile.TemporaryDirectory(prefix="absolink-") as scratch:
            output = os.path.join(scratch, "rows")
            urls = _run([binary.find(), "links", *flags, "-j", "1", "--progress", "never", "-t", "application/warc",
                         "-f", "parquet", "-o", output, "-"], batches, url, html)
            for batch in pyarrow.parquet.ParquetFile(output).iter_batches():
                yield _by_page(batch, urls)

    return df.select(url, html).mapInArrow(rows, LINKS_SCHEMA)


def _run(command, batches, url, html):
    """Runs absolink on the pages, and returns their URLs."""
    urls = []
    with tempfile.TemporaryFile() as stderr:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=stderr, stderr=stderr)
        try:
            for batch in batches:
                for page_url, content in zip(batch[url].to_pylist(), batch[html].to_pylist()):
                    if content is not None:
                        urls.append(page_url or "")
                        process.stdin.write(record(page_url or "", content))
            process.stdin.close()
        except BrokenPipeError:
            pass  # the exit status has the reason
        status = process.wait()
        stderr.seek(0)
        messages = stderr.read().decode(errors="replace")
    if status not in (0, 1):
        raise RuntimeError(f"absolink ended with status {status}: {messages[-2000:]}")
    sys.stderr.write(messages)  # the problems of the pages, in the log of the executor
    return urls


def record(url, content):
    """Returns a page as a WARC record (ISO 28500)."""
    kind = "text/html"
    if isinstance(content, str):
        content, kind = content.encode(errors="replace"), "text/html; charset=utf-8"
    url = "".join(c for c in url if c not in "\t\r\n")  # as URL parsers do (URL Standard 4.4, step 3)
    target = f"WARC-Target-URI: {url}\r\n" if url else ""
    head = f"WARC/1.1\r\nWARC-Type: resource\r\n{target}Content-Type: {kind}\r\nContent-Length: {len(content)}\r\n\r\n"
    return head.encode() + content + b"\r\n\r\n"


def _by_page(batch, urls):
    """Returns the rows with the URL of the page as document, and the entity in the page."""
    import pyarrow
    documents, entities = [], []
    for path in batch["entity"].to_pylist():
        number, _, entity = path.partition("/")
        documents.append(urls[int(number[len("record["):-1]) - 1])
        entities.append(entity)
    columns = {name: batch[name] for name in batch.schema.names}
    columns["document"] = pyarrow.array(documents, pyarrow.string())
    columns["entity"] = pyarrow.array(entities, pyarrow.string())
    return pyarrow.RecordBatch.from_pydict(columns)
