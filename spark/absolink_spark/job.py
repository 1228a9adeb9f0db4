"""A job: many inputs, one output folder."""

import hashlib
import json
import os
import re
import subprocess
from dataclasses import dataclass, field

from . import binary, storage, task
from .progress import Progress

VERBS = ("links", "base", "rewrite")

# The job sets these flags of absolink, or they make no sense for one input.
REFUSED = ("-o", "--output", "-f", "--format", "-j", "--jobs", "-i", "--in-place", "-n", "--dry-run", "--diff", "--edits", "--force",
           "--resume", "--stats", "--problems", "--shard", "--shard-by", "--files-from", "--name", "-u", "--url")


class JobError(Exception):
    """The job cannot start: wrong flags, or a folder of another job."""


@dataclass
class Result:
    """What a finished job has done."""

    inputs: int
    links: int = 0
    failed: list = field(default_factory=list)  # the records in _failed.jsonl


def run(spark, verb, inputs, output, flags=(), progress=None):
    """Runs "absolink VERB FLAGS" for each input, with one Spark task for each, and returns the Result.

    inputs are paths and URLs. A path must exist on each executor. An input that is listed twice is read once. progress turns
    the lines on standard error on or off; None prints them on a terminal only.

    A second run with the same arguments processes only the inputs that have no output yet. JobError means that nothing was run.
    """
    inputs, flags = list(dict.fromkeys(inputs)), tuple(flags)
    _check(verb, flags)
    folder = storage.Folder(output)
    _claim(folder, verb, inputs, flags)
    sc = spark.sparkContext
    job = task.Job(verb, flags, output, attempts_of(sc), _send(sc, flags))
    with Progress(sc, len(inputs), progress) as counted:
        outcomes = sc.parallelize(inputs, max(len(inputs), 1)).mapPartitions(_tasks(job, counted)).collect()
    result = Result(len(inputs), sum(_links(o) for o in outcomes), [o.record() for o in outcomes if not o.complete])
    folder.write("_failed.jsonl", "".join(json.dumps(f) + "\n" for f in result.failed).encode())
    folder.write("_SUCCESS", b"")
    folder.clear("_temporary")
    return result


def _tasks(job, counted):
    """Returns the function of a Spark task."""
    counters = counted.counters

    def process(names):
        from pyspark import TaskContext
        for name in names:
            outcome = task.process(job, name, TaskContext.get().attemptNumber())
            counters.add(_links(outcome), failed=not outcome.complete)
            yield outcome

    return process


def _links(outcome):
    return sum(outcome.stats.get("links", {}).get("status", {}).values())


def attempts_of(sc):
    """Returns how often Spark runs a task: spark.task.maxFailures, or in local mode the second number of local[N,ATTEMPTS]."""
    if sc.master.startswith("local"):
        found = re.fullmatch(r"local\[[^,]*,\s*(\d+)\s*\]", sc.master)
        return int(found[1]) if found else 1
    return int(sc.getConf().get("spark.task.maxFailures", "4"))


def _check(verb, flags):
    """Raises JobError if absolink refuses the flags for an empty list of inputs."""
    if verb not in VERBS:
        raise JobError(f"unknown verb {verb!r}: use {', '.join(VERBS)}")
    for flag in flags:
        name = flag.partition("=")[0]
        if name in REFUSED:
            raise JobError(f"the flag {name} is set by the job, or cannot be used in it: leave it out")
    command = [binary.find(), verb, *flags, "--files-from", os.devnull]
    if verb == "rewrite":
        command.append("--dry-run")
    tried = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if tried.returncode == 2:
        raise JobError(f"absolink refuses the flags: {tried.stderr.strip()}")


def _claim(folder, verb, inputs, flags):
    """Claims the folder for this job. Raises JobError if another job has it."""
    listed = hashlib.sha256("\n".join(sorted(inputs)).encode()).hexdigest()
    mine = {"verb": verb, "flags": list(flags), "inputs": len(inputs), "inputs_sha256": listed}
    if folder.create("_job.json", json.dumps(mine).encode()):
        return
    other = json.loads(folder.read("_job.json"))
    if other != mine:
        raise JobError(f"{folder.root} has the output of another job: {json.dumps(other)}. Choose an empty folder, or use "
                       "the same verb, flags and inputs to finish that job")


def _send(sc, flags):
    """Sends the files that flags name to the executors, and returns their names there."""
    sent = {}
    for flag, following in zip(flags, (*flags[1:], "")):
        name, equals, value = flag.partition("=")
        if name in task.FILE_FLAGS:
            path = value if equals else following
            sc.addFile(path)
            sent[path] = os.path.basename(path)
    return sent
