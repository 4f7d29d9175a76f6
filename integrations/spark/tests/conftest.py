"""Fixtures: the command, a snapshot of robots.txt files, a local Spark, and the ids of the running children."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
from typing import Any, Callable, Iterator, List

import pytest
from pyspark.sql import SparkSession

from robots_stream_spark import _child

FETCHED = 1_793_000_000_000
ROBOTS = "User-agent: *\nDisallow: /private\nUser-agent: GPTBot\nDisallow: /\n"


#: The command in this repository, which has its dependencies beside it. The tests of answers and counts use the command in the package.
COMMAND = pathlib.Path(__file__).resolve().parents[3] / "apps/robots-stream/bin/cli.js"


def run(arguments: List[str], stdin: str = "") -> str:
    """Runs the command, and returns its output."""
    done = subprocess.run(
        [_child._node(), str(COMMAND), *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        env={**os.environ, "ROBOTS_STREAM_CACHE": "none"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def command() -> Callable[..., str]:
    return run


def entry(number: int, fetched_at: int, body: str) -> str:
    """A line of an archive, with one robots.txt file."""
    return json.dumps(
        {
            "origin": f"https://{number}.shop.example",
            "fetchedAt": fetched_at,
            "freshUntil": fetched_at + 86_400_000,
            "access": "successful",
            "code": "ok",
            "status": 200,
            "body": body,
            "hops": [],
        }
    )


@pytest.fixture(scope="session")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of an indexed snapshot of two hundred origins."""
    folder = tmp_path_factory.mktemp("robots")
    cache = str(folder / "cache")
    run(["cache", "import", "--cache", cache], "".join(f"{entry(number, FETCHED, ROBOTS)}\n" for number in range(200)))
    run(["cache", "export", "--cache", cache, "--snapshot", str(folder / "snapshot")])
    return str(folder / "snapshot")


@pytest.fixture(scope="session")
def damaged(snapshot: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of the same snapshot with changed bits in the entries of 40 origins."""
    folder = tmp_path_factory.mktemp("damaged") / "snapshot"
    shutil.copytree(snapshot, folder)
    (part,) = folder.glob("*.robots")
    content = bytearray(part.read_bytes())
    for name in re.finditer(rb"https://1[0-3]\d\.shop\.example", bytes(content)):
        content[name.end() + 15] ^= 4
    part.write_bytes(content)
    return str(folder)


def merged(command: Callable[..., str], folder: str) -> Any:
    """The merged audit of a folder of audits, and its inputs."""
    parts = sorted(str(part) for part in pathlib.Path(folder).glob("part-*"))
    document = json.loads(command(["merge", *parts, "-o", "json"]))
    return document, document.pop("inputs")


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A Spark session with two executors in their own processes, unless an environment variable names another master."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master(os.environ.get("ROBOTS_STREAM_SPARK_MASTER", "local-cluster[2,1,1024]"))
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.session.timeZone", "Asia/Kathmandu")
        .config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
        .getOrCreate()
    )
    yield session
    session.stop()


def children() -> List[int]:
    """The ids of running children, recognized by their arguments."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if _child._command().encode() in words:
            found.append(int(entry.name))
    return found


@pytest.fixture
def running() -> Any:
    return children
