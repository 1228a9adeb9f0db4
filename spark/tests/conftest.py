"""What the tests share: the command, sample inputs, a local Spark session and a standalone cluster."""

import gzip
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def absolink():
    """The path of the command."""
    path = os.environ.get("ABSOLINK") or shutil.which("absolink")
    assert path, "set ABSOLINK to the path of the command; spark/run-tests does it"
    return path


@pytest.fixture(scope="session", autouse=True)
def environment(absolink, tmp_path_factory):
    """Sets what the tasks see. Spark's Python processes keep the environment that they started with.

    The tasks run a script, which runs the command. The fixture stub changes the script.
    """
    folder = tmp_path_factory.mktemp("stub")
    script = folder / "absolink"
    script.write_text(f"#!/bin/bash\nif [ -e {folder}/before ]; then . {folder}/before; fi\nexec {absolink} \"$@\"\n")
    script.chmod(0o755)
    os.environ.update(ABSOLINK=str(script), PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1",
                      AWS_ENDPOINT_URL=f"http://127.0.0.1:{free_port()}", AWS_ACCESS_KEY_ID="test", AWS_SECRET_ACCESS_KEY="test",
                      AWS_DEFAULT_REGION="us-east-1")
    return folder


def warc(path, pages, seed):
    """Writes a .warc.gz with made pages."""
    write_warc(path, ((f"http://site{seed}.example/{i}/page.html",
                       f"<base href='../'>{'<a href=x?a=1&amp;b=2>é</a> ' * (i % 40)}<img src=/i{i}.png>".encode()) for i in range(pages)))
    return str(path)


def write_warc(path, pages):
    """Writes a .warc.gz with one member for each page. pages are pairs of URL and content."""
    with open(path, "wb") as f:
        for url, body in pages:
            http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body
            head = (f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n"
                    f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n")
            f.write(gzip.compress(head.encode() + http + b"\r\n\r\n", mtime=0))


@pytest.fixture(scope="session")
def inputs(tmp_path_factory):
    """Eight web archives, a page and a message."""
    folder = tmp_path_factory.mktemp("inputs")
    made = [warc(folder / f"crawl{seed}.warc.gz", 100, seed) for seed in range(8)]
    return [*made, str(ROOT / "testdata/html/tour.html"), str(ROOT / "testdata/message/tour.eml")]


@pytest.fixture(scope="session")
def truncated(inputs, tmp_path_factory):
    """A web archive that ends inside a record."""
    path = tmp_path_factory.mktemp("truncated") / "cut.warc.gz"
    content = Path(inputs[0]).read_bytes()
    path.write_bytes(content[:len(content) * 2 // 3])
    return str(path)


@pytest.fixture(scope="session")
def spark(environment):
    from pyspark.sql import SparkSession
    session = SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false").getOrCreate()
    yield session
    session.stop()


def one_process(absolink, folder, verb, inputs, flags=()):
    """Returns the sorted rows of one process "absolink -j 1", without Spark."""
    output = Path(folder) / "one.parquet"
    run = subprocess.run([absolink, verb, *flags, "-q", "-j", "1", "-f", "parquet", "-o", str(output), "--force", *inputs],
                         stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert run.returncode in (0, 1), run.stderr
    return rows(pyarrow.parquet.read_table(output))


def parts(folder):
    """Returns the sorted rows of the parts in an output folder."""
    tables = [pyarrow.parquet.read_table(p) for p in Path(folder).glob("part-*.parquet")]
    return rows(pa.concat_tables(tables))


def rows(table):
    return sorted(table.to_pylist(), key=repr)


@pytest.fixture
def stub(environment, tmp_path):
    """Returns a function that runs a shell script before each call of the command by a task.

    The script may use $input (the last argument, or the name of standard input) and $log (a file with one line for each call).
    """
    before = environment / "before"

    def make(script):
        log = tmp_path / "log"
        before.write_text(f"""case " $* " in *" --files-from "*) return;; esac
log={log}
for input; do :; done
echo "$$ $input" >> $log
{script}
""")
        return log

    yield make
    before.unlink(missing_ok=True)


def run_module(arguments, master, conf=None, timeout=180):
    """Runs python -m absolink_spark, and returns the finished process."""
    return subprocess.run(module(arguments, master), env=module_env(conf), capture_output=True, text=True, timeout=timeout)


def module(arguments, master):
    return [sys.executable, "-m", "absolink_spark", *arguments, "--master", master]


def module_env(conf=None):
    settings = {"spark.ui.enabled": "false", **(conf or {})}
    submit = " ".join(f"--conf {name}={value}" for name, value in settings.items())
    return {**os.environ, "PYSPARK_SUBMIT_ARGS": submit + " pyspark-shell"}


class Cluster:
    """A standalone Spark cluster: a master and two workers with one core each, as processes of this machine.

    Each worker has an address of its own, because Spark starts a speculative attempt only on another host.
    """

    def __init__(self, folder):
        import pyspark
        self.home, self.folder = Path(pyspark.__file__).parent, Path(folder)
        self.port = free_port()
        self.url = f"spark://127.0.0.1:{self.port}"
        self.workers = []

    def start(self, second_worker_env=None, workers=2):
        self.master = self._launch("org.apache.spark.deploy.master.Master", "-h", "127.0.0.1", "-p", str(self.port),
                                   "--webui-port", str(free_port()))
        self._wait_for("master", "Successfully started service 'sparkMaster'")
        for i, extra in enumerate(({}, second_worker_env or {})[:workers]):
            self.workers.append(self._launch(
                "org.apache.spark.deploy.worker.Worker", "-h", f"127.0.0.{i + 1}", "-c", "1", "-m", "1g", "--webui-port", str(free_port()),
                "-d", str(self.folder / f"work{i}"), self.url, env=extra, name=f"worker{i}"))
        for i in range(workers):
            self._wait_for(f"worker{i}", "Successfully registered with master")
        return self

    def _launch(self, main, *arguments, env=None, name="master"):
        log = open(self.folder / f"{name}.log", "wb")
        return subprocess.Popen([str(self.home / "bin/spark-class"), main, *arguments], stdout=log, stderr=log, start_new_session=True,
                                env={**os.environ, "SPARK_HOME": str(self.home), **(env or {})})

    def _wait_for(self, name, text):
        path = self.folder / f"{name}.log"
        wait(lambda: text in path.read_text(errors="replace"), f"{name}: {text}")

    def executors(self, worker):
        """Returns the process ids of the executors of a worker."""
        found = subprocess.run(["pgrep", "-f", f"CoarseGrainedExecutorBackend.*--worker-url.*"], capture_output=True, text=True).stdout
        work = str(self.folder / f"work{worker}")
        return [int(pid) for pid in found.split() if os.readlink(f"/proc/{pid}/cwd").startswith(work)]

    def stop(self):
        for process in (*self.workers, self.master):
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()


@pytest.fixture
def cluster(tmp_path, environment):
    made = Cluster(tmp_path)
    yield made
    made.stop()


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def wait(condition, what, seconds=90):
    """Waits until a condition holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"waited {seconds} seconds for {what}"
        time.sleep(0.1)
