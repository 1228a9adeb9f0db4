"""python -m absolink_spark VERB --inputs LIST --output FOLDER [flags of absolink]"""

import argparse
import os
import sys

from .job import VERBS, JobError, run


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="python -m absolink_spark",
        description="Run absolink on a Spark cluster: one task for each input. All other flags are flags of absolink, such as --standard whatwg.",
        epilog="Exit status: 0 success; 1 some input was not read or not read completely (_failed.jsonl lists it); 2 wrong use.",
        allow_abbrev=False)
    parser.add_argument("verb", choices=VERBS)
    parser.add_argument("--inputs", required=True, metavar="LIST", help="read the inputs from LIST: paths or URLs, one a line; - is standard input")
    parser.add_argument("--output", required=True, metavar="FOLDER", help="write the parts into FOLDER, a path or a URL")
    parser.add_argument("--master", metavar="URL", help="set the Spark master, such as spark://host:7077 (default: that of spark-submit, else local[*,4])")
    parser.add_argument("--no-progress", action="store_true", help="do not print progress lines")
    options, flags = parser.parse_known_args(arguments)
    try:
        with (sys.stdin if options.inputs == "-" else open(options.inputs, encoding="utf-8")) as lines:
            inputs = [line for line in (line.rstrip("\r\n") for line in lines) if line]
    except OSError as e:
        print(f"absolink_spark: {e}", file=sys.stderr)
        return 2
    spark = _session(options.master)
    try:
        result = run(spark, options.verb, inputs, options.output, flags, progress=not options.no_progress)
    except (JobError, FileNotFoundError) as e:
        print(f"absolink_spark: {e}", file=sys.stderr)
        return 2
    finally:
        spark.stop()
    print(f"{result.inputs} inputs, {result.links} links, {len(result.failed)} failed or incomplete", file=sys.stderr)
    return 1 if result.failed else 0


def _session(master):
    from pyspark import SparkConf
    from pyspark.sql import SparkSession
    conf = SparkConf()
    if master:
        conf.setMaster(master)
    elif not conf.contains("spark.master"):
        conf.setMaster("local[*,4]")
    if conf.get("spark.master").startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # the tasks run in this environment
    if not conf.contains("spark.task.maxFailures"):
        conf.set("spark.task.maxFailures", "16")  # a machine with a full disk fails often, and takes new tasks at once
    conf.set("spark.ui.showConsoleProgress", "false")
    return SparkSession.builder.config(conf=conf).appName("absolink").getOrCreate()


if __name__ == "__main__":
    sys.exit(main())
