"""Prints the time and memory of a job without Spark, with one worker and with two: python measure.py FOLDER"""

import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from conftest import Cluster, module, module_env

# The processes of a job, by a part of their command lines.
PROCESSES = {"driver": "deploy.SparkSubmit|-m absolink_spark", "executor": "CoarseGrainedExecutorBackend|pyspark.daemon"}


class Sampler(threading.Thread):
    """Samples the processes of a job five times a second: CPU seconds, and the peak of resident memory."""

    def __init__(self):
        super().__init__(daemon=True)
        self.cpu, self.memory, self.ended = {}, {name: 0 for name in PROCESSES}, threading.Event()

    def run(self):
        tick, page = os.sysconf("SC_CLK_TCK"), resource.getpagesize()
        while not self.ended.wait(0.2):
            for name, pattern in PROCESSES.items():
                for pid in subprocess.run(["pgrep", "-f", pattern], capture_output=True, text=True).stdout.split():
                    try:
                        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                    except (FileNotFoundError, ProcessLookupError):
                        continue
                    self.cpu[pid] = (int(fields[11]) + int(fields[12])) / tick
                    self.memory[name] = max(self.memory[name], int(fields[21]) * page)


def main(folder):
    inputs = sorted(str(p) for p in Path(folder).glob("*.warc.gz"))
    size = sum(os.path.getsize(p) for p in inputs)
    print(f"{len(inputs)} inputs, {size / 1e6:.0f} MB\n")
    print("| way | elapsed | CPU of absolink | CPU of Spark | memory of the driver | memory of an executor |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        command, log = timed(Path(scratch))
        start = time.monotonic()
        subprocess.run([command, "links", "-q", "-j", "1", "-f", "parquet", "-o", f"{scratch}/one.parquet", *inputs], check=True)
        print(f"| absolink -j 1, without Spark | {time.monotonic() - start:.1f} s | {total(log):.1f} s | | | |", flush=True)
        os.environ["ABSOLINK"] = command
        for workers in (1, 2):
            log.unlink()
            row(Path(scratch), workers, inputs, log)


def timed(folder):
    """Returns a script that runs absolink and adds its CPU seconds to a file, and the file."""
    script, log = folder / "timed", folder / "seconds"
    script.write_text(f"#!/bin/bash\nTIMEFORMAT='%U %S'\n{{ time {os.environ['ABSOLINK']} \"$@\" 2>&3; }} 3>&2 2>>{log}\n")
    script.chmod(0o755)
    return str(script), log


def total(log):
    return sum(map(float, log.read_text().split()))


def row(scratch, workers, inputs, log):
    place = scratch / f"{workers}"
    place.mkdir()
    (place / "list").write_text("\n".join(inputs) + "\n")
    cluster, sampler = Cluster(place).start(workers=workers), Sampler()
    sampler.start()
    try:
        start = time.monotonic()
        subprocess.run(module(["links", "--inputs", str(place / "list"), "--output", str(place / "out"), "--no-progress"], cluster.url),
                       env=module_env(), check=True, capture_output=True)
        elapsed = time.monotonic() - start
    finally:
        sampler.ended.set()
        cluster.stop()
    print(f"| Spark, {workers} worker{'s' * (workers > 1)} | {elapsed:.1f} s | {total(log):.1f} s | {sum(sampler.cpu.values()):.1f} s | "
          f"{sampler.memory['driver'] / 1e6:.0f} MB | {sampler.memory['executor'] / 1e6:.0f} MB |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
