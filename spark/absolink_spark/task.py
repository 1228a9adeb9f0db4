"""The work of one task: one input."""

import hashlib
import json
import os
import posixpath
import subprocess
import tempfile
import time
from dataclasses import asdict, dataclass, field

from . import binary, storage

LAST_LINES = 20  # of standard error, in the record of a failed input
CRASHES = 4  # attempts for an input that crashes absolink

# Flags whose file the driver sends to the executors.
FILE_FLAGS = ("--url-map", "--map-file")


@dataclass(frozen=True)
class Job:
    """One job, as its tasks see it."""

    verb: str
    flags: tuple
    output: str
    attempts: int  # how often Spark runs a task
    sent: dict = field(default_factory=dict)  # the path on the driver -> the name of the file on an executor


@dataclass
class Outcome:
    """What became of one input."""

    input: str
    exit_status: int | None = None  # of absolink; None if it did not run to its end
    stats: dict = field(default_factory=dict)  # absolink --stats
    error: str = ""  # why the input has no part
    stderr: list = field(default_factory=list)  # the last lines

    @property
    def complete(self):
        """Reports whether the whole input was read and written, which it may be even after exit status 1."""
        return not self.error and not self.stats.get("incomplete") and not self.stats.get("failed")

    def record(self):
        return asdict(self)


class Crashed(Exception):
    """absolink was ended by a signal, or with an unknown exit status. Spark runs the task again."""


def part_of(name):
    """Returns the name of the output of an input, without an extension."""
    return "part-" + hashlib.sha256(name.encode()).hexdigest()[:32]


def process(job, name, attempt):
    """Processes one input, and returns its Outcome. attempt counts from 0.

    It raises Crashed or OSError if another attempt may succeed. The last attempt returns an Outcome with an error instead, so
    that one input never ends the job. An OSError, like a full disk or a dropped connection, is often the fault of one
    machine, so there are more attempts, each after a pause that lets another machine get the task.
    """
    folder = storage.Folder(job.output)
    stored = folder.read(f"_stats/{part_of(name)}.json")
    if stored:
        return Outcome(**json.loads(stored))
    try:
        with tempfile.TemporaryDirectory(prefix="absolink-") as scratch:
            return _attempt(job, name, folder, scratch)
    except FileNotFoundError as e:
        return Outcome(name, error=f"not found: {e}")
    except (Crashed, OSError) as e:
        last = min(CRASHES, job.attempts) if isinstance(e, Crashed) else job.attempts
        if attempt + 1 >= last:
            return Outcome(name, error=f"attempt {attempt + 1} of {last} failed: {e}")
        if isinstance(e, OSError):
            time.sleep(min(2**attempt, 30))
        raise


def _attempt(job, name, folder, scratch):
    def local(file):
        return os.path.join(scratch, file)

    command = [binary.find(), job.verb, *_flags(job), "-j", "1", "-q",
               "--stats", local("stats"), "--problems", local("problems"), "-o", local("output")]
    if job.verb != "rewrite":
        command += ["-f", "parquet"]
    with open(local("stderr"), "w+b") as stderr:
        if storage.is_local(name):
            if not os.path.exists(name):
                raise FileNotFoundError(name)
            run = subprocess.run([*command, "--", name], stdin=subprocess.DEVNULL, stdout=stderr, stderr=stderr)
        else:
            with open(storage.fetch(name, scratch), "rb") as content:
                run = subprocess.run([*command, "--name", name, "-"], stdin=content, stdout=stderr, stderr=stderr)
        stderr.seek(0)
        lines = stderr.read().decode(errors="replace").splitlines()[-LAST_LINES:]
    status = run.returncode
    if status == 2:
        return Outcome(name, status, error="absolink did not read the input", stderr=lines)
    said = "".join("\n" + line for line in lines)
    if status == 3:
        raise OSError("absolink could not write its output" + said)
    if status not in (0, 1):
        raise Crashed("absolink ended with " + (f"exit status {status}" if status > 0 else f"signal {-status}") + said)
    with open(local("stats"), "rb") as f:
        outcome = Outcome(name, status, stats=json.load(f), stderr=lines)
    if status == 1 and not os.path.exists(local("output")):
        outcome.error = "absolink wrote no output"
        return outcome
    part = part_of(name)
    if os.path.getsize(local("problems")) > 0:
        folder.put(local("problems"), f"_problems/{part}.jsonl")
    folder.put(local("output"), part + (".parquet" if job.verb != "rewrite" else "-" + posixpath.basename(name)))
    folder.write(f"_stats/{part}.json", json.dumps(outcome.record()).encode())  # last: now the input is done
    return outcome


def _flags(job):
    """Returns the flags of absolink on this executor."""
    if not job.sent:
        return list(job.flags)
    from pyspark import SparkFiles
    flags = list(job.flags)
    for i, flag in enumerate(flags):
        name, equals, value = flag.partition("=")
        if name in FILE_FLAGS and equals:
            flags[i] = f"{name}={SparkFiles.get(job.sent[value])}"
        elif name in FILE_FLAGS:
            flags[i + 1] = SparkFiles.get(job.sent[flags[i + 1]])
    return flags
