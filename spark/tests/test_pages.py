"""Pages that are in a table."""

import absolink_spark
import pytest
from conftest import one_process


@pytest.fixture
def pages(spark):
    data = [(f"http://h/{i}/", f"<a href=x{i}>é</a><iframe srcdoc='<a href=y>'></iframe>") for i in range(50)]
    return spark.createDataFrame([*data, ("http://h/none", None), (None, "<a href=z>"), ("http://h/a\r\nX: y", "<a href=w>")],
                                 "url string, html string")


def test_columns_are_those_of_the_command(pages):
    assert absolink_spark.links_of_pages(pages).schema == absolink_spark.LINKS_SCHEMA


def test_rows_are_those_of_one_file_per_page(pages, absolink, tmp_path):
    got = {(r.document, r.entity, r.ref, r.url, r.entity_offset) for r in absolink_spark.links_of_pages(pages).collect()}
    want = set()
    for i in range(50):
        page = tmp_path / f"{i}.html"
        page.write_text(f"<meta charset=utf-8><a href=x{i}>é</a><iframe srcdoc='<a href=y>'></iframe>")
        for r in one_process(absolink, tmp_path, "links", [str(page)], ["-u", f"http://h/{i}/"]):
            moved = len("<meta charset=utf-8>") if not r["entity"] else 0
            want.add((f"http://h/{i}/", r["entity"], r["ref"], r["url"], r["entity_offset"] - moved))
    assert want <= got
    assert {row[:3] for row in got - want} == {("", "", "z"), ("http://h/a\r\nX: y", "", "w")}


def test_bytes_are_in_the_charset_of_the_page(spark):
    df = spark.createDataFrame([("http://h/", bytearray(b"<meta charset=koi8-r><a href='\xc1'>"))], "url string, html binary")
    assert [r.ref for r in absolink_spark.links_of_pages(df).collect()] == ["а"]


def test_data_urls_and_bytes_that_are_no_text(spark):
    page = bytearray(b"<a href='data:text/plain,long'><a href='\xff'>")
    df = spark.createDataFrame([("http://h/", page)], "url string, html binary")
    rows = absolink_spark.links_of_pages(df).collect()
    assert [r.url for r in rows][:1] == ["data:text/plain,"]
    assert [r.raw_base64 for r in rows] == [None, "/w=="]


def test_url_that_is_not_valid(spark):
    df = spark.createDataFrame([("x", "<a href=y>"), ("http://h/", "<a href=z>")], "url string, html string")
    assert [(r.document, r.url) for r in absolink_spark.links_of_pages(df).collect()] == [("x", None), ("http://h/", "http://h/z")]


def test_other_column_names_and_settings(spark):
    df = spark.createDataFrame([("http://h/", "<a href=x><img src=y>")], "address string, body string")
    rows = absolink_spark.links_of_pages(df, url="address", html="body", place="img@src").collect()
    assert [r.url for r in rows] == ["http://h/y"]


def test_crash_fails_the_task(spark, stub):
    stub("kill -9 $$")
    df = spark.createDataFrame([("http://h/", "<a href=x>")], "url string, html string")
    with pytest.raises(Exception, match="the process of absolink ended"):
        absolink_spark.links_of_pages(df).collect()
