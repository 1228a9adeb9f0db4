"""What the functions return."""

from __future__ import annotations

import base64
import json
import reprlib
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, cast


_short = reprlib.Repr()
_short.maxstring = _short.maxother = 200
setattr(_short, "repr_bytes", _short.repr_str)


def one_line(values: Any) -> str:
    """Return the repr of a NamedTuple, with long values cut."""
    fields = (f"{name}={_short.repr(value)}" for name, value in zip(values._fields, values))
    return f"{type(values).__name__}({', '.join(fields)})"


class Problem(NamedTuple):
    """A fault in the content of a document, or a limit that the document exceeds."""

    document: str
    entity: str
    entity_offset: int
    severity: str  #: "note", "warning" or "error"
    code: str
    detail: str

    def __repr__(self) -> str:
        return one_line(self)

    def __str__(self) -> str:
        where = " > ".join(part for part in (self.document, self.entity) if part)
        return f"{where}: {self.code}: {self.detail}" if where else f"{self.code}: {self.detail}"


class Link:
    """A link. The properties are the columns of "absolink links"."""

    __slots__ = ("_row", "_scope")

    def __init__(self, row: List[Any], scope: Dict[str, Any]) -> None:
        self._row = row
        self._scope = scope

    @property
    def url(self) -> Optional[str]:
        """The absolute URL, or None if there is none."""
        url = self._row[5]
        return cast(str, self._row[4] if url is True else url)

    @property
    def ref(self) -> str:
        """The reference, decoded, such as "a?b&c"."""
        return cast(str, self._row[4])

    @property
    def raw(self) -> bytes:
        """The bytes of the reference in the entity, such as b"a?b&amp;c"."""
        raw = self._row[6]
        if isinstance(raw, dict):
            return base64.b64decode(raw["base64"])
        return cast(str, self._row[4] if raw is True else raw).encode()

    @property
    def place(self) -> str:
        """The element and the attribute, such as "a@href", or the name of a header field."""
        return cast(str, self._row[2])

    @property
    def status(self) -> str:
        """"absolute", "resolved" or "unresolved"."""
        return cast(str, self._row[3])

    @property
    def problem(self) -> Optional[str]:
        """The code of the problem, if there is no URL."""
        return cast(Optional[str], self._row[7])

    @property
    def part(self) -> Optional[str]:
        """In a message: the entity that the link names by its Content-ID or Content-Location."""
        return cast(Optional[str], self._row[8])

    @property
    def entity_offset(self) -> int:
        """The offset of raw in the entity, in bytes."""
        return cast(int, self._row[1])

    @property
    def entity(self) -> str:
        """The path of the document inside the document, such as "part[2]", or "" for the document itself."""
        return cast(str, self._scope["entity"])

    @property
    def type(self) -> str:
        """The media type of the entity."""
        return cast(str, self._scope["type"])

    @property
    def page_url(self) -> Optional[str]:
        """The URL of the page that the link is in, or None if it is unknown."""
        return cast(Optional[str], self._scope["page_url"])

    @property
    def base(self) -> str:
        """The base URL, or "" if there is none."""
        return cast(str, self._scope["base"])

    @property
    def layer(self) -> str:
        """The layer of RFC 1808, section 3, that the base URL is from, such as "embedded"."""
        return cast(str, self._scope["layer"])

    @property
    def source(self) -> str:
        """The source of the base URL, such as "BASE element"."""
        return cast(str, self._scope["source"])

    @property
    def rel(self) -> Optional[str]:
        """The attribute rel. It is None without described=True."""
        return self._described(9)

    @property
    def text(self) -> Optional[str]:
        """The text of the anchor, or the alternative text. It is None without described=True."""
        return self._described(10)

    @property
    def title(self) -> Optional[str]:
        """The attribute title. It is None without described=True."""
        return self._described(11)

    def _described(self, column: int) -> Optional[str]:
        return cast(Optional[str], self._row[column] if len(self._row) > column else None)

    def asdict(self) -> Dict[str, Any]:
        """Return the properties by name, for a row of a table."""
        return {name: getattr(self, name) for name in _LINK}

    def asjson(self) -> Dict[str, Any]:
        """Return the properties like asdict(), with raw as text, for json.dumps. raw_base64 has the bytes if they are not UTF-8."""
        raw = self.raw.decode(errors="replace")
        return {**self.asdict(), "raw": raw, "raw_base64": None if raw.encode() == self.raw else base64.b64encode(self.raw).decode()}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Link) and self.asdict() == other.asdict()

    def __hash__(self) -> int:
        return hash((self.entity, self.entity_offset, self.url))

    def __repr__(self) -> str:
        return f"<Link {self.place} {_short.repr(self.url or self.ref)}>"


_LINK = [name for name, value in vars(Link).items() if isinstance(value, property)]


def links_of(body: bytes) -> List[Link]:
    table = json.loads(body)
    scopes = table["scopes"]
    return [Link(row, scopes[row[0]]) for row in table["links"]]


class Candidate(NamedTuple):
    """A declaration of a base URL."""

    layer: str
    source: str
    value: str
    url: str  #: the absolute URL, or "" if the candidate is rejected
    verdict: str  #: "used", "shadowed", or "rejected" with the reason

    def __repr__(self) -> str:
        return one_line(self)


class Base(NamedTuple):
    """The base URL of an entity, and all candidates for it, in the order in which they are tried."""

    entity: str
    type: str
    base: str
    layer: str
    source: str
    candidates: Tuple[Candidate, ...]

    def __repr__(self) -> str:
        return one_line(self)


def bases_of(body: bytes) -> List[Base]:
    bases = []
    for line in body.splitlines():
        row = json.loads(line)
        candidates = tuple(Candidate(**candidate) for candidate in row["candidates"])
        bases.append(Base(row["entity"], row["type"], row["base"], row["layer"], row["source"], candidates))
    return bases


class Rewritten(NamedTuple):
    """A rewritten document, and the numbers of its links and declared bases."""

    content: bytes
    links: int
    changed: int
    unresolved: int  #: links that stay unchanged because they have no absolute URL
    refused: int  #: links that could not be changed
    problems: List[Problem]

    def __repr__(self) -> str:
        return one_line(self)


def rewritten_of(head: Dict[str, Any], content: bytes) -> Rewritten:
    problems = [Problem(**problem) for problem in head.get("problems", ())]
    return Rewritten(content, head["links"], head["changed"], head["unresolved"], head["refused"], problems)
