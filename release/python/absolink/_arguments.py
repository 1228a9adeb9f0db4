"""The arguments of the functions: their types, their checks, and their form in a request.

A request is complete before any of its bytes is sent, because other threads use the same process: a wrong argument must fail only
its own call.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any, BinaryIO, Callable, Dict, Iterable, List, Mapping, NamedTuple, Optional, TypedDict, Union, cast, get_type_hints

from ._results import Link, one_line
from ._service import Error, Request

if TYPE_CHECKING:
    from typing_extensions import Unpack as Unpack
elif sys.version_info >= (3, 11):
    from typing import Unpack
else:

    class Unpack:
        """Stand in for typing.Unpack in get_type_hints."""

        def __class_getitem__(cls, arguments):
            return arguments


class Settings(TypedDict, total=False):
    """Settings have the names, values and defaults of the flags of absolink links and rewrite (docs/flags.md)."""

    standard: str
    override_base: str
    no_evidence: bool
    canonical: bool
    unarchive: bool
    extended: bool
    add_place: Union[str, List[str]]
    place: Union[str, List[str]]
    scheme: Union[str, List[str]]
    status: Union[str, List[str]]
    include: Union[str, List[str]]
    exclude: Union[str, List[str]]
    only: Union[str, List[str]]
    mbox: str
    max_record: int
    max_ratio: int
    fragments: str
    base: str
    relative: bool
    local: Union[bool, List[str]]
    break_signatures: bool
    keep_dkim: bool


class Options(Settings, total=False):
    """Settings, and facts about one document."""

    name: str
    type: str
    site: str


Content = Union[bytes, bytearray, memoryview, str, os.PathLike[str], BinaryIO]
Map = Union[Mapping[str, str], Callable[[Link], Optional[str]]]


class Document(NamedTuple):
    """A document with facts about it. Every function takes it in place of the content.

    The content is bytes, text, a path, or a binary file. Text is UTF-8, even if it declares another charset.
    """

    content: Content
    url: Optional[str] = None  #: the URL that it was retrieved from
    name: Optional[str] = None  #: its name in problems; the extension can set the type
    type: Optional[str] = None  #: its media type, or a short name like "html"
    site: Optional[str] = None  #: of an archive of files: the URL of its root folder

    def __repr__(self) -> str:
        return one_line(self)


FACTS = Document._fields[1:]
_SETTINGS = get_type_hints(Settings)
_encode = json.JSONEncoder(separators=(",", ":")).encode


def text(name: str, value: Any) -> str:
    """Return the value of an argument that is text."""
    typed(name, value, str)
    if name != "name":  # a name is only shown, with U+FFFD for what is not UTF-8, as in the command
        try:
            value.encode()
        except UnicodeEncodeError:
            raise Error(f"{name} has a lone surrogate, which UTF-8 cannot encode") from None
    return cast(str, value)


def typed(name: str, value: Any, *kinds: type) -> None:
    """Raise a TypeError unless an argument has one of the types. A bool is not an int."""
    if not isinstance(value, kinds) or isinstance(value, bool) and bool not in kinds:
        raise TypeError(f"{name} must be {' or '.join(kind.__name__ for kind in kinds)}, not {type(value).__name__}")


def settings(given: Mapping[str, Any]) -> Dict[str, Any]:
    """Return settings in the form of a request."""
    return {name.replace("_", "-"): _setting(name, value) for name, value in given.items()}


def _setting(name: str, value: Any) -> Any:
    kind = _SETTINGS.get(name)
    if kind is None:
        raise TypeError(f'there is no setting "{name}"; the settings are {", ".join(_SETTINGS)}')
    if kind is str:
        return text(name, value)
    if kind not in (bool, int):
        if name == "local" and isinstance(value, bool):
            return value
        typed(name, value, str, list, tuple)
        return text(name, value) if isinstance(value, str) else [text(f"an element of {name}", element) for element in value]
    typed(name, value, kind)
    if kind is int and not 0 < value < 1 << 63:
        raise Error(f"{name} is out of range; use 1 to {(1 << 63) - 1}")
    return value


def rules(map: Any) -> Dict[str, Any]:
    """Return the setting for the argument map, which is not a function."""
    if map is None:
        return {}
    if not isinstance(map, Mapping):
        raise TypeError(f"map must be a mapping, not {type(map).__name__}")
    return {"map": {text("a key of map", old): text("a value of map", new) for old, new in map.items()}}


def each(documents: Any) -> Iterable[Any]:
    """Return the documents of an argument. One document is refused: iterating it yields its characters, lines or fields."""
    if not isinstance(documents, Iterable) or isinstance(documents, (str, bytes, bytearray, memoryview, Document)) or hasattr(documents, "read"):
        raise TypeError(f"documents must be an iterable of documents, not {type(documents).__name__}")
    return documents


def opened(document: Any) -> Document:
    """Return the document with the content of its file, if it has one, so that it can be read twice."""
    opened = document if isinstance(document, Document) else Document(document)
    if not hasattr(opened.content, "read"):
        return opened
    content, name = opened.content.read(), getattr(opened.content, "name", None)
    if not isinstance(content, bytes):
        raise TypeError("the file is not open in binary mode; use open(path, 'rb')")
    return opened._replace(content=content, name=opened.name or (name if isinstance(name, str) else None))


def request(do: str, document: Any, options: Mapping[str, Any], members: Mapping[str, Any]) -> Request:
    """Return a request about a document. Only the facts among the options are used."""
    head = {"do": do, **members}
    content, *facts = opened(document)
    for name, fact in zip(FACTS, facts):
        value = fact if options.get(name) is None else options[name]
        if value is not None:
            head[name] = text(name, value)
    body: Union[bytes, memoryview] = b""
    if isinstance(content, str):
        head["text"] = True
        body = content.encode("utf-8", "surrogatepass")
    elif isinstance(content, bytes):
        body = content
    elif isinstance(content, bytearray):
        body = memoryview(content)  # while it exists, the length cannot change
    elif isinstance(content, memoryview):
        body = bytes(content)
    elif isinstance(content, os.PathLike):
        path = os.fsdecode(content)
        if os.path.isdir(path) or not os.access(path, os.R_OK):
            open(path, "rb").close()  # raises the right OSError
        head["path"] = text("the path of the document", os.path.abspath(path))
        head.setdefault("name", path)
    else:
        raise TypeError(f"a document is bytes, str, a path, a binary file or a Document, not {type(content).__name__}")
    return encoded(head), body


def encoded(head: Mapping[str, Any]) -> bytes:
    """Return the head of a request, without its number."""
    return _encode(head).encode()
