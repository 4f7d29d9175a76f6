"""Sends Arrow arrays of URLs to a child process and returns its answers as Arrow arrays; no Python code runs per row."""

from __future__ import annotations

import collections
import struct
from typing import Callable, Deque, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple

import pyarrow as pa
import pyarrow.compute
import pyarrow.csv

from ._child import Child, RobotsStreamError, child_of, forget, give_back

__all__ = ["Asking", "RobotsStreamError", "answer_type", "answers", "divided", "plain"]

_U32 = struct.Struct("<I")
_HEAD = struct.Struct("<III")
_ANSWER_HEAD = struct.Struct("<II")

_FIELDS: List[Tuple[str, pa.DataType]] = [
    ("agent", pa.string()),
    ("allowed", pa.bool_()),
    ("because", pa.string()),
    ("group", pa.string()),
    ("rule", pa.string()),
    ("line", pa.int32()),
    ("origin", pa.string()),
    ("code", pa.string()),
]

#: An answer is read when more than this number of frames wait for their answers.
_AHEAD = 3

#: Maximum number of bytes of the columns in a frame; a larger batch is divided, down to single rows.
_MOST_BYTES = 64 * 1024 * 1024


class Asking(NamedTuple):
    """A kind of request to a child."""

    arguments: Tuple[str, ...]
    snapshot: Optional[str]
    #: Number of decisions for each row; 0 for a request for origins.
    agents: int
    #: Whether the answers of a row are a list.
    is_list: bool


def answer_type(asking: Asking) -> pa.DataType:
    """The Arrow type of one row's answer."""
    if asking.agents == 0:
        return pa.string()
    answer = pa.struct([pa.field(name, kind) for name, kind in _FIELDS])
    return pa.list_(answer) if asking.is_list else answer


def answers(
    asking: Asking, batches: Iterable[Sequence[pa.Array]], hear: Callable[[Iterable[str]], None] = lambda lines: None
) -> Iterator[pa.Array]:
    """
    One array of answers for each batch of columns, in order. `hear` takes what the child says. If the caller stops reading early, the child
    is killed.
    """
    child = child_of(asking.arguments, asking.snapshot)
    waiting: Deque[Tuple[pa.Array, bool]] = collections.deque()
    parts: List[pa.Array] = []
    is_done = False
    try:
        for columns in batches:
            for frame, is_last in divided([plain(column) for column in columns]):
                child.ask(_frame_of(frame))
                waiting.append((frame[0], is_last))
                if len(waiting) > _AHEAD:
                    yield from _taken(asking, child, waiting, parts)
        while waiting:
            yield from _taken(asking, child, waiting, parts)
        is_done = True
    finally:
        hear(child.notes())
        if is_done:
            give_back(child)
        else:
            forget(child)


def _taken(
    asking: Asking, child: Child, waiting: Deque[Tuple[pa.Array, bool]], parts: List[pa.Array]
) -> Iterator[pa.Array]:
    """Reads one answer; yields the array of a batch after the answer to its last frame."""
    urls, is_last = waiting.popleft()
    parts.append(_answer_of(asking, urls, child.answer()))
    if is_last:
        whole = parts[0] if len(parts) == 1 else pa.concat_arrays(parts)
        parts.clear()
        yield whole


def plain(column: pa.Array) -> pa.Array:
    """A column as strings with 32-bit offsets."""
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    return column if column.type == pa.string() else column.cast(pa.string())


def divided(columns: Sequence[pa.Array]) -> Iterator[Tuple[Sequence[pa.Array], bool]]:
    """The pieces of a batch, each of limited size, with a flag that marks the last piece."""
    rows = len(columns[0])
    if rows > 1 and sum(column.nbytes for column in columns) > _MOST_BYTES:
        half = rows // 2
        for piece, _ in divided([column.slice(0, half) for column in columns]):
            yield piece, False
        yield from divided([column.slice(half) for column in columns])
    else:
        yield columns, True


def _frame_of(columns: Sequence[pa.Array]) -> List[bytes]:
    rows = len(columns[0])
    pieces: List[bytes] = []
    for column in columns:
        # A slice shares the buffers of its array; concatenating copies the slice, so that the buffers begin with its first value.
        whole = pa.concat_arrays([column.slice(0, 0), column]) if column.offset != 0 else column
        validity, offsets, values = whole.buffers()
        bitmap = b"" if column.null_count == 0 or validity is None else validity.to_pybytes()[: (rows + 7) // 8]
        raw = offsets.to_pybytes()[: (rows + 1) * 4] if rows > 0 and offsets is not None else b"\0\0\0\0"
        first = int.from_bytes(raw[:4], "little")
        last = int.from_bytes(raw[-4:], "little")
        if first != 0:
            shifted = pa.compute.subtract(pa.Array.from_buffers(pa.int32(), rows + 1, [None, pa.py_buffer(raw)]), first)
            raw = shifted.buffers()[1].to_pybytes()[: (rows + 1) * 4]
        text = b"" if values is None else values.slice(first, last - first).to_pybytes()
        pieces += [_U32.pack(len(bitmap)), bitmap, raw, text]
    length = sum(map(len, pieces))
    return [_HEAD.pack(8 + length, rows, len(columns)), *pieces]


def _answer_of(asking: Asking, urls: pa.Array, payload: bytes) -> pa.Array:
    rows, lines = _ANSWER_HEAD.unpack_from(payload)
    expected = len(urls) * max(asking.agents, 1)
    if rows != len(urls) or lines != expected:
        raise RobotsStreamError(f"the child returned {lines} answers for {rows} rows instead of {expected} for {len(urls)}")
    fields = [("origin", pa.string())] if asking.agents == 0 else _FIELDS
    if lines == 0:
        return pa.array([], answer_type(asking))
    table = _read(payload, fields, expected)
    columns = [table.column(name).combine_chunks() for name, _ in fields]
    if asking.agents == 0:
        return columns[0]
    nulls = urls.is_null()
    struct_fields = [pa.field(name, kind) for name, kind in fields]
    if not asking.is_list:
        return pa.StructArray.from_arrays(columns, fields=struct_fields, mask=nulls)
    answer = pa.StructArray.from_arrays(columns, fields=struct_fields)
    offsets = pa.array(range(0, expected + 1, asking.agents), pa.int32())
    return pa.ListArray.from_arrays(offsets, answer, mask=nulls)


def _read(payload: bytes, fields: List[Tuple[str, pa.DataType]], lines: int) -> pa.Table:
    """The CSV lines of an answer as a table."""
    table = pyarrow.csv.read_csv(
        pa.py_buffer(payload).slice(_ANSWER_HEAD.size),
        read_options=pyarrow.csv.ReadOptions(
            column_names=[name for name, _ in fields], use_threads=False, block_size=max(len(payload), 1)
        ),
        parse_options=pyarrow.csv.ParseOptions(ignore_empty_lines=False),
        convert_options=pyarrow.csv.ConvertOptions(
            column_types=dict(fields), null_values=[""], strings_can_be_null=True, quoted_strings_can_be_null=False
        ),
    )
    if table.num_rows != lines:
        raise RobotsStreamError(f"the answer has {table.num_rows} lines instead of {lines}")
    return table
