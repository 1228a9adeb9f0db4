"""Jobs on an embedded local master that runs each task up to four times."""

import json
import os
from pathlib import Path

import absolink_spark
import pyarrow
import pyarrow.parquet
import pytest
from conftest import one_process, parts, run_module


def failed(output):
    return [json.loads(line) for line in Path(output, "_failed.jsonl").read_text().splitlines()]


def shape(kind):
    """Returns a type of Arrow or of Spark as nested lists: names, types, and whether a value may be null."""
    if hasattr(kind, "simpleString"):
        if kind.typeName() == "array":
            return ["list", shape(kind.elementType), kind.containsNull]
        if kind.typeName() == "struct":
            return [[f.name, shape(f.dataType), f.nullable] for f in kind.fields]
        return {"long": "int64"}.get(kind.typeName(), kind.typeName())
    if pyarrow.types.is_list(kind):
        return ["list", shape(kind.value_type), kind.value_field.nullable]
    if pyarrow.types.is_struct(kind):
        return [[f.name, shape(f.type), f.nullable] for f in kind]
    return str(kind)


@pytest.mark.parametrize("verb, schema", [("links", absolink_spark.LINKS_SCHEMA), ("base", absolink_spark.BASE_SCHEMA)])
def test_schema_is_that_of_the_command(verb, schema, absolink, inputs, tmp_path):
    one_process(absolink, tmp_path, verb, inputs[-1:])
    columns = pyarrow.parquet.read_schema(tmp_path / "one.parquet")
    assert [[f.name, shape(f.type), f.nullable] for f in columns] == shape(schema)


@pytest.mark.parametrize("verb", ["links", "base"])
def test_rows_are_those_of_one_process(verb, spark, absolink, inputs, tmp_path):
    flags = ["--standard", "whatwg"]
    call = absolink_spark.links if verb == "links" else absolink_spark.bases
    df = call(spark, inputs, str(tmp_path / "out"), flags)
    want = one_process(absolink, tmp_path, verb, inputs, flags)
    assert len(want) > 10
    assert parts(tmp_path / "out") == want
    assert sorted((r.asDict(recursive=True) for r in df.collect()), key=repr) == want
    assert failed(tmp_path / "out") == []
    assert (tmp_path / "out/_SUCCESS").exists()
    assert not (tmp_path / "out/_temporary").exists()


def test_second_run_does_only_what_is_missing(spark, inputs, tmp_path, stub):
    log, output = stub(""), tmp_path / "out"
    absolink_spark.run(spark, "links", inputs, str(output))
    before = parts(output)
    assert len(log.read_text().splitlines()) == len(inputs)
    victim = sorted(output.glob("_stats/*"))[3]
    missing = json.loads(victim.read_text())["input"]
    victim.unlink()
    log.unlink()
    result = absolink_spark.run(spark, "links", inputs, str(output))
    assert [line.split(" ", 1)[1] for line in log.read_text().splitlines()] == [missing]
    assert parts(output) == before
    assert result.failed == [] and result.links == len(before)


def test_folder_of_another_job_is_refused(spark, inputs, tmp_path):
    output = str(tmp_path / "out")
    absolink_spark.run(spark, "links", inputs[-2:], output)
    for verb, other, flags in (("base", inputs[-2:], ()), ("links", inputs[-1:], ()), ("links", inputs[-2:], ("--extended",))):
        with pytest.raises(absolink_spark.JobError, match="another job"):
            absolink_spark.run(spark, verb, other, output, flags)


def test_wrong_flags_are_refused_before_a_task_runs(spark, inputs, tmp_path):
    for flags, message in ((["--no-such-flag"], "no-such-flag"), (["-o", "x"], "-o is set by the job"), (["--standard", "rfc1"], "rfc1")):
        with pytest.raises(absolink_spark.JobError, match=message):
            absolink_spark.run(spark, "links", inputs, str(tmp_path / "out"), flags)
    assert not (tmp_path / "out").exists()


