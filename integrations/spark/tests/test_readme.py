"""Runs the README's examples and compares what they print with the README."""

from __future__ import annotations

import pathlib
import re
from typing import Any, Callable

import pytest
from conftest import merged
from pyspark.sql import SparkSession


def test_the_examples_print_what_the_readme_says(
    spark: SparkSession, snapshot: str, command: Callable[..., str], tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[Any]
) -> None:
    readme = (pathlib.Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
    examples = re.findall(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```)?", readme, re.DOTALL)
    assert len(examples) == 2
    names = {"spark": spark}
    for program, printed in examples:
        exec(program.replace("/data/robots", snapshot).replace("/data/audit", f"{tmp_path}/audit"), names)
        assert capsys.readouterr().out.strip() == printed.strip()
    found, _ = merged(command, f"{tmp_path}/audit")
    assert found["totals"]["requests"] == 3
