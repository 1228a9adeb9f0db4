"""The types of the package."""

import subprocess
import sys
import unittest
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "absolink"

USE = """
import absolink, io, pathlib
from typing import List, Optional

links: List[absolink.Link] = absolink.links(b"", url="http://h/", standard="whatwg", place=["a@href"])
url: Optional[str] = links[0].url
text: str = absolink.make_links_absolute("", "http://h/")
content: bytes = absolink.make_links_absolute(b"", "http://h/")
for document in (pathlib.Path("x"), io.BytesIO(), "", absolink.Document("", type="html")):
    result: absolink.Rewritten = absolink.rewrite(document, map={"http://h/": "http://n/"})
absolink.rewrite("", map=lambda link: link.url)
for links in absolink.links_all([b"", absolink.Document(b"")], described=True):
    pass
"""

WRONG = ("absolink.links(7)", "absolink.links(b'', nosuch=1)", "absolink.links(b'', max_depth='x')", "absolink.resolve('', b'')", "absolink.rewrite('').text")


class Types(unittest.TestCase):
    def mypy(self, *arguments):
        return subprocess.run([sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--cache-dir=/dev/null", *arguments], cwd=PACKAGE.parent,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def test_types(self):
        try:
            import mypy  # noqa: F401
        except ImportError:
            self.skipTest("python3 has no mypy")
        run = self.mypy("absolink")
        self.assertEqual(0, run.returncode, run.stdout)
        run = self.mypy("-c", USE)
        self.assertEqual(0, run.returncode, run.stdout)
        run = self.mypy("-c", "import absolink\n" + "\n".join(WRONG))
        for line in range(2, len(WRONG) + 2):
            self.assertIn(f"<string>:{line}: error:", run.stdout)
