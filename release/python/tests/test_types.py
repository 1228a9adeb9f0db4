"""The types of the package."""

import inspect
import re
import subprocess
import sys
import typing
import unittest
from pathlib import Path

import absolink
from absolink._arguments import Settings

SERVICE = Path(__file__).resolve().parents[3] / "docs/service.md"
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

WRONG = ("absolink.links(7)", "absolink.links(b'', nosuch=1)", "absolink.links(b'', max_ratio='x')", "absolink.resolve('', b'')", "absolink.rewrite('').text")


class Types(unittest.TestCase):
    def test_version(self):
        self.assertRegex(absolink.__version__, r"^\d")

    def test_hints_of_public_names(self):
        for name in absolink.__all__:
            value = getattr(absolink, name)
            members = [getattr(member, "fget", member) for key, member in vars(value).items() if key[0] != "_"] if inspect.isclass(value) else []
            for one in (value, *filter(inspect.isfunction, members)):
                with self.subTest(name, one=one):
                    hints = typing.get_type_hints(one)
                    self.assertTrue(hints or inspect.isclass(one))
                    self.assertLessEqual(set(inspect.signature(one).parameters) - {"self"} if inspect.isroutine(one) else set(), set(hints))

    def test_settings_are_those_of_the_service(self):
        listed = re.search("<!-- begin settings.*?-->(.*?)<!-- end", SERVICE.read_text(encoding="utf-8"), re.DOTALL)[1]
        self.assertEqual(set(re.findall("[a-z-]+", listed)) - {"map"}, {name.replace("_", "-") for name in Settings.__annotations__})

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
