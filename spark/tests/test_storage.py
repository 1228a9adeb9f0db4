"""Inputs and outputs that are not local files: HTTP and S3."""

import http.server
import os
import threading
from pathlib import Path

import absolink_spark
import pytest
from absolink_spark import storage
from conftest import one_process, parts


class Dropping(http.server.BaseHTTPRequestHandler):
    """Serves files. The first two requests for each file end in the middle of the body."""

    def do_GET(self):
        content = (self.server.folder / os.path.basename(self.path)).read_bytes()
        asked = self.server.requests[self.path] = self.server.requests.get(self.path, 0) + 1
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content if asked > 2 else content[:len(content) // 2])

    def do_HEAD(self):
        self.send_response(200)
        self.send_header("Content-Length", str((self.server.folder / os.path.basename(self.path)).stat().st_size))
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def server(inputs):
    made = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Dropping)
    made.folder, made.requests = Path(inputs[0]).parent, {}
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield made
    made.shutdown()


def renamed(rows, prefix):
    """Returns rows with the names of local files in place of URLs."""
    return sorted(({**r, "document": os.path.basename(r["document"])} for r in rows), key=repr)


def test_http_connections_that_drop(spark, server, absolink, inputs, tmp_path):
    urls = [f"http://127.0.0.1:{server.server_port}/{os.path.basename(i)}" for i in inputs[:3]]
    absolink_spark.run(spark, "links", urls, str(tmp_path / "out"))
    assert (tmp_path / "out/_failed.jsonl").read_text() == ""
    got = parts(tmp_path / "out")
    assert {r["document"] for r in got} == set(urls)
    assert renamed(got, "http") == renamed(one_process(absolink, tmp_path, "links", inputs[:3]), "")
    assert all(count >= 3 for count in server.requests.values()), "each file was dropped twice"


@pytest.fixture
def bucket(environment):
    """An S3 file system with the bucket "crawl"."""
    import fsspec
    from moto.server import ThreadedMotoServer
    server = ThreadedMotoServer(port=int(os.environ["AWS_ENDPOINT_URL"].rpartition(":")[2]))
    server.start()
    fs = fsspec.filesystem("s3", skip_instance_cache=True)
    fs.mkdir("crawl")
    yield fs
    server.stop()


def test_s3_inputs_and_output(spark, bucket, absolink, inputs, tmp_path):
    for path in inputs[:3]:
        bucket.put_file(path, "crawl/in/" + os.path.basename(path))
    urls = ["s3://crawl/in/" + os.path.basename(i) for i in inputs[:3]]
    result = absolink_spark.run(spark, "links", urls, "s3://crawl/out")
    assert result.failed == []
    bucket.invalidate_cache()
    names = {os.path.basename(p) for p in bucket.find("crawl/out")}
    assert "_SUCCESS" in names and len([n for n in names if n.endswith(".parquet")]) == 3
    assert not any("_temporary" in p for p in bucket.find("crawl/out"))
    bucket.get("crawl/out/*.parquet", str(tmp_path / "out") + "/")
    assert renamed(parts(tmp_path / "out"), "") == renamed(one_process(absolink, tmp_path, "links", inputs[:3]), "")
    again = absolink_spark.run(spark, "links", urls, "s3://crawl/out")
    assert again == result
    with pytest.raises(absolink_spark.JobError, match="another job"):
        absolink_spark.run(spark, "base", urls, "s3://crawl/out")


def test_a_file_exists_whole_or_not_at_all(tmp_path, monkeypatch):
    folder = storage.Folder(str(tmp_path / "out"))
    monkeypatch.setattr(folder.fs, "put_file", lambda local, target: (Path(target).write_bytes(b"half"), 1 / 0))
    with pytest.raises(ZeroDivisionError):
        folder.write("part", b"whole")
    assert list((tmp_path / "out").glob("part")) == [] and list((tmp_path / "out/_temporary").iterdir()) == []


def test_create_is_for_one_job(tmp_path):
    folder = storage.Folder(str(tmp_path))
    assert folder.create("_job.json", b"a") and not folder.create("_job.json", b"b")
    assert folder.read("_job.json") == b"a"
