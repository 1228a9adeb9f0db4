"""One process of the command that answers requests: docs/service.md has the protocol.

Threads share the process. One of the threads that wait for an answer reads the answers for all of them, so the module needs no
thread of its own, which a fork would not copy.
"""

from __future__ import annotations

import json
import os
import re
import struct
import subprocess
import threading
import weakref
from typing import Any, BinaryIO, Callable, Dict, List, Optional, Set, Tuple, TypeVar, Union, cast

from ._program import path

_PROTOCOL = 1
_LENGTHS = struct.Struct(">II")
_decode = json.JSONDecoder().decode
_PIECE = 1 << 16  # how many bytes are read, or written together, at a time

_ID = 30  # more than the bytes of the member id in a request
_FLAG = re.compile(r'"(?:[^"\\]|\\.)*"|(?<![^\s(])((?:override|no|add|max|break|keep)-[a-z]+)')

Request = Tuple[bytes, Union[bytes, memoryview]]  # the head, a JSON object without the number, and the body
Answer = Tuple[Dict[str, Any], bytes]
Result = TypeVar("Result")


class Error(Exception):
    """A document or an argument that absolink refuses. The text is the message of the command, with arguments in place of flags."""


class ServiceError(Error):
    """The process of absolink ended, or could not be started. The next call starts another process."""


def check_room(head: bytes, max_record: Optional[int]) -> None:
    """Raise an Error if max_record has no room for the shortest request of a session."""
    if max_record is not None and max_record < len(head) + _ID:
        raise Error(f"max_record={max_record} has no room for a request, which has {len(head) + _ID} bytes and more; use a larger number")


