"""The functions, and the Session that has them as methods."""

from __future__ import annotations

from collections import deque
from typing import Any, Callable, Deque, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple, TypeVar, Union, cast

from . import _arguments, _service
from ._arguments import Content, Document, Map, Options, Settings, Unpack, text, typed
from ._results import Base, Link, Rewritten, bases_of, links_of, rewritten_of
from ._service import Error, Request, Service, ServiceError

AnyText = TypeVar("AnyText", bytes, str)
Result = TypeVar("Result")


class Session:
    """Settings, and a process of its own. The methods are the functions of the module.

    A setting of a call replaces that of the session. close() ends the process, as the end of a with block does.
    """

    def __init__(self, **settings: Unpack[Settings]) -> None:
        self._settings: Dict[str, Any] = dict(settings)
        self._defaults = _arguments.settings(settings)
        _service.check_room(_arguments.encoded({"do": "links", **self._members({}, described=False)}), settings.get("max_record"))
        self._service: Optional[Service] = None

    def links(self, document: Union[Content, Document], url: Optional[str] = None, *, described: bool = False, **options: Unpack[Options]) -> List[Link]:
        """Return the links of a document, in the order of the bytes. described makes rel, text and title available."""
        typed("described", described, bool)
        _, body = self._ask("links", document, {"url": url, **options}, described=described)
        return links_of(body)

    def bases(self, document: Union[Content, Document], url: Optional[str] = None, **options: Unpack[Options]) -> List[Base]:
        """Return the base URL of a document, and of each document inside it, with the candidates and the reasons."""
        _, body = self._ask("bases", document, {"url": url, **options})
        return bases_of(body)

    def rewrite(self, document: Union[Content, Document], url: Optional[str] = None, *, map: Optional[Map] = None, **options: Unpack[Options]) -> Rewritten:
        """Return the document with absolute links, and no other byte changed.

        map replaces the start of URLs like the flag --map: {"http://old.example/": "https://new.example/"}. If it is a function,
        it is called for each link that can be written and for declared bases, and returns the new URL, or None to leave the
        link unchanged.
        """
        facts = {"url": url, **options}
        if not callable(map):
            return rewritten_of(*self._ask("rewrite", document, facts, map))
        if {**self._settings, **options}.get("relative"):
            raise Error("relative cannot be combined with a function as map; use only one of them")
        read = _arguments.opened(document)
        _, body = self._ask("links", read, facts, writable=True)
        urls: Dict[str, Dict[str, str]] = {}
        before: Optional[Link] = None
        number = 0  # of the link among the links with its offset
        for link in links_of(body):
            number = number + 1 if before and (before.entity, before.entity_offset) == (link.entity, link.entity_offset) else 1
            before = link
            new = map(link)
            if new is not None:
                urls.setdefault(link.entity, {})[f"{link.entity_offset}/{number}" if number > 1 else str(link.entity_offset)] = text("the result of map", new)
        return rewritten_of(*self._ask("rewrite", read, facts, urls=urls))

    def resolve(self, base: str, ref: str, standard: Optional[str] = None) -> str:
        """Return the absolute URL of a reference. The default of standard is that of the session, or "rfc1808"."""
        members = self._members({} if standard is None else {"standard": standard}, base=text("base", base), ref=text("ref", ref))
        head, _ = self._running().ask((_arguments.encoded({"do": "resolve", **members}), b""))
        return str(head["url"])

    def make_links_absolute(self, html: AnyText, base_url: str) -> AnyText:
        """Return an HTML page with absolute links, like the function of this name in lxml.html."""
        typed("html", html, bytes, str)
        content = self.rewrite(html, text("base_url", base_url), type="text/html").content
        return content.decode("utf-8", "surrogatepass") if isinstance(html, str) else content

    def links_all(self, documents: Iterable[Union[Content, Document]], *, described: bool = False, **settings: Unpack[Settings]) -> Iterator[List[Link]]:
        """Return an iterator over the links of each document. Several documents are read at the same time.

        An Error about a document is raised when the iterator comes to it, and next() goes on with the document after it. A
        ServiceError ends the iterator.
        """
        typed("described", described, bool)
        members = self._members(settings, described=described)
        return _All(self, _arguments.each(documents), lambda d: _arguments.request("links", d, settings, members), lambda head, body: links_of(body))

    def rewrite_all(self, documents: Iterable[Union[Content, Document]], *, map: Optional[Mapping[str, str]] = None, **settings: Unpack[Settings]) -> Iterator[Rewritten]:
        """Return an iterator over the rewritten documents, with the errors of links_all."""
        members = self._members(settings, map)
        return _All(self, _arguments.each(documents), lambda d: _arguments.request("rewrite", d, settings, members), rewritten_of)

    def close(self) -> None:
        """End the process. The next call starts another one."""
        service, self._service = self._service, None
        if service:
            service.end()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> Tuple[Any, Tuple[Optional[Dict[str, Any]]]]:
        """Let the functions of the module be pickled for multiprocessing. A copy has its own process."""
        return _restored, (None if self is _default else self._settings,)

    def _running(self) -> Service:
        """Return the process, after starting one if there is none."""
        service = self._service
        if service is None or not service.alive():
            with _service.starting:
                service = self._service
                if service is None or not service.alive():
                    service = self._service = Service(self._settings.get("max_record"))
        return service

    def _ask(self, do: str, document: Any, options: Mapping[str, Any], map: Any = None, **members: Any) -> _service.Answer:
        request = _arguments.request(do, document, options, self._members(options, map, **members))
        return self._running().ask(request)

    def _members(self, options: Mapping[str, Any], map: Any = None, **members: Any) -> Dict[str, Any]:
        """Return members of a request, with the settings among the options and those of the session."""
        given = {name: value for name, value in options.items() if name not in _arguments.FACTS}
        settings = {**self._defaults, **_arguments.settings(given), **_arguments.rules(map)}
        return {**members, "settings": settings} if settings else members


