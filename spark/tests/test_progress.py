"""The lines that the driver prints."""

import io

from absolink_spark.progress import Progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_line_with_the_totals(spark):
    out = io.StringIO()
    with Progress(spark.sparkContext, 4, wanted=True, out=out) as progress:
        progress.counters.add(links=10, failed=False)
        progress.counters.add(links=0, failed=True)
    assert out.getvalue().startswith("2/4 inputs, 10 links, ") and out.getvalue().endswith(" links/s, 1 failed\n")


def test_bar_on_a_terminal(spark):
    out = Terminal()
    with Progress(spark.sparkContext, 4, out=out) as progress:
        progress.counters.add(links=10, failed=False)
    assert out.getvalue().startswith("\r[######------------------] 1/4 inputs")


def test_nothing_in_a_file(spark):
    out = io.StringIO()
    with Progress(spark.sparkContext, 4, out=out):
        pass
    assert out.getvalue() == ""
