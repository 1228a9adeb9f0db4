"""Progress of a job, on the standard error of the driver."""

import sys
import threading
import time
from dataclasses import dataclass
from typing import Any


@dataclass
class Counters:
    """Spark accumulators that the tasks add to."""

    inputs: Any
    links: Any
    failed: Any

    def add(self, links, failed):
        self.inputs.add(1)
        self.links.add(links)
        self.failed.add(int(failed))


class Progress:
    """Prints a line while the job runs: inputs done, links, rate, failed inputs.

    On a terminal it is one line with a bar. Elsewhere it is a new line every 30 seconds.
    """

    def __init__(self, sc, total, wanted=None, out=sys.stderr):
        self.total, self.out = total, out
        self.terminal = out.isatty()
        self.wanted = self.terminal if wanted is None else wanted
        self.counters = Counters(sc.accumulator(0), sc.accumulator(0), sc.accumulator(0))
        self.started, self.ended = time.monotonic(), threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        if self.wanted:
            self.thread.start()
        return self

    def __exit__(self, *exception):
        self.ended.set()
        if self.wanted:
            self.thread.join()
            self._print(end="\n")

    def _run(self):
        while not self.ended.wait(0.5 if self.terminal else 30):
            self._print(end="" if self.terminal else "\n")

    def line(self):
        done, links, failed = self.counters.inputs.value, self.counters.links.value, self.counters.failed.value
        rate = links / max(time.monotonic() - self.started, 0.001)
        return f"{done}/{self.total} inputs, {links} links, {rate:,.0f} links/s, {failed} failed"

    def _print(self, end):
        bar = ""
        if self.terminal:
            filled = 24 * self.counters.inputs.value // max(self.total, 1)
            bar = "\r[" + "#" * filled + "-" * (24 - filled) + "] "
        print(bar + self.line(), end=end, file=self.out, flush=True)