class _All(Iterator[Result]):
    """The answers to requests about many documents, in order. Requests are sent ahead of the answers that are needed."""

    _MOST = 32  # requests
    _BYTES = 4 << 20  # of their documents, unless it is one document

    def __init__(self, session: Session, documents: Iterable[Any], request: Callable[[Any], Request],
                 decode: Callable[[Dict[str, Any], bytes], Result]) -> None:
        self._requests: Iterator[Request] = map(request, documents)
        self._decode = decode
        self._next: Optional[Request] = None
        self._end: Exception = StopIteration()  # raised when all requests have their answers
        self._sent: Deque[Tuple[int, int]] = deque()  # the number of each request, and the length of its document
        self._length = 0
        self._service = session._running()

    def __next__(self) -> Result:
        try:
            if len(self._sent) <= self._MOST // 2:
                self._send()
            if self._sent:
                number, length = self._sent.popleft()
                self._length -= length
                head, body = self._service.answer(number)
                return self._decode(head, body)
        except ServiceError:
            self._sent.clear()
            self._requests = iter(())
            raise
        end, self._end = self._end, StopIteration()
        raise end

    def _send(self) -> None:
        """Send the next requests."""
        batch: List[Request] = []
        lengths: List[int] = []
        room = min(self._MOST - len(self._sent), max(self._service.room(), 0 if self._sent else 1))
        while len(batch) < room and self._more():
            request = cast(Request, self._next)
            length = len(request[1]) or self._BYTES // 4  # an empty body: the document is in a file
            if self._length and self._length + length > self._BYTES:
                break
            batch.append(request)
            lengths.append(length)
            self._next = None
            self._length += length
        if batch:
            self._sent.extend(zip(self._service.send(batch), lengths))

    def _more(self) -> bool:
        """Make the next request, and report whether there is one. An error waits for its turn."""
        if self._next is None and isinstance(self._end, StopIteration):
            try:
                request = next(self._requests, None)
                if request:
                    self._service.check(request)
                self._next = request
            except Exception as error:
                self._end = error
        return self._next is not None

    def __del__(self) -> None:
        for number, _ in self._sent:
            self._service.drop(number)


def _restored(settings: Optional[Dict[str, Any]]) -> Session:
    return _default if settings is None else Session(**settings)


_default = Session()

links = _default.links
bases = _default.bases
rewrite = _default.rewrite
resolve = _default.resolve
make_links_absolute = _default.make_links_absolute
links_all = _default.links_all
rewrite_all = _default.rewrite_all
