"""Runs the command absolink on a Spark cluster: one task for each input.

    import absolink_spark

    rows = absolink_spark.links(spark, ["s3://crawl/a.warc.gz", "s3://crawl/b.warc.gz"], "s3://out/links")
    rows.groupBy("layer").count().show()

Each task fetches its input, runs absolink, and writes one Parquet file. Spark schedules the tasks and runs failed tasks
again. The rows never pass through the JVM until they are read back.
"""

from .job import JobError, Result, run
from .pages import links_of_pages
from .schema import BASE_SCHEMA, LINKS_SCHEMA

__all__ = ["BASE_SCHEMA", "LINKS_SCHEMA", "JobError", "Result", "bases", "links", "links_of_pages", "rewrite", "run"]


def links(spark, inputs, output, flags=(), **options):
    """Writes the links of each input into the folder output, and returns them as a DataFrame.

    inputs are paths or URLs that fsspec can open. flags are flags of "absolink links". options are those of run.
    """
    run(spark, "links", inputs, output, flags, **options)
    return spark.read.schema(LINKS_SCHEMA).parquet(_for_spark(output))


def bases(spark, inputs, output, flags=(), **options):
    """Writes the base URL of each document into the folder output, and returns the rows as a DataFrame."""
    run(spark, "base", inputs, output, flags, **options)
    return spark.read.schema(BASE_SCHEMA).parquet(_for_spark(output))


def rewrite(spark, inputs, output, flags=(), **options):
    """Writes each input with absolute links into the folder output, and returns the Result of the job."""
    return run(spark, "rewrite", inputs, output, flags, **options)


def _for_spark(output):
    """Returns the URL of a folder for Spark's readers: Hadoop opens S3 as s3a."""
    return "s3a" + output[len("s3"):] if output.startswith("s3://") else output
