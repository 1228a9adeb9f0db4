"""Cases of other Python packages: the tests of lxml.html for rewriting links, and those of w3lib for get_base_url.

The inputs are from these tests, cut to the part that each case is about. Both packages have the licence BSD-3-Clause: lxml 6.1.3,
src/lxml/html/tests/test_rewritelinks.txt, and w3lib 2.5.0, tests/test_html.py. If the results differ, the last field has the reason.
"""

import unittest
import warnings

import absolink

URL = "http://h/d/"

# The page, the value that lxml writes (in the element with the link), the value that absolink writes, and who is right.
LXML = [
    ('<a href="http://o/b.html">x</a>', "http://o/b.html", "http://o/b.html", ""),
    ('<script src="/a.js"></script>', "http://h/a.js", "http://h/a.js", ""),
    ('<link href="a.css">', "http://h/d/a.css", "http://h/d/a.css", ""),
    ('<base href="http://o/s/i.html"><link href="a.css">', "http://o/s/a.css", "http://o/s/a.css", ""),
    ('<a href="http://o/#f">x</a>', "http://o/#f", "http://o/#f", ""),
    ("<style>p {background: url(/a.gif)}</style>", "url(http://h/a.gif)", "url(http://h/a.gif)", ""),
    ('<style>p {background: url("/a.gif")}</style>', 'url("http://h/a.gif")', 'url("http://h/a.gif")', ""),
    ('<style>@import "/a.css";</style>', '@import "http://h/a.css"', '@import "http://h/a.css"', ""),
    ("<style>a {b: url(i/1.png)} c {d: url(i/2.png)}</style>", "url(http://h/d/i/2.png)", "url(http://h/d/i/2.png)", ""),
    ('<div style="background: url(/a.png)">x</div>', "url(http://h/a.png)", "url(http://h/a.png)", ""),
    ("<div style=\"background: url('/a.png')\">x</div>", "url('http://h/a.png')", "url('http://h/a.png')", ""),
    ('<div style="background: url( /a.png )">x</div>', "url(http://h/a.png)", "url( http://h/a.png )",
     "both: white space around an unquoted url() is no part of it (CSS Syntax 4.3.6), and absolink changes no other byte"),
    ('<meta http-equiv="refresh" content="0;url=/r">', "0;url=http://h/r", "0;url=http://h/r", ""),
    ("<meta http-equiv=\"refresh\" content=\"5;   url='/q'\">", "5;   url='http://h/q'", "5;   url='http://h/q'", ""),
    ('<meta http-equiv="refresh" content="15; url=http://e/">', "15; url=http://e/", "15; url=http://e/", ""),
    ('<meta http-equiv="refresh" content=" broken ">', " http://h/d/broken ", " broken ",
     "absolink: a refresh begins with a number, else there is no URL (HTML 4.2.5.3, shared declarative refresh steps)"),
    ('<meta http-equiv="refresh" content="0; url =  ">', "0; url =  ", "0; url =  http://h/d/",
     "absolink: the URL is the empty string, which is the page itself (the same steps; RFC 1808, 4, step 2 a)"),
    ('<a href=" /t.html">x</a>', '"http://h/t.html"', '" http://h/t.html"',
     "both: white space around a URL is ignored (URL Standard 4.4, basic URL parser, step 1), and absolink changes no other byte"),
    ('<a href="/t.html ">x</a>', '"http://h/t.html"', '"http://h/t.html "', "both, as in the case before it"),
    ('<a href="http://b]Buy">x</a>', None, "http://b]Buy",
     "absolink: an absolute URL stays unchanged (RFC 1808, 4, step 2 b), and lxml raises the error of urljoin"),
    # Not cases of lxml: what a user of lxml gets in addition.
    ('<base href="http://o/"><a href="x">x</a>', '<a href="http://o/x"', '<base href="http://o/"><a href="http://o/x"',
     "both: lxml removes the BASE element, and absolink does it with base='remove'"),
    ('<img srcset="a 1x, b 2x">', "a 1x, b 2x", "http://h/d/a 1x, http://h/d/b 2x", "absolink: srcset has URLs (HTML 4.8.4.2.1)"),
    ('<iframe srcdoc="<a href=x>"></iframe>', "href=x", "href=http://h/d/x",
     "absolink: a srcdoc document has the base URL of its page (HTML 2.4.3, fallback base URL)"),
]

# The page, its URL, the base of w3lib, the base of absolink by rfc1808, and who is right.
W3LIB = [
    ("<base href='http://e/s' />", "https://o", "http://e/s", "http://e/s", ""),
    ("<base id='b' href='http://e/s' />", "https://o", "http://e/s", "http://e/s", ""),
    ("<base href='/p' />", "https://o", "https://o/p", "https://o/p", ""),
    ("<base href='//n/p' />", "https://o", "https://n/p", "https://n/p", ""),
    ("<basefoo href='http://e/s' />", "https://o", "https://o", "https://o", ""),
    ('<!-- <base href="http://e/"/> -->', "", "", "", ""),
    ('<!-- <base href="http://e/"/>', "", "", "", ""),
    ('<!-- <base href="http://e/"/> --', "", "", "", ""),
    ('<!-- <!--  <base href="http://e/"/> -- -->  <base href="http://f/"/>', "", "http://f/", "http://f/", ""),
    ('<!-- <base href="http://e/"/> --> <!-- <base href="http://f/"/> --> <base href="http://g/"/>', "", "http://g/", "http://g/", ""),
    ("<base " * 30_000, "http://e/", "http://e/", "http://e/", ""),
    ("<base " * 30_000 + '<base href="http://f/">', "http://e/", "http://f/", "http://f/", ""),
    ("<base href='http://e/%a3' />", "https://o", "http://e/%a3", "http://e/%a3", ""),
    ("<base href='http://e/\u2368' />", "https://o", "http://e/%E2%8D%A8", "http://e/\u2368",
     "w3lib, for browsers, and absolink with standard='whatwg' (URL Standard 4.4, path state). RFC 1808 encodes nothing"),
    ("<base href='http://e/\xa3' />", "https://o", "http://e/%C2%A3", "http://e/\xa3", "the same"),
]


class Peers(unittest.TestCase):
    def test_lxml(self):
        for page, _, want, _ in LXML:
            with self.subTest(page):
                self.assertIn(want, absolink.make_links_absolute(page, URL))

    def test_lxml_itself(self):
        try:
            from lxml.html import make_links_absolute
        except ImportError:
            self.skipTest("python3 has no lxml")
        for page, want, ours, reason in LXML:
            with self.subTest(page):
                self.assertEqual(reason == "", want == ours)
                if want is None:
                    self.assertRaises(ValueError, make_links_absolute, page, URL)
                else:
                    self.assertIn(want.replace("<", "&lt;") if "srcdoc" in page else want, make_links_absolute(page, URL))

    def test_w3lib(self):
        for page, url, theirs, want, _ in W3LIB:
            with self.subTest(page[:50]):
                self.assertEqual(want, absolink.bases(page, url or None, type="html")[0].base)
                if want.isascii():
                    continue
                self.assertEqual(theirs, absolink.bases(page, url, type="html", standard="whatwg")[0].base)

    def test_w3lib_itself(self):
        try:
            from w3lib.html import get_base_url
        except ImportError:
            self.skipTest("python3 has no w3lib")
        for page, url, want, ours, reason in W3LIB:
            with self.subTest(page[:50]), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.assertEqual(reason == "", want == ours)
                self.assertEqual(want, get_base_url(page, url))
