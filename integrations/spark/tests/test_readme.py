"""The README's example prints what the README says."""

from __future__ import annotations

import pathlib
import re
from typing import Any

import pytest
from pyspark.sql import SparkSession


def test_the_example_prints_what_the_readme_says(spark: SparkSession, snapshot: str, capsys: pytest.CaptureFixture[Any]) -> None:
    readme = (pathlib.Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n(.*?)```\n\n```text\n(.*?)```", readme, re.DOTALL)
    assert found is not None
    exec(found[1].replace("/data/robots", snapshot), {"spark": spark})
    assert capsys.readouterr().out.strip() == found[2].strip()
