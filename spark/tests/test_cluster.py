"""Failures on a real standalone cluster of two workers."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest
from conftest import module, module_env, one_process, parts, run_module, wait

pytestmark = pytest.mark.cluster


def arguments(inputs, tmp_path):
    (tmp_path / "list").write_text("\n".join(inputs) + "\n")
    return ["links", "--inputs", str(tmp_path / "list"), "--output", str(tmp_path / "out")]


def check(run, absolink, inputs, tmp_path):
    assert run.returncode == 0, run.stderr[-4000:]
    assert parts(tmp_path / "out") == one_process(absolink, tmp_path, "links", inputs)
    assert (tmp_path / "out/_failed.jsonl").read_text() == ""
    assert (tmp_path / "out/_SUCCESS").exists()


def finish(process):
    stdout, stderr = process.communicate(timeout=240)
    return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)


@pytest.mark.parametrize("victim", ["executor", "worker"])
def test_killed(victim, cluster, absolink, inputs, tmp_path, stub):
    log = stub(f"""case $PWD in {tmp_path}/work1/*)
    if mkdir $log.running 2>/dev/null; then sleep 10; fi;;  # the first task of the second worker is in its middle
esac""")
    cluster.start()
    process = subprocess.Popen(module(arguments(inputs, tmp_path), cluster.url), env=module_env(), text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait(lambda: os.path.exists(f"{log}.running"), "a task on the second worker")
    pids = cluster.executors(1) if victim == "executor" else [cluster.workers[1].pid]
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    check(finish(process), absolink, inputs, tmp_path)
    assert len(log.read_text().splitlines()) > len(inputs), "a task ran again"


def test_full_disk_on_one_worker(cluster, absolink, inputs, tmp_path, stub):
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(small)], capture_output=True, text=True)
    if mounted.returncode:
        pytest.skip("no small disk can be mounted here: " + mounted.stderr.strip())
    try:
        log = stub('echo "tmp $TMPDIR" >> $log')
        cluster.start(second_worker_env={"TMPDIR": str(small)})
        check(run_module(arguments(inputs, tmp_path), cluster.url), absolink, inputs, tmp_path)
        assert f"tmp {small}" in log.read_text(), "a task ran on the worker with the full disk"
    finally:
        subprocess.run(["umount", "-l", str(small)], check=True)


def test_speculative_execution(cluster, absolink, inputs, tmp_path, stub):
    log = stub('case $input in *crawl0*) [ $(grep -c crawl0 $log) -gt 1 ] || sleep 25;; esac')
    cluster.start()
    conf = {"spark.speculation": "true", "spark.speculation.quantile": "0.5", "spark.speculation.multiplier": "1.1",
            "spark.speculation.minTaskRuntime": "100ms"}
    check(run_module(arguments(inputs, tmp_path), cluster.url, conf), absolink, inputs, tmp_path)
    assert sum("crawl0" in line for line in log.read_text().splitlines()) > 1, "the slow task had a second attempt"


def test_bad_inputs(cluster, absolink, inputs, truncated, tmp_path, stub):
    """One input crashes absolink always, one once, one is truncated, and one does not exist."""
    log = stub("""case $input in
*crawl3*) kill -9 $$;;
*crawl4*) [ $(grep -c crawl4 $log) -gt 1 ] || kill -9 $$;;
esac""")
    gone = str(tmp_path / "gone.warc.gz")
    cluster.start()
    run = run_module(arguments([*inputs, truncated, gone], tmp_path), cluster.url)
    assert run.returncode == 1, run.stderr[-4000:]
    others = [i for i in [*inputs, truncated] if "crawl3" not in i]
    assert parts(tmp_path / "out") == one_process(absolink, tmp_path, "links", others)
    failed = [json.loads(line) for line in Path(tmp_path, "out/_failed.jsonl").read_text().splitlines()]
    assert [f["input"] for f in failed] == [inputs[3], truncated, gone]
    calls = log.read_text().splitlines()
    assert [sum(name in line for line in calls) for name in ("crawl3", "crawl4", "cut.warc")] == [4, 2, 1]
