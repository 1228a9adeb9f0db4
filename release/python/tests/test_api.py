"""The functions: what they take, what they return, and what they refuse."""

import base64
import io
import json
import os
import pickle
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path

import absolink
from absolink import Document, Session
from absolink._arguments import Options, Settings

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "testdata/html/tour.html"
MESSAGE = ROOT / "testdata/message/tour.eml"
URL = "http://site.example/docs/"


def command(*arguments):
    return subprocess.run([os.environ["ABSOLINK"], *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout


class Links(unittest.TestCase):
    def test_rows_are_those_of_the_command(self):
        for path, arguments in ((PAGE, {"url": URL}), (MESSAGE, {}), (PAGE, {"url": URL, "standard": "whatwg", "extended": True})):
            with self.subTest(path.name, **arguments):
                flags = [f"--{name}" if value is True else f"--{name}={value}" for name, value in arguments.items()]
                fields = "entity,type,place,entity_offset,page_url,raw,ref,url,base,layer,source,status,problem,part,rel,text,title"
                lines = command("links", str(path), "-f", "jsonl", "--fields", fields, *flags).splitlines()
                links = absolink.links(path, described=True, **arguments)
                self.assertEqual(len(lines), len(links))
                for line, link in zip(lines, links):
                    want = {"problem": None, "part": None, **json.loads(line)}
                    got = {**link.asdict(), "raw": link.raw.decode()}
                    self.assertEqual(want, got)

    def test_a_link_that_is_not_utf8(self):
        link, = absolink.links(b"<meta charset=koi8-r><a href='\xc1'>", "http://h/")
        self.assertEqual((b"\xc1", "\u0430", "http://h/\u0430"), (link.raw, link.ref, link.url))

        self.assertEqual(("\ufffd", "wQ=="), (link.asjson()["raw"], link.asjson()["raw_base64"]))

    def test_json(self):
        for link in absolink.links(MESSAGE, described=True):
            self.assertEqual({**link.asdict(), "raw": link.raw.decode(), "raw_base64": None}, json.loads(json.dumps(link.asjson())))

    def test_described(self):
        page = "<a href=x rel=next title=t>text</a>"
        link, = absolink.links(page, "http://h/", described=True)
        self.assertEqual(("next", "text", "t"), (link.rel, link.text, link.title))
        link, = absolink.links(page, "http://h/")
        self.assertEqual((None, None, None), (link.rel, link.text, link.title))

    def test_no_base(self):
        link, = absolink.links("<a href=x>")
        self.assertEqual((None, "unresolved", "no-base", ""), (link.url, link.status, link.problem, link.base))

    def test_values(self):
        one, other = absolink.links("<a href=x><a href=x>", "http://h/")
        self.assertNotEqual(one, other)
        self.assertEqual(one, absolink.links("<a href=x>", "http://h/")[0])
        self.assertEqual(one, pickle.loads(pickle.dumps(one)))
        self.assertEqual(1, len({one, absolink.links("<a href=x>", "http://h/")[0]}))
        self.assertEqual("<Link a@href 'http://h/x'>", repr(one))

    def test_settings(self):
        page = "<a href=x><img src=/y><a href=mailto:a@b>"
        def urls(**settings):
            return [link.url for link in absolink.links(page, "http://h/", **settings)]
        self.assertEqual(["http://h/y"], urls(place="img@*"))
        self.assertEqual(["http://h/x", "mailto:a@b"], urls(place=["a@href", "area"]))
        self.assertEqual(["http://h/q"], [link.url for link in absolink.links("<p><x-y z=q>", "http://h/", add_place=["x-y@z"], place="x-y@z")])
        self.assertEqual(["mailto:a@b"], urls(scheme="mailto"))
        self.assertEqual(["http://h/x"], urls(include=["x$", "z"]))
        self.assertEqual(["mailto:a@b"], urls(status="absolute"))
        self.assertEqual(["http://n/x", "http://n/y", "mailto:a@b"], urls(override_base="http://n/"))


class Documents(unittest.TestCase):
    """Each kind of document."""

    def urls(self, document, **options):
        return [link.url for link in absolink.links(document, **options)]

    def test_text_is_utf8(self):
        page = "<meta charset=koi8-r><a href='\u0430'>"
        self.assertEqual(["http://h/\u0430"], self.urls(page, url="http://h/"))
        self.assertEqual(page.replace("'\u0430'", "'http://h/\u0430'").encode(), absolink.rewrite(page, "http://h/").content)
        message = "Content-Type: text/html; charset=koi8-r\n\n<a href='http://h/\u0430'>"
        self.assertEqual(1, len(self.urls(message, type="mail")))

    def test_bytes(self):
        page = b"<a href=x>"
        for document in (page, bytearray(page), memoryview(page), memoryview(page)[::1], io.BytesIO(page)):
            self.assertEqual(["http://h/x"], self.urls(document, url="http://h/"))

    def test_an_empty_body(self):
        for empty in (b"", "", bytearray(), memoryview(b""), io.BytesIO()):
            for facts in ({}, {"url": "http://h/"}, {"name": "a.bin"}, {"name": "a.gz"}, {"type": "html"}, {"type": "mbox"}):
                with self.subTest(empty, **facts):
                    self.assertEqual([], absolink.links(empty, **facts))
                    self.assertEqual((b"", 0, 0, 0, 0, []), absolink.rewrite(empty, **facts))
                    self.assertEqual((b"", 0, 0, 0, 0, []), absolink.rewrite(empty, map=lambda link: None, **facts))
                    self.assertEqual(0, sum(len(base.base) for base in absolink.bases(empty)))
        self.assertEqual("", absolink.make_links_absolute("", "http://h/"))
        self.assertEqual([1, 0, 0, 1], [len(links) for links in absolink.links_all(["<p><a href=x>", b"", "", "<p><a href=x>"])])
        self.assertEqual([b"", b"<p>"], [result.content for result in absolink.rewrite_all([b"", b"<p>"])])
        with self.assertRaisesRegex(absolink.Error, "not absolute"):
            absolink.links(b"", "x")

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "a.css")
            path.write_bytes(b"@import 'x';")
            self.assertEqual(["http://h/x"], self.urls(path, url="http://h/"))
            with open(path, "rb") as file:
                self.assertEqual(["http://h/x"], self.urls(file, url="http://h/"))
            for options in ({}, {"map": lambda link: None}):
                with open(path) as file, self.assertRaisesRegex(TypeError, "binary mode"):
                    absolink.rewrite(file, **options)
            result = absolink.rewrite(path)
            self.assertEqual((b"@import 'x';", 1, 0, 1), result[:4])
            self.assertEqual([(str(path), "no-base")], [(p.document, p.code) for p in result.problems])
            self.assertRegex(str(result.problems[0]), r"a\.css: no-base: ")
            for missing in (Path(folder, "none.html"), Document(Path(folder, "none.html"), name="n")):
                with self.assertRaisesRegex(FileNotFoundError, "none.html"):
                    absolink.links(missing)
                with self.assertRaisesRegex(FileNotFoundError, "none.html"):
                    next(absolink.links_all([missing]))
            self.assertRaises(IsADirectoryError if os.name == "posix" else OSError, absolink.links, Path(folder))

    def test_facts(self):
        self.assertEqual(["http://h/x"], self.urls(Document("@import 'x';", url="http://h/", name="a.css")))
        self.assertEqual(["http://h/x"], self.urls(Document("<a href=x>", url="http://h/"), type="html"))
        self.assertEqual(["http://n/x"], self.urls(Document("<a href=x>", url="http://h/"), url="http://n/"))

    def test_an_archive_of_files(self):
        import zipfile
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("d/a.html", "<a href=x>")
        self.assertEqual(["http://h/d/x"], self.urls(packed.getvalue(), site="http://h/"))

    def test_repr_is_one_short_line(self):
        page = "<base href='/\n%s'><a href=x>\n" % ("y" * 1_000_000)
        for content in (page, page.encode()):
            found = [Document(content, url="http://h/"), absolink.rewrite(content, "http://h/"), *absolink.links(content, "http://h/"), *absolink.bases(content, "http://h/")]
            for one in found:
                self.assertLess(len(repr(one)), 1000)
                self.assertNotIn("\n", repr(one))
        self.assertEqual("Document(content=b'<p>', url='http://h/', name=None, type=None, site=None)", repr(Document(b"<p>", "http://h/")))


class Bases(unittest.TestCase):
    def test_rows_are_those_of_the_command(self):
        lines = command("base", str(MESSAGE), "-f", "jsonl").splitlines()
        bases = absolink.bases(MESSAGE)
        self.assertEqual(len(lines), len(bases))
        for line, base in zip(lines, bases):
            want = json.loads(line)
            del want["document"]
            got = {**base._asdict(), "candidates": [c._asdict() for c in base.candidates]}
            self.assertEqual(want, got)


class Rewriting(unittest.TestCase):
    def test_bytes_are_those_of_the_command(self):
        for path, arguments in ((PAGE, {"url": URL}), (MESSAGE, {}), (PAGE, {"url": URL, "base": "remove", "fragments": "keep"})):
            flags = [f"--{name}={value}" for name, value in arguments.items()]
            self.assertEqual(command("rewrite", str(path), *flags), absolink.rewrite(path, **arguments).content)

    def test_counts(self):
        result = absolink.rewrite("<a href=x><a href=http://h/y><a href=http:z>", "http://h/", standard="whatwg")
        self.assertEqual((3, 2, 0, 0), result[1:5])

    def test_map_of_prefixes(self):
        for rules in ({"http://h/": "https://n/"}, {"http://h": "https://n"}):
            self.assertEqual(b"<a href=https://n/x>", absolink.rewrite(b"<a href=x>", "http://h/", map=rules).content)
        self.assertEqual(b"<a href=http://h/x>", absolink.rewrite(b"<a href=x>", "http://h/", map={}).content)
        left = absolink.rewrite(b"<a href=http://h/x>http://h/x</a><a href=https://h/>", map={"http://h/": "https://n/"}).problems
        self.assertEqual([("note", "old-url-left"), ("note", "old-url-left")], [(p.severity, p.code) for p in left])

    def test_map_is_a_function(self):
        seen = []

        def shorten(link):
            seen.append(link)
            return None if link.place == "a@href" else "https://n/?a&b"
        page = b"<base href=b/><a href=x><img src=y srcset='z 1x, w 2x'><a href=#top><a href=''>"
        result = absolink.rewrite(page, "http://h/", map=shorten)
        new = b"https://n/?a&amp;b"
        self.assertEqual(page.replace(b"b/", new).replace(b"=y", b"=" + new).replace(b"z", new).replace(b"w", new), result.content)
        self.assertEqual(["base@href", "a@href", "img@src", "img@srcset[1]", "img@srcset[2]", "a@href", "a@href"], [link.place for link in seen])
        self.assertEqual(["http://h/b/", "http://h/b/x"], [link.url for link in seen[:2]])

    def test_map_in_encoded_documents(self):
        result = absolink.rewrite(MESSAGE, map=lambda link: link.url.replace("http://", "https://"))
        self.assertEqual([link.url.replace("http://", "https://") for link in absolink.links(MESSAGE) if link.url],
                         [link.url for link in absolink.links(result.content, type="mail") if link.url])
        import gzip
        packed = gzip.compress(b"<p><a href=x>")
        result = absolink.rewrite(packed, "http://h/", name="a.html.gz", map=lambda link: link.url + "?")
        self.assertEqual(b"<p><a href=http://h/x?>", gzip.decompress(result.content))
        self.assertEqual(packed, absolink.rewrite(packed, "http://h/", name="a.html.gz", map=lambda link: None).content)

    def test_map_of_links_with_one_offset(self):
        word = b"=?us-ascii?B?" + base64.b64encode(b"<http://h/1>,<http://h/2>") + b"?="
        content = absolink.rewrite(b"List-Unsubscribe: " + word + b"\n\n", type="message/rfc822", map=lambda link: link.url + "x").content
        self.assertEqual(b"List-Unsubscribe: =?us-ascii?Q?=3Chttp://h/1x=3E=2C=3Chttp://h/2x=3E?=\n\n", content)

    def test_map_and_a_choice(self):
        with absolink.Session(place="img@src") as session:
            self.assertEqual(b"<a href=x><img src=http://n/>", session.rewrite(b"<a href=x><img src=y>", "http://h/", map=lambda link: "http://n/").content)
            self.assertEqual(b"<p><img src=y><img src=/z>",
                             session.rewrite(b"<p><img src=y><img src=/z>", "http://h/", map=lambda link: link.ref if link.ref == "/z" else None, include="z").content)

    def test_map_of_a_file_that_can_be_read_once(self):
        self.assertEqual(b"<a href=http://n/>", absolink.rewrite(io.BytesIO(b"<a href=x>"), "http://h/", type="html", map=lambda link: "http://n/").content)

    def test_an_error_in_the_function(self):
        with self.assertRaises(ZeroDivisionError):
            absolink.rewrite("<a href=x>", "http://h/", map=lambda link: 1 / 0)
        self.assertEqual("http://h/x", absolink.resolve("http://h/", "x"))

    def test_make_links_absolute(self):
        self.assertEqual("<a href=http://h/x>\u00e9", absolink.make_links_absolute("<a href=x>\u00e9", "http://h/"))
        self.assertEqual(b"<a href=http://h/x>", absolink.make_links_absolute(b"<a href=x>", "http://h/"))
        self.assertEqual("text", absolink.make_links_absolute("text", "http://h/"))
        self.assertEqual("\ud800<a href=http://h/x>", absolink.make_links_absolute("\ud800<a href=x>", "http://h/"))

    def test_relative(self):
        self.assertEqual(b"<a href=y>", absolink.rewrite(b"<a href=http://h/d/y>", "http://h/d/x", relative=True).content)

    def test_local(self):
        page = b"<a href=/d/y.html><a href=z.html><a href=#top>"
        got = absolink.rewrite(page, "http://h/d/x.html", name="d/x.html", local=["d/x.html", "d/y.html"]).content
        self.assertEqual(b"<a href=y.html><a href=http://h/d/z.html><a href=#top>", got)
        self.assertEqual(b"<a href=http://h/d/y.html><a href=http://h/d/z.html><a href=#top>", absolink.rewrite(page, "http://h/d/x.html", local=[]).content)
        with self.assertRaisesRegex(absolink.Error, "relative and local cannot be combined"):
            absolink.rewrite(page, "http://h/", local=True, relative=True)


class Resolving(unittest.TestCase):
    def test_standards(self):
        for standard, want in (("rfc1808", "http://a/../g"), ("rfc3986", "http://a/g"), ("whatwg", "http://a/g")):
            self.assertEqual(want, absolink.resolve("http://a/b", "../g", standard=standard))
        self.assertEqual("http://a/../g", absolink.resolve("http://a/b", "../g"))
        with absolink.Session(standard="whatwg") as session:
            self.assertEqual("http://a/g", session.resolve("http://a/b", "../g"))
            self.assertEqual("http://a/../g", session.resolve("http://a/b", "../g", "rfc1808"))

    def test_no_base(self):
        with self.assertRaisesRegex(absolink.Error, "relative reference without a base"):
            absolink.resolve("", "x")
        with self.assertRaisesRegex(absolink.Error, '^base "a": '):
            absolink.resolve("a", "x")


class Many(unittest.TestCase):
    def test_order(self):
        pages = [Document(f"<a href={i}>" * (i % 50 * 20), url="http://h/", type="html") for i in range(300)]
        for i, links in enumerate(absolink.links_all(pages)):
            self.assertEqual({f"http://h/{i}"} if i % 50 else set(), {link.url for link in links})
        for i, result in enumerate(absolink.rewrite_all(pages, map={"http://h/": "http://n/"})):
            self.assertEqual(f"<a href=http://n/{i}>".encode() * (i % 50 * 20), result.content)
        self.assertEqual([], list(absolink.links_all([])))

    def test_long_documents(self):
        page = b"<a href=x>" * 300_000
        results = list(absolink.rewrite_all(Document(page, url="http://h/", type="html") for _ in range(6)))
        self.assertEqual([len(page.replace(b"x", b"http://h/x"))] * 6, [len(result.content) for result in results])

    def test_errors_come_in_order(self):
        def documents():
            yield b"<p><a href=http://h/1>"
            yield b"?"
            yield b"<p><a href=http://h/2>"
            yield 7
            yield b"<p><a href=http://h/3>"
            raise ZeroDivisionError
        results, all_links = [], absolink.links_all(documents())
        while True:
            try:
                results.append([link.url for link in next(all_links)])
            except StopIteration:
                break
            except Exception as error:
                results.append(type(error))
        self.assertEqual([["http://h/1"], absolink.Error, ["http://h/2"], TypeError, ["http://h/3"], ZeroDivisionError], results)

    def test_two_at_once_and_other_calls(self):
        def documents():
            return (Document(f"<a href={i}>", url="http://h/") for i in range(200))
        loops = [absolink.links_all(documents()) for _ in range(5)]
        for i, links in enumerate(zip(*loops)):
            self.assertEqual({f"http://h/{i}"}, {link.url for one in links for link in one})
            self.assertEqual("http://h/x", absolink.resolve("http://h/", "x"))

    def test_a_loop_that_is_left(self):
        for _ in range(10):
            for links in absolink.links_all(Document("<a href=x>" * 5000, url="http://h/") for _ in range(100)):
                break
        self.assertEqual("http://h/x", absolink.resolve("http://h/", "x"))
        self.assertEqual({}, absolink.links.__self__._service._answers)


class Errors(unittest.TestCase):
    def test_types(self):
        """A wrong argument fails its own call, and the process that all threads share goes on."""
        page, url, process = "<a href=x>", "http://h/", absolink.links.__self__._running()
        calls = [(name, lambda value, name=name: absolink.rewrite(page, **{name: value})) for name in ("url", *Options.__annotations__)]
        calls += [(name, lambda value, name=name: absolink.links(Document(page, **{name: value}))) for name in Document._fields[1:]]
        calls += [(name, lambda value, name=name: Session(**{name: value})) for name in Settings.__annotations__]
        calls += [
            ("document", absolink.links), ("document", absolink.bases), ("document", absolink.rewrite),
            ("document", lambda value: absolink.links(Document(value))), ("document", lambda value: next(absolink.links_all([value]))),
            ("described", lambda value: absolink.links(page, described=value)), ("described", lambda value: absolink.links_all([], described=value)),
            ("map", lambda value: absolink.rewrite(page, map=value)), ("map", lambda value: absolink.rewrite_all([], map=value)),
            ("map", lambda value: absolink.rewrite(page, map={value: url})), ("map", lambda value: absolink.rewrite(page, map={url: value})),
            ("result of map", lambda value: absolink.rewrite(page, url, map=lambda link: value)),
            ("base", lambda value: absolink.resolve(value, "x")), ("ref", lambda value: absolink.resolve(url, value)), ("standard", lambda value: absolink.resolve(url, "x", value)),
            ("html", lambda value: absolink.make_links_absolute(value, url)), ("base_url", lambda value: absolink.make_links_absolute(page, value)),
            ("documents", absolink.links_all), ("documents", absolink.rewrite_all), ("max_ratio", lambda value: absolink.links_all([], max_ratio=value)),
        ]
        calls += [(name, lambda value, name=name: absolink.links(page, **{name: [value]})) for name in ("place", "scheme", "status", "include", "exclude", "only")]
        for name, call in calls:
            for value in (1.5, float("nan"), object(), *(() if name in ("document", "html") else (b"x", Path("x")))):
                with self.subTest(name, value=value), self.assertRaisesRegex(TypeError, rf"\b{name}\b"):
                    call(value)
        self.assertIs(process, absolink.links.__self__._running())

    def test_unknown_setting(self):
        for call in (lambda: absolink.links("<p>", nosuch=1), lambda: absolink.rewrite("<p>", map=lambda link: None, nosuch=1), lambda: absolink.bases("<p>", nosuch=1),
                     lambda: absolink.links_all([], nosuch=1), lambda: absolink.rewrite_all([], nosuch=1), lambda: Session(nosuch=1)):
            self.assertRaisesRegex(TypeError, 'there is no setting "nosuch"; the settings are standard, ', call)

    def test_too_small_for_a_request(self):
        for small in (1, 10, 14, 50):
            with self.assertRaisesRegex(absolink.Error, f"^max_record={small} has no room for a request, which has 9[01] bytes and more; use a larger number$"):
                Session(max_record=small)
        with Session(max_record=91) as session:
            self.assertEqual([], session.links(b"<p>"))
        with self.assertRaisesRegex(absolink.Error, "^max_record=100 has no room"):
            Session(max_record=100, place="a@href")

    def test_wrong_argument_starts_no_process(self):
        session = Session()
        self.assertRaises(TypeError, session.links, 7)
        self.assertRaises(TypeError, session.resolve, b"", "x")
        self.assertIsNone(session._service)

    def test_one_document_is_no_iterable(self):
        for one in ("<a href=x>", b"<a href=x>", bytearray(b"x"), memoryview(b"x"), Path("x"), io.BytesIO(b"x"), Document("<a href=x>")):
            for function in (absolink.links_all, absolink.rewrite_all):
                self.assertRaisesRegex(TypeError, "^documents must be an iterable of documents, not ", function, one)

    def test_values_that_cannot_be_sent(self):
        process = absolink.links.__self__._running()
        page, url, alone = "<a href=x>", "http://h/", "\ud800"
        for name, call in (
            ("base", lambda: absolink.resolve(alone, "x")),
            ("ref", lambda: absolink.resolve(url, alone)),
            ("url", lambda: absolink.links(page, alone)),
            ("place", lambda: absolink.links(page, place=[alone])),
            ("map", lambda: absolink.rewrite(page, map={url: alone})),
            ("map", lambda: absolink.rewrite(page, url, map=lambda link: alone)),
            ("max_ratio", lambda: absolink.links(page, max_ratio=1 << 63)),
            ("max_ratio", lambda: absolink.links(page, max_ratio=10**5000)),
            ("max_record", lambda: Session(max_record=0)),
        ):
            with self.subTest(name), self.assertRaisesRegex(absolink.Error, rf"\b{name}\b"):
                call()
        with self.assertRaises(ValueError):
            absolink.links(Path("a\0b"))
        self.assertEqual([], absolink.links("<p>", name="\udcff.html"))  # is only shown
        self.assertIs(process, absolink.links.__self__._running())

    def test_longest_arguments(self):
        with Session(max_record=1000) as session:
            process = session._running()
            with self.assertRaisesRegex(absolink.Error, "the arguments are longer than 1000 bytes; use max_record=N in a Session"):
                session.resolve("http://h/", "x" * 1000)
            for length in range(900, 1000):
                try:
                    session.resolve("http://h/", "x" * length)
                except absolink.Error:
                    pass
            self.assertIs(process, session._running())

    def test_sentences(self):
        for call, text in (
            (lambda: absolink.links(b"?"), "unknown type: neither the name nor the first bytes match a format; use type to set the type"),
            (lambda: absolink.links(b"?", name="a.bin"), "a.bin: unknown type"),
            (lambda: absolink.links("<p>", url="x"), 'url "x": not absolute; write it with its scheme, as in http://host/path'),
            (lambda: absolink.links("<p>", standard="--w3c"), 'standard "--w3c": use one of rfc1808, rfc3986, whatwg'),
            (lambda: absolink.links("<p>", override_base="x --url y"), 'override_base "x --url y": not absolute'),
            (lambda: absolink.links("<p>", override_base=""), "override_base is empty; use a value, or leave it out"),
            (lambda: absolink.links("<p>", site="http://h/"), "site cannot be used: the document is not an archive of files; use url"),
            (lambda: absolink.links(b"", url="http://h/", type="warc"), "leave url out, or use override_base to replace all bases"),
            (lambda: absolink.rewrite("<p>", map={"x": "y"}), "map x=y: "),
            (lambda: absolink.rewrite("<p>", map=lambda link: None, relative=True), "relative cannot be combined with a function as map"),
        ):
            with self.assertRaises(absolink.Error) as caught:
                call()
            self.assertIn(text, str(caught.exception))
            self.assertNotIn("--", str(caught.exception).replace('"--w3c"', "").replace('"x --url y"', ""))
            self.assertNotIsInstance(caught.exception, absolink.ServiceError)

    def test_longest_document(self):
        with absolink.Session(max_record=1000) as session:
            self.assertEqual([], session.links(b"<p>" + b" " * 997))
            with self.assertRaisesRegex(absolink.Error, "longer than 1000 bytes; use max_record=N in a Session, or the path of a file"):
                session.links(b"<p>" + b" " * 998)
            results = session.links_all([b"<p>", b"<p>" + b" " * 998, b"<p>"])
            self.assertEqual([], next(results))
            self.assertRaises(absolink.Error, next, results)
            self.assertEqual([[]], list(results))


class Sessions(unittest.TestCase):
    def test_own_process(self):
        with absolink.Session() as one, absolink.Session() as other:
            pids = {session._running().process.pid for session in (one, other, one)}
            self.assertEqual(2, len(pids))
        one.resolve("http://h/", "x")
        self.assertNotIn(one._service.process.pid, pids)
        one.close()
        one.close()

    def test_threads_start_one_process(self):
        with absolink.Session() as session:
            pids, barrier = set(), threading.Barrier(8)

            def call():
                barrier.wait()
                session.resolve("http://h/", "x")
                pids.add(session._service.process.pid)
            threads = [threading.Thread(target=call) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(1, len(pids))
