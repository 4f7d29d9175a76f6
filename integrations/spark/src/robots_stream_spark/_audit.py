"""Audits the requests of a data frame: each task runs `robots-stream audit`, and `robots-stream merge` makes one report of the audits."""

from __future__ import annotations

from typing import Iterable, Iterator, List, Optional, Sequence, Tuple, Union

import pyarrow as pa
import pyarrow.compute as compute
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import TimestampType

from ._bridge import divided, plain
from ._child import Reading
from ._functions import place_of
from ._notes import hearer

Named = Union[Column, str]

#: The member of a record for each column: the records are requests as Google Cloud logs them, which have whole URLs.
_MEMBERS = ("requestUrl", "userAgent", "requestMethod", "status", "responseSize", "referer")

#: Maximum size of a record; a larger one is counted as a reject.
_MOST_RECORD = "64M"

#: The bytes that a text in JSON has as escapes. The backslash comes first, because escapes contain it.
_ESCAPES = [(b"\\", b"\\\\"), (b'"', b'\\"'), *((bytes([code]), b"\\u%04x" % code) for code in range(32))]
_ESCAPED = b'[\\x00-\\x1f"\\\\]'


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
    Audits, one row with one text (`document`) for each partition. Write them with `.write.text(path)`; `robots-stream merge path/part-*`
    then makes the report, alone or with other audits. `time` is a timestamp, or a text as in a log; `status` and `bytes` are numbers or
    texts. Rows without a URL count as rejects. Nothing is proven about a request whose `time` has no time zone, unless `log_timezone` names
    the zone. `snapshot` is the path of a snapshot on every executor, or the name of a snapshot distributed by `SparkContext.addFile`.
    """
    more = [
        *(["--query-values"] if query_values else []),
        *([] if log_timezone is None else ["--log-timezone", log_timezone]),
    ]
    nothing = F.lit(None).cast("string")
    columns = [url, user_agent, method, status, bytes, referer, time]
    texts = [nothing if column is None else _text(df, column) for column in columns]
    hear = hearer()

    def count(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext

        context = TaskContext.get()
        partition = 0 if context is None else context.partitionId()
        reading: Optional[Reading] = None
        try:
            for batch in batches:
                for columns, _ in divided([plain(column) for column in batch.columns]):
                    if len(columns[0]) == 0:
                        continue
                    reading = reading or Reading(_words(snapshot, more))
                    reading.write(records_of(columns, partition))
            # An audit without requests stands for a data frame without rows; other partitions without rows add nothing.
            if reading is None and partition == 0:
                reading = Reading(_words(snapshot, more))
            if reading is not None:
                document = reading.output()
                hear(reading.notes())
                yield pa.RecordBatch.from_arrays([pa.array([one_line_of(document)], pa.string())], names=["document"])
        finally:
            if reading is not None:
                reading.kill()

    return df.select(*[text.alias(f"c{at}") for at, text in enumerate(texts)]).mapInArrow(count, "document string")


def records_of(columns: Sequence[pa.Array], partition: int) -> pa.Buffer:
    """
    The requests of a batch as lines of JSON. They name their partition: equal requests in two partitions are then different inputs, while
    the audits of one job, merged twice, are refused.
    """
    *request, time = [_escaped(column) for column in columns]
    members = [_member(name, column) for name, column in zip(_MEMBERS, request)]
    start = b'{"httpRequest":{"partition":%d' % partition
    lines = _joined(start, *members, b"}", _member("timestamp", time), b"}\n")
    _, offsets, values = lines.buffers()
    ends = memoryview(offsets).cast("i")
    first, last = ends[lines.offset], ends[lines.offset + len(lines)]
    return values.slice(first, last - first)


def one_line_of(document: bytes) -> str:
    """A document without its line feeds. Texts in JSON contain none."""
    return document.replace(b"\n", b"").decode("utf-8")


def _joined(*parts: Union[bytes, pa.Array]) -> pa.Array:
    scalars = [pa.scalar(part, pa.binary()) if isinstance(part, type(b"")) else part for part in parts]
    return compute.binary_join_element_wise(*scalars, pa.scalar(b"", pa.binary()))


def _member(name: str, texts: pa.Array) -> pa.Array:
    """The member of each record; nothing for a null."""
    return compute.fill_null(_joined(b',"%s":"' % name.encode(), texts, b'"'), b"")


def _escaped(texts: pa.Array) -> pa.Array:
    """Texts as in JSON, with all other bytes unchanged."""
    found = texts.cast(pa.binary())
    if not compute.any(compute.match_substring_regex(found, _ESCAPED)).as_py():
        return found
    for raw, escape in _ESCAPES:
        found = compute.replace_substring(found, raw, escape)
    return found


def _words(snapshot: str, more: List[str]) -> List[str]:
    path, is_folder = place_of(snapshot)
    source = ["--robots" if is_folder else "--robots-history", path]
    return ["audit", "-", "--input", "gcp", *source, "--max-line-bytes", _MOST_RECORD, *more, "--output", "json"]


def _text(df: DataFrame, column: Named) -> Column:
    """A column as text; a timestamp becomes milliseconds since 1970, unless it has no time zone."""
    named = F.col(column) if isinstance(column, str) else column
    kind = df.select(named).schema[0].dataType
    if isinstance(kind, TimestampType):
        return F.unix_millis(named).cast("string")
    return named.cast("string")
