"""The examples of docs/python.md: each block of Python, with the output in the block of text after it."""

import contextlib
import gzip
import io
import os
import re
import tempfile
import unittest
from pathlib import Path

PAGE = Path(__file__).resolve().parents[3] / "docs/python.md"
EXAMPLE = re.compile(r"```python\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)


def make_files():
    message = "From a@b Thu Jan  1 00:00:00 2026\nContent-Type: text/plain\n\nSee http://site.example/news/{}\n\n"
    Path("mail.mbox").write_text(message.format(1) + message.format(2))
    page = b"<base href=docs/><a href=x>"
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s" % (len(page), page)
    head = ("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\n"
            "WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: http://site.example/\r\n"
            f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n")
    Path("crawl.warc.gz").write_bytes(gzip.compress(head.encode() + http + b"\r\n\r\n"))


class Examples(unittest.TestCase):
    def test_number(self):
        self.assertEqual(7, len(EXAMPLE.findall(PAGE.read_text(encoding="utf-8"))))


def add(number, code, want):
    def test(self):
        with tempfile.TemporaryDirectory() as folder:
            before = os.getcwd()
            os.chdir(folder)
            printed = io.StringIO()
            try:
                make_files()
                with contextlib.redirect_stdout(printed):
                    exec(compile(code, f"example {number}", "exec"), {})
            except ModuleNotFoundError as error:
                self.skipTest(f"python3 has no {error.name}")
            finally:
                os.chdir(before)
        self.assertEqual(want, printed.getvalue())
    setattr(Examples, f"test_example_{number}", test)


for number, example in enumerate(EXAMPLE.findall(PAGE.read_text(encoding="utf-8")), 1):
    add(number, *example)
