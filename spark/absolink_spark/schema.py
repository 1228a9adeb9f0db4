"""The columns of the rows. A test compares them with the Parquet files of the command."""

from pyspark.sql.types import ArrayType, LongType, StringType, StructField, StructType


def _text(name, nullable=False):
    return StructField(name, StringType(), nullable)


LINKS_SCHEMA = StructType([
    _text("document"),
    _text("entity"),
    _text("type"),
    _text("place"),
    StructField("entity_offset", LongType(), False),
    _text("page_url", nullable=True),
    _text("raw"),
    _text("ref"),
    _text("url", nullable=True),
    _text("base"),
    _text("layer"),
    _text("source"),
    _text("status"),
    _text("problem", nullable=True),
    _text("part", nullable=True),
    _text("raw_base64", nullable=True),
])

BASE_SCHEMA = StructType([
    _text("document"),
    _text("entity"),
    _text("type"),
    _text("base"),
    _text("layer"),
    _text("source"),
    StructField("candidates", ArrayType(StructType([
        _text("layer"),
        _text("source"),
        _text("value"),
        _text("url"),
        _text("verdict"),
    ]), False), False),
])
