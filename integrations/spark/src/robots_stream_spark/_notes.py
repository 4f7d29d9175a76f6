"""Brings what children say on stderr to the driver, where each line becomes a warning once; at most ten lines of a stage."""

from __future__ import annotations

import sys
import warnings
from typing import Any, Callable, Iterable, List, Optional, Tuple

from pyspark.sql.utils import is_remote

__all__ = ["Hear", "RobotsStreamWarning", "hearer"]

#: Takes lines of a child. Runs in a Python worker.
Hear = Callable[[Iterable[str]], None]

#: Maximum number of lines that a stage brings to the driver.
_MOST_LINES = 10
#: The sentence in place of further lines.
_MORE = "robots-stream: said more, which is in the stderr of the executors"

_Lines = List[Tuple[int, str]]


class RobotsStreamWarning(UserWarning):
    """What a child said on stderr, such as a name that resembles that of a known crawler."""


class _Adding:
    """Adds up lines with the numbers of their stages, in a Python worker: at most `_MOST_LINES` of a stage, each once."""

    def zero(self, value: _Lines) -> _Lines:
        return []

    def addInPlace(self, value1: _Lines, value2: _Lines) -> _Lines:  # noqa: N802
        for stage, line in value2:
            known = [said for number, said in value1 if number == stage]
            if line in known or len(known) > _MOST_LINES:
                continue
            line = line if len(known) < _MOST_LINES else _MORE
            is_new = all(said != line for _, said in value1)
            value1.append((stage, line))
            if is_new:
                self.tell(line)
        return value1

    def tell(self, line: str) -> None:
        """The worker's stderr has the line already."""


class _Warning(_Adding):
    """The same in the driver, which Spark sends the lines of the tasks that succeeded."""

    def tell(self, line: str) -> None:
        try:
            warnings.warn(line, RobotsStreamWarning, stacklevel=2)
        except RobotsStreamWarning:
            # A filter makes warnings errors. An error here would end the thread that adds up all accumulators.
            print(line, file=sys.stderr)

    def __reduce__(self) -> Tuple[Any, ...]:
        return (_Adding, ())


def hearer() -> Hear:
    """What takes the lines of children in Python workers. With Spark Connect, they reach only the stderr of the executors."""
    lines = _accumulator()

    def hear(said: Iterable[str]) -> None:
        from pyspark import TaskContext

        context = TaskContext.get()
        stage = -1 if context is None else context.stageId()
        for line in said:
            print(line, file=sys.stderr, flush=True)
            if lines is not None:
                lines.add([(stage, line)])

    return hear


def _accumulator() -> Optional[Any]:
    if is_remote():
        return None
    from pyspark import SparkContext

    context = SparkContext._active_spark_context
    return None if context is None else context.accumulator([], _Warning())  # type: ignore[arg-type]