def test_truncated_input_has_its_rows_and_is_not_run_again(spark, absolink, inputs, truncated, tmp_path, stub):
    log, output = stub(""), tmp_path / "out"
    result = absolink_spark.run(spark, "links", [truncated, inputs[1]], str(output))
    assert parts(output) == one_process(absolink, tmp_path, "links", [truncated, inputs[1]])
    assert [(f["input"], f["exit_status"]) for f in failed(output)] == [(truncated, 1)]
    assert result.failed[0]["stats"]["incomplete"] > 0
    assert len(log.read_text().splitlines()) == 2
    again = absolink_spark.run(spark, "links", [truncated, inputs[1]], str(output))
    assert again.failed == result.failed, "a second run still reports the incomplete input"
    assert len(log.read_text().splitlines()) == 2


def test_missing_file_is_recorded(spark, absolink, inputs, tmp_path):
    output, gone = tmp_path / "out", str(tmp_path / "gone.warc")
    absolink_spark.run(spark, "links", [gone, *inputs], str(output))
    assert parts(output) == one_process(absolink, tmp_path, "links", inputs)
    assert [f["input"] for f in failed(output)] == [gone]
    assert "not found" in failed(output)[0]["error"]


def test_crash_is_run_again(spark, absolink, inputs, tmp_path, stub):
    log = stub('case $input in *crawl3*) [ $(grep -c crawl3 $log) -gt 1 ] || kill -9 $$;; esac')
    absolink_spark.run(spark, "links", inputs, str(tmp_path / "out"))
    assert sum("crawl3" in line for line in log.read_text().splitlines()) == 2
    assert parts(tmp_path / "out") == one_process(absolink, tmp_path, "links", inputs)
    assert failed(tmp_path / "out") == []


def test_input_that_always_crashes_does_not_end_the_job(spark, absolink, inputs, tmp_path, stub):
    log = stub('case $input in *crawl3*) echo "about to crash" >&2; kill -9 $$;; esac')
    absolink_spark.run(spark, "links", inputs, str(tmp_path / "out"))
    others = [i for i in inputs if "crawl3" not in i]
    assert sum("crawl3" in line for line in log.read_text().splitlines()) == 4
    assert parts(tmp_path / "out") == one_process(absolink, tmp_path, "links", others)
    record, = failed(tmp_path / "out")
    assert record["input"] == inputs[3]
    assert "signal 9" in record["error"] and "about to crash" in record["error"]


def test_output_that_cannot_be_written_is_tried_again(spark, inputs, tmp_path, stub):
    log = stub("exit 3")
    absolink_spark.run(spark, "links", inputs[:1], str(tmp_path / "out"))
    assert len(log.read_text().splitlines()) == 4
    assert "could not write its output" in failed(tmp_path / "out")[0]["error"]


def test_rewritten_documents(spark, absolink, inputs, tmp_path):
    import subprocess
    output = tmp_path / "out"
    flags = ["--override-base", "http://h/é/"]
    absolink_spark.rewrite(spark, inputs, str(output), flags)
    for path in inputs:
        written, = output.glob("part-*-" + os.path.basename(path)) if "tour" not in path else list(output.glob("part-*" + Path(path).suffix))
        want = subprocess.run([absolink, "rewrite", "-q", *flags, path], capture_output=True).stdout
        assert written.read_bytes() == want and want != Path(path).read_bytes()


def test_url_map_is_sent_to_the_executors(spark, absolink, inputs, tmp_path):
    page = inputs[-2]
    urls = tmp_path / "urls.tsv"
    urls.write_text(f"{page}\thttp://elsewhere.example/\n")
    df = absolink_spark.links(spark, [page], str(tmp_path / "out"), ["--url-map", str(urls)])
    assert df.where("page_url = 'http://elsewhere.example/'").count() > 0


def test_module_exit_status_and_progress(inputs, tmp_path):
    (tmp_path / "list").write_text("\n".join(inputs) + "\n")
    run = run_module(["links", "--inputs", str(tmp_path / "list"), "--output", str(tmp_path / "out"), "--standard", "whatwg"], "local[2,4]")
    assert run.returncode == 0, run.stderr
    assert f"{len(inputs)}/{len(inputs)} inputs" in run.stderr
    run = run_module(["links", "--inputs", str(tmp_path / "none"), "--output", str(tmp_path / "out")], "local[2,4]")
    assert run.returncode == 2 and "none" in run.stderr