class Service:
    """A running process, and the requests that it has not answered yet."""

    def __init__(self, max_record: Optional[int]) -> None:
        """Start the process. The caller holds the lock starting."""
        command = [os.environ.get("ABSOLINK") or path(), "service"]
        if max_record is not None:
            command += ["--max-record", str(max_record)]
        try:
            no_window = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # on Windows, for programs without a console
            self.process = subprocess.Popen(command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, creationflags=no_window)
        except OSError as error:
            raise ServiceError(f"{command[0]} cannot be started: {error.strerror}") from error
        self._input = cast(BinaryIO, self.process.stdin)
        self._output = cast(BinaryIO, self.process.stdout)
        self._close = weakref.finalize(self, _close, self.process)
        _running.add(self)
        self._writing = threading.Lock()
        self._read = b""  # bytes that were read; those from _at on are not used yet
        self._at = 0
        self._lock = threading.RLock()  # protects the rest; reentrant, because a finalizer may call while this thread holds it
        self._changed = threading.Condition(self._lock)
        self._reading = False  # a thread reads answers
        self._broken = False
        self._last = 0  # the number of the last request
        self._open: Set[int] = set()  # requests whose answers nobody has read
        self._unwanted: Set[int] = set()  # those of them that nobody waits for
        self._answers: Dict[int, Answer] = {}
        self._ahead = 1
        try:
            self._write(_frame(b'{"protocol":%d}' % _PROTOCOL, b""))
            hello, _ = self._read_frame()
        except BaseException:
            self.end()
            raise
        if "error" in hello:
            self.end()
            raise ServiceError(_message(hello))
        self._ahead = hello["ahead"]
        self._longest = min(hello["max_record"], 0xFFFFFFFF)

    def alive(self) -> bool:
        return not self._broken and self.process.poll() is None

    def end(self) -> None:
        """End the process. Requests without an answer fail."""
        self._broken = True
        self.process.kill()  # _close closes the pipes once no thread uses them
        self.process.wait()
        with self._lock:
            self._changed.notify_all()

    def ask(self, request: Request) -> Answer:
        """Return the answer to a request."""
        self.check(request)
        return self.answer(self.send([request])[0])

    def check(self, request: Request) -> None:
        """Raise an Error for a request that is too long, which would end the process."""
        head, body = request
        if len(body) > self._longest:
            raise Error(f"the document is longer than {self._longest} bytes; use max_record=N in a Session, or the path of a file")
        if len(head) + _ID > self._longest:
            raise Error(f"the arguments are longer than {self._longest} bytes; use max_record=N in a Session")

    def room(self) -> int:
        """Return how many requests can be sent before an answer must be read."""
        return self._ahead - len(self._open)

    def send(self, requests: List[Request]) -> List[int]:
        """Wait until there is room for the requests, send them, and return their numbers."""
        def number() -> Optional[List[int]]:
            if self.room() < len(requests):
                return None
            numbers = list(range(self._last + 1, self._last + 1 + len(requests)))
            self._last += len(requests)
            self._open.update(numbers)
            return numbers
        try:
            numbers = self._when(number)
            frames: List[Any] = []
            for n, (head, body) in zip(numbers, requests):
                frames += _frame(b'{"id":%d,' % n + head[1:], body)
            self._write(frames)
            return numbers
        except BaseException:  # an interrupt, for example: a frame may be incomplete
            self.end()
            raise

    def answer(self, number: int) -> Answer:
        """Return the answer to the request with a number."""
        try:
            head, body = self._when(lambda: self._answers.pop(number, None))
        except BaseException:
            self.end()
            raise
        if "error" in head:
            raise Error(_message(head))
        return head, body

    def drop(self, number: int) -> None:
        """Drop the answer to a request, now or when it comes."""
        with self._lock:
            if self._answers.pop(number, None) is None and number in self._open:
                self._unwanted.add(number)

    def _when(self, done: Callable[[], Optional[Result]]) -> Result:
        """Return the result of done once it is not None. Until then, read answers unless another thread does."""
        while True:
            with self._lock:
                result = done()
                while result is None and (self._reading or self._broken):
                    if self._broken:
                        raise self._lost()
                    self._changed.wait()
                    result = done()
                if result is not None:
                    return result
                self._reading = True
            head, body = self._read_frame()
            with self._lock:
                self._reading = False
                self._take(head, body)
                self._changed.notify_all()

    def _take(self, head: Dict[str, Any], body: bytes) -> None:
        number = head.get("id")
        if number is None:  # the service refuses to continue
            raise ServiceError(_message(head) if "error" in head else "an answer has no number")
        self._open.discard(number)
        if number in self._unwanted:
            self._unwanted.discard(number)
        else:
            self._answers[number] = head, body

    def _lost(self) -> ServiceError:
        return ServiceError("the process of absolink ended before it answered; call again")

    def _write(self, pieces: List[Any]) -> None:
        """Write frames, with short pieces together."""
        try:
            with self._writing:
                for piece in _joined(pieces):
                    rest = memoryview(piece)
                    while rest:
                        rest = rest[self._input.write(rest) :]
        except (OSError, ValueError) as error:  # a closed pipe, or a closed file
            raise self._lost() from error

    def _read_frame(self) -> Answer:
        try:
            lengths = self._take_bytes(_LENGTHS.size)
            head_length, body_length = _LENGTHS.unpack(lengths)
            head = _decode(self._take_bytes(head_length).decode())
            return head, self._take_bytes(body_length)
        except (OSError, ValueError, EOFError) as error:
            raise self._lost() from error

    def _take_bytes(self, length: int) -> bytes:
        """Return the next bytes of the output."""
        end = self._at + length
        if end > len(self._read):
            start = self._read[self._at :]
            if length > _PIECE:
                self._read, self._at = b"", 0
                return self._read_long(start, length)
            while len(start) < length:
                start += self._piece()
            self._read, self._at, end = start, 0, length
        taken = self._read[self._at : end]
        self._at = end
        return taken

    def _piece(self) -> bytes:
        piece = self._output.read(_PIECE)
        if not piece:
            raise EOFError
        return piece

    def _read_long(self, start: bytes, length: int) -> bytes:
        taken = bytearray(length)
        taken[: len(start)] = start
        rest = memoryview(taken)[len(start) :]
        while rest:
            count = cast(Any, self._output).readinto(rest)
            if not count:
                raise EOFError
            rest = rest[count:]
        return bytes(taken)

    def _forget(self) -> None:
        """Close the copies of the pipes in a forked process, so that the service ends with the process that started it."""
        self._close.detach()
        self._input.close()
        self._output.close()
        self.process.returncode = 0  # not a child of this process, so it is not waited for
        self._broken = True


def _frame(head: bytes, body: Union[bytes, memoryview]) -> List[Any]:
    return [_LENGTHS.pack(len(head), len(body)) + head, body]


def _message(head: Dict[str, Any]) -> str:
    """Return the error in an answer, with arguments in place of flags except in quoted text."""
    return _FLAG.sub(lambda found: found[1].replace("-", "_") if found[1] else found[0], head["error"])


def _joined(pieces: List[Any]) -> List[Any]:
    """Join short pieces."""
    joined: List[Any] = []
    short: List[Any] = []
    length = 0
    for piece in pieces:
        if length + len(piece) > _PIECE and short:
            joined.append(b"".join(short))
            short, length = [], 0
        short.append(piece)
        length += len(piece)
    return [*joined, short[0] if len(short) == 1 else b"".join(short)]


def _close(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe:
            pipe.close()


_running: weakref.WeakSet[Service] = weakref.WeakSet()

# Held while a service starts and while this process forks, so that each pipe that a fork copies belongs to a service in _running.
starting = threading.Lock()


def _forked() -> None:
    global starting
    starting = threading.Lock()
    for service in list(_running):
        service._forget()
    _running.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=lambda: starting.acquire(), after_in_parent=lambda: starting.release(), after_in_child=_forked)
