"""absolink finds base URLs, lists links, and makes links absolute.

    import absolink

    for link in absolink.links(page, url="http://site.example/docs/"):
        print(link.place, link.url)

    absolute = absolink.rewrite(page, url="http://site.example/docs/").content

The first call starts one process of the program in this package. All threads share the process, and it ends with the
interpreter. docs/python.md has examples.
"""

from ._arguments import Document
from ._program import main, path
from ._results import Base, Candidate, Link, Problem, Rewritten
from ._service import Error, ServiceError
from ._session import (
    Session,
    bases,
    links,
    links_all,
    make_links_absolute,
    resolve,
    rewrite,
    rewrite_all,
)

__version__ = "0+source"  # release/build writes the version of the wheel

__all__ = [
    "Base",
    "Candidate",
    "Document",
    "Error",
    "Link",
    "Problem",
    "Rewritten",
    "ServiceError",
    "Session",
    "bases",
    "links",
    "links_all",
    "main",
    "make_links_absolute",
    "path",
    "resolve",
    "rewrite",
    "rewrite_all",
]
