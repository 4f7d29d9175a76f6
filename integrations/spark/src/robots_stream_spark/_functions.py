"""Functions on Spark columns and data frames, which a child process answers."""

from __future__ import annotations

import functools
import os
from typing import Any, Callable, Iterator, Optional, Sequence, Tuple, Union

import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import from_arrow_type

from ._bridge import Asking, answer_type, answers
from ._notes import hearer

Agents = Union[str, Sequence[str]]
_ORIGINS = Asking(("--origins",), None, 0, False)


def robots(
    url: Union[Column, str],
    agent: Optional[Agents] = None,
    *,
    snapshot: str,
    user_agent: Optional[Union[Column, str]] = None,
    dialect: Optional[str] = None,
) -> Column:
    """
    The decision about a URL: a struct, or an array of structs when `agent` is a list. With `user_agent`, a column of User-Agent headers,
    each row is decided for the crawler that its header names. `snapshot` is the path of a snapshot on every executor, or the name of a
    snapshot distributed by `SparkContext.addFile`.
    """
    function = _function(_asking(agent, snapshot, user_agent is not None, dialect))
    return function(url) if user_agent is None else function(url, user_agent)


def origin(url: Union[Column, str]) -> Column:
    """The origin of a URL as robots-stream reads it; null if the URL has none."""
    return _function(_ORIGINS)(url)


def register(
    spark: SparkSession,
    name: str = "robots",
    *,
    agent: Optional[Agents] = None,
    snapshot: str,
    dialect: Optional[str] = None,
) -> None:
    """Registers the function for SQL: `robots(url)`, or `robots(url, user_agent)` without `agent`."""
    spark.udf.register(name, _function(_asking(agent, snapshot, agent is None, dialect)))


def decide(
    df: DataFrame,
    *,
    url: Union[Column, str] = "url",
    agent: Optional[Agents] = None,
    user_agent: Optional[Union[Column, str]] = None,
    snapshot: str,
    dialect: Optional[str] = None,
    into: str = "robots",
) -> DataFrame:
    """The data frame with an additional column of decisions."""
    return df.withColumn(into, robots(url, agent, snapshot=snapshot, user_agent=user_agent, dialect=dialect))


def origins(df: DataFrame, *, url: Union[Column, str] = "url") -> DataFrame:
    """The distinct origins with their counts. As JSON lines they are the input of `robots-stream fetch`. Rows without an origin are left out."""
    return df.groupBy(origin(url).alias("origin")).count().where(F.col("origin").isNotNull())


def _asking(agent: Optional[Agents], snapshot: str, has_headers: bool, dialect: Optional[str]) -> Asking:
    if (agent is None) != has_headers:
        raise ValueError("give either agent (the crawler) or user_agent (a column of headers), not both")
    agents = [] if agent is None else [agent] if isinstance(agent, str) else list(dict.fromkeys(agent))
    if agent is not None and (not agents or any(not name or "," in name for name in agents)):
        raise ValueError("agent must be a product token such as bingbot, or a list of them")
    asked = ("--user-agents",) if has_headers else tuple(word for name in agents for word in ("--agent", name))
    how = () if dialect is None else ("--dialect", dialect)
    return Asking((*asked, *how), snapshot, max(len(agents), 1), not (agent is None or isinstance(agent, str)))


def found(asking: Asking) -> Asking:
    """The request with the path of the snapshot on this machine."""
    if asking.snapshot is None:
        return asking
    snapshot, _ = place_of(asking.snapshot)
    return asking._replace(arguments=("--robots", snapshot, *asking.arguments), snapshot=snapshot)


def place_of(snapshot: str) -> Tuple[str, bool]:
    """The path of a snapshot on this machine, and whether it is a folder."""
    if not os.path.exists(snapshot):
        from pyspark import SparkFiles

        distributed = SparkFiles.get(os.path.basename(snapshot))
        snapshot = distributed if os.path.exists(distributed) else snapshot
    return snapshot, os.path.isdir(snapshot) or not os.path.exists(snapshot)


@functools.lru_cache(maxsize=256)
def _function(asking: Asking) -> Callable[..., Column]:
    arrow_udf: Any = getattr(F, "arrow_udf", None)
    if arrow_udf is None or os.environ.get("ROBOTS_STREAM_PANDAS_UDF"):
        return _pandas_function(asking)
    hear = hearer()

    def asked(batches: Iterator[Any]) -> Iterator[pa.Array]:
        yield from answers(found(asking), map(_columns, batches), hear)

    asked.__annotations__ = {"batches": _batches(asking, pa.Array), "return": Iterator[pa.Array]}
    return arrow_udf(asked, returnType=from_arrow_type(answer_type(asking)))  # type: ignore[no-any-return]


def _pandas_function(asking: Asking) -> Callable[..., Column]:
    """The same function as a pandas UDF, for versions of Spark without arrow_udf."""
    import pandas as pd

    pandas_udf: Any = getattr(F, "pandas_udf")
    is_struct = asking.agents > 0 and not asking.is_list
    hear = hearer()

    def given(batch: Any) -> Tuple[pa.Array, ...]:
        return tuple(pa.Array.from_pandas(column, type=pa.string()) for column in _columns(batch))

    def asked(batches: Iterator[Any]) -> Iterator[Any]:
        for array in answers(found(asking), map(given, batches), hear):
            if not is_struct:
                yield array.to_pandas()
                continue
            # A pandas data frame has no null rows, so a row without a URL gets null fields.
            columns = [array.field(at) for at in range(array.type.num_fields)]
            names = [array.type.field(at).name for at in range(array.type.num_fields)]
            yield pa.Table.from_arrays(columns, names=names).to_pandas(types_mapper=_nullable)

    result: Any = pd.DataFrame if is_struct else pd.Series
    asked.__annotations__ = {"batches": _batches(asking, pd.Series), "return": Iterator[result]}
    return pandas_udf(asked, returnType=from_arrow_type(answer_type(asking)))  # type: ignore[no-any-return]


def _columns(batch: Any) -> Tuple[Any, ...]:
    """The columns of a batch. Spark passes a single column without a tuple."""
    return batch if isinstance(batch, tuple) else (batch,)


def _batches(asking: Asking, column: Any) -> Any:
    """The type of the batches that Spark passes to a function, which Spark reads from the annotation."""
    return Iterator[Tuple[column, column]] if "--user-agents" in asking.arguments else Iterator[column]


def _nullable(kind: pa.DataType) -> Any:
    import pandas as pd

    return {pa.bool_(): pd.BooleanDtype(), pa.int32(): pd.Int32Dtype()}.get(kind)
