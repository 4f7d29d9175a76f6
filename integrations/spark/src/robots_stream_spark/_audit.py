"""Counts an audit as cells: each task counts its rows, Spark adds the cells up, and `robots-stream merge` makes the report from them."""

from __future__ import annotations

from typing import Any, Iterable, Iterator, Optional, Union

import pyarrow as pa
from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F
from pyspark.sql.types import LongType, StringType, StructField, StructType, TimestampType

from ._bridge import CELL_FIELDS, Asking, cells
from ._functions import found

_CELL = StructType(
    [StructField(name, StringType() if kind == pa.string() else LongType()) for name, kind in CELL_FIELDS]
)

#: Maximum number of rows with examples per cell; rows with the smallest hashes are kept, and the row without an example is kept, too.
_MOST_EXAMPLES = 3

Named = Union[Column, str]


def audit(
    df: DataFrame,
    *,
    url: Named = "url",
    user_agent: Named = "user_agent",
    time: Named = "time",
    method: Optional[Named] = None,
    status: Optional[Named] = None,
    bytes: Optional[Named] = None,
    referer: Optional[Named] = None,
    snapshot: str,
    query_values: bool = False,
    log_timezone: Optional[str] = None,
) -> DataFrame:
    """
    The cells of an audit, added up. Write them with `.write.json(path)`; `robots-stream merge path` then makes the report, alone or with
    other parts. `time` is a timestamp, or a text as in a log; `status` and `bytes` are numbers or texts. Rows whose URL is null count as
    rejects. Nothing is proven about a request whose `time` has no time zone, unless `log_timezone` names the zone. `snapshot` is the path
    of a snapshot on every executor, or the name of a snapshot distributed by `SparkContext.addFile`.
    """
    zone = () if log_timezone is None else ("--log-timezone", log_timezone)
    arguments = ("--cells", *(("--query-values",) if query_values else ()), *zone)
    asking = Asking(arguments, snapshot, 0, False)
    nothing = F.lit(None).cast("string")
    columns = [url, user_agent, time, method, status, bytes, referer]
    texts = [nothing if column is None else _text(df, column) for column in columns]
    requests = df.select(*[text.alias(f"c{at}") for at, text in enumerate(texts)])
    counted = _mapped(requests, asking, counts=True)
    added = counted.groupBy("origin", "cell", "key", "example").agg(
        F.sum("requests").alias("requests"), F.sum("bytes").alias("bytes"), F.min("first").alias("first"), F.max("last").alias("last")
    )
    place = F.row_number().over(Window.partitionBy("origin", "cell", "key").orderBy(F.col("example").asc_nulls_first()))
    kept = added.withColumn("place", place).where(F.col("place") <= 1 + _MOST_EXAMPLES).drop("place")
    # This row requests the audit's settings. The rows of origins request the snapshot's data on each origin.
    first = df.sparkSession.range(1, numPartitions=1).select(*[F.lit(None).cast(field.dataType).alias(field.name) for field in _CELL])
    return _told(kept.unionByName(first), asking)


def _text(df: DataFrame, column: Named) -> Column:
    """A column as text; a timestamp becomes milliseconds since 1970, unless it has no time zone."""
    named = F.col(column) if isinstance(column, str) else column
    kind = df.select(named).schema[0].dataType
    if isinstance(kind, TimestampType):
        return F.unix_millis(named).cast("string")
    return named.cast("string")


def _mapped(df: DataFrame, asking: Asking, *, counts: bool) -> DataFrame:
    def count(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield from cells(found(asking), (batch.columns for batch in batches), counts=counts)

    return df.mapInArrow(count, _CELL)


def _told(df: DataFrame, asking: Asking) -> DataFrame:
    """
    Passes cells on, but replaces each cell that names an origin by the cells that the snapshot gives for the origin, and the row of nulls
    by the cell with the audit's settings.
    """

    def tell(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow.compute as compute

        for batch in batches:
            names = batch.column("cell")
            asks = compute.fill_null(compute.equal(names, "origin"), True)
            yield _as_cells(batch.filter(compute.invert(asks)))
            origins = batch.filter(asks).column("origin")
            if len(origins) > 0:
                yield from cells(found(asking), [(origins,)], counts=False)

    return df.mapInArrow(tell, _CELL)


def _as_cells(batch: pa.RecordBatch) -> pa.RecordBatch:
    columns: Any = [batch.column(name).cast(kind) for name, kind in CELL_FIELDS]
    return pa.RecordBatch.from_arrays(columns, names=[name for name, _ in CELL_FIELDS])
