"""With a local Spark, the functions `robots`, `decide`, `origins` and `audit` give the command's results."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import socket
import threading
import time
import warnings
from typing import Any, Callable, Dict, Iterator, List, Set, Tuple

import pyarrow as pa
import pyarrow.compute
import pyarrow.json
import pytest
from conftest import FETCHED, merged
from pyarrow import parquet
from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F

from robots_stream_spark import RobotsStreamWarning, audit, decide, origin, origins, register, robots

ROWS = int(os.environ.get("ROBOTS_STREAM_SPARK_ROWS", "1000000"))
SOME = 20_000
FILES = 8
HOSTILE = [None, "", "https://1.shop.example/a\nb", "https://1.shop.example/\0", "no URL", "https://1.shop.example/" + "x" * 1_048_576]
AGENTS = ["GPTBot/1.2", "Mozilla/5.0 (compatible; bingbot/2.0)", "curl", "ClaudeBot/1.0", "SomeNewBot/0.1"]
ANSWER = ["agent", "allowed", "because", "group", "rule", "line", "origin", "code"]


@pytest.fixture(scope="module")
def asked() -> Iterator[Tuple[str, List[int]]]:
    """An origin on this machine that no snapshot has, and a list of the connections to it."""
    connections: List[int] = []
    listening = socket.create_server(("127.0.0.1", 0))

    def accept() -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            connections.append(1)
            connection.close()

    threading.Thread(target=accept, daemon=True).start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}", connections
    listening.close()


@pytest.fixture(scope="module")
def urls(spark: SparkSession, asked: Tuple[str, List[int]], tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Parquet file with many rows, some of which have invalid or hostile URLs."""
    path = str(tmp_path_factory.mktemp("urls") / "urls.parquet")
    number = F.col("id")
    place = F.when(number % 3 == 0, "private").when(number % 100 == 7, "robots.txt?").otherwise("x")
    origin = F.when(number % 1000 == 5, asked[0]).otherwise(F.format_string("https://%d.shop.example", number % 211))
    named = F.when(number % 50 == 9, F.concat(origin, F.lit("/robots.txt"))).otherwise(
        F.concat(origin, F.lit("/"), place, F.lit("/"), (number % 5_000).cast("string"), F.lit("/a?q="), number.cast("string"))
    )
    df = spark.range(ROWS, numPartitions=FILES).select(
        "id",
        named.alias("url"),
        F.element_at(F.lit(AGENTS), (F.floor(number / 7) % len(AGENTS) + 1).cast("int")).alias("ua"),
        F.timestamp_seconds(F.lit(FETCHED // 1_000 - 50_000) + number % 1_000_003).alias("time"),
        F.when(number % 20 == 3, "HEAD").otherwise("GET").alias("method"),
        F.element_at(F.lit([200, 304, 404, 500]), (number % 4 + 1).cast("int")).alias("status"),
        (number % 977).alias("bytes"),
        F.when(number % 40 == 2, "https://chatgpt.com/").alias("referer"),
        F.repeat(F.lit("z"), 20).alias("more"),
    )
    columns = ["id", "url", "ua"]
    more = spark.createDataFrame([(ROWS + at, each, "bingbot/2.0") for at, each in enumerate(HOSTILE)], "id long, url string, ua string")
    df.unionByName(more.coalesce(1), allowMissingColumns=True).write.parquet(path)
    return path


def expected_of(spark: SparkSession, path: str, command: Callable[..., str], arguments: List[str], rows: int = SOME) -> Dict[int, Any]:
    """The command's answers to the first rows and to the rows with hostile URLs, by id; without the row whose URL is null."""
    some = spark.read.parquet(path).where(f"url is not null and (id < {rows} or id >= {ROWS})").select("id", "url", "ua").toPandas()
    lines = some.to_json(orient="records", lines=True, force_ascii=False)
    out = command([*arguments, "--input", "ndjson", "--ordered", "-o", "ndjson", "--max-line-bytes", "8M"], lines)
    return {record["id"]: said(record["robots"]) for record in map(json.loads, out.splitlines())}


def said(answer: Any) -> Any:
    """The members of an answer that the command's output has too."""
    return None if answer is None else tuple(answer[name] if isinstance(answer, Row) else answer.get(name) for name in ANSWER)


class Watch:
    """Polls the children with a word among their arguments, and records their ids and sockets."""

    def __init__(self, running: Callable[[], List[int]], word: str) -> None:
        self.sockets: Set[str] = set()
        self.seen: Set[int] = set()
        self._end = threading.Event()
        self._running, self._word = running, word.encode()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def now(self) -> List[int]:
        """The children with the word among their arguments."""
        found = []
        for child in self._running():
            try:
                if self._word in pathlib.Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0"):
                    found.append(child)
            except OSError:
                pass
        return found

    def parent(self, *, other: int = 1) -> int:
        """Waits for a running child; returns its Python worker, which must not be `other`."""
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline:
            for child in self.now():
                try:
                    parent = parent_of(child)
                except OSError:
                    continue
                # Skip children of this process, which the bridge's tests may have left.
                if parent not in (1, other, os.getpid()):
                    return parent
            time.sleep(0.02)
        raise AssertionError("no child was started")

    def executor(self, *, other: int) -> int:
        """The executor of a running child whose Python worker is not `other`."""
        while True:
            try:
                return executor_of(self.parent(other=other))
            except OSError:
                # The worker has just ended; try again.
                pass

    def _look(self) -> None:
        while not self._end.wait(0.05):
            for child in self.now():
                self.seen.add(child)
                try:
                    files = [os.readlink(file) for file in pathlib.Path(f"/proc/{child}/fd").iterdir()]
                except OSError:
                    continue
                self.sockets.update(file for file in files if file.startswith("socket:"))


def parent_of(process: int) -> int:
    return int(pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])


def executor_of(process: int) -> int:
    """The executor process to which a Python worker belongs. Raises an OSError if the executor has ended."""
    while b"CoarseGrainedExecutorBackend" not in pathlib.Path(f"/proc/{process}/cmdline").read_bytes():
        process = parent_of(process)
        if process <= 1:
            raise ProcessLookupError
    return process


def no_orphan(running: Callable[[], List[int]]) -> None:
    """Waits until the children of ended processes have ended too, because their pipes were closed."""
    deadline = time.monotonic() + 120

    def orphans() -> List[int]:
        found = []
        for child in running():
            try:
                if parent_of(child) == 1:
                    found.append(child)
            except OSError:
                pass
        return found

    while orphans():
        assert time.monotonic() < deadline, "a child has outlived its worker"
        time.sleep(0.1)


def in_thread(act: Callable[[], Any]) -> Tuple[threading.Thread, List[Any]]:
    results: List[Any] = []

    def keep() -> None:
        try:
            results.append(act())
        except Exception as error:
            results.append(error)

    thread = threading.Thread(target=keep, daemon=True)
    thread.start()
    return thread, results


def test_the_function_says_what_the_command_says_and_asks_nobody(
    spark: SparkSession,
    urls: str,
    snapshot: str,
    command: Callable[..., str],
    asked: Tuple[str, List[int]],
    running: Callable[[], List[int]],
    tmp_path: pathlib.Path,
) -> None:
    out = str(tmp_path / "decided")
    with Watch(running, "bingbot") as watch:
        decided = decide(spark.read.parquet(urls), agent="bingbot", snapshot=snapshot)
        decided.select("id", "url", "robots.*").write.parquet(out)
    assert len(watch.seen) >= 2 and not watch.sockets
    assert asked[1] == []
    found = parquet.read_table(out).sort_by("id")
    assert found.column("id").to_pylist() == list(range(ROWS + len(HOSTILE)))
    assert found.slice(ROWS, 1).to_pylist() == [{"id": ROWS, **dict.fromkeys(["url", *ANSWER])}]
    # The command reads the same file. A row with a null URL is not a record for the command. Equal URLs have equal answers.
    by_command = tmp_path / "command.ndjson"
    files = sorted(str(file) for file in pathlib.Path(urls).glob("*.parquet"))
    asking = [*files, "--agent", "bingbot", "--robots", snapshot, "-o", "ndjson", "--max-line-bytes", "8M"]
    command([*asking, "--output-file", str(by_command), "--rejects", str(tmp_path / "rejects.ndjson")])
    lines = pyarrow.json.read_json(by_command, read_options=pyarrow.json.ReadOptions(block_size=16 * 1_048_576)).sort_by("url")
    answer = lines.column("robots").combine_chunks()
    compared = found.filter(pyarrow.compute.not_equal(found.column("id"), ROWS)).sort_by("url")
    assert compared.num_rows == lines.num_rows == ROWS + len(HOSTILE) - 1
    assert compared.column("url").equals(lines.column("url"))
    for name in ANSWER:
        expected = answer.field(name)
        assert compared.column(name).combine_chunks().cast(expected.type).equals(expected), name
    assert set(found.column("allowed").to_pylist()) == {True, False, None}


def test_the_merged_audit_is_that_of_the_command_after_a_worker_and_an_executor_were_killed(
    spark: SparkSession,
    urls: str,
    snapshot: str,
    command: Callable[..., str],
    asked: Tuple[str, List[int]],
    running: Callable[[], List[int]],
    tmp_path: pathlib.Path,
) -> None:
    # Keep the row with a null URL and drop the other invalid URLs, which would not be requests in a log.
    rows = spark.read.parquet(urls).where(f"id <= {ROWS}")
    names = {"user_agent": "ua", "time": "time", "method": "method", "status": "status", "bytes": "bytes", "referer": "referer"}
    audits = str(tmp_path / "audits")
    audited = audit(rows, **names, snapshot=snapshot)
    with Watch(running, "audit") as watch:
        thread, results = in_thread(lambda: audited.write.text(audits))
        worker = watch.parent()
        os.kill(worker, signal.SIGKILL)
        executor = watch.executor(other=worker)
        assert thread.is_alive()
        os.kill(executor, signal.SIGKILL)
        thread.join(timeout=900)
        assert results == [None]
    assert not watch.sockets and asked[1] == []
    no_orphan(running)
    found, inputs = merged(command, audits)
    assert sum(each["lines"] for each in inputs) == ROWS + 1
    assert [each["rejects"] for each in inputs if each["rejects"]] == [{"no-request": 1}]
    # The same requests as a Google Cloud log, whose records have whole URLs.
    log = str(tmp_path / "log")
    request = F.struct(
        F.col("url").alias("requestUrl"),
        F.col("ua").alias("userAgent"),
        F.col("method").alias("requestMethod"),
        "status",
        F.col("bytes").alias("responseSize"),
        "referer",
    )
    instant = F.date_format(F.to_utc_timestamp("time", F.current_timezone()), "yyyy-MM-dd'T'HH:mm:ss'Z'").alias("timestamp")
    rows.select(request.alias("httpRequest"), instant).write.json(log)
    files = sorted(str(file) for file in pathlib.Path(log).glob("*.json"))
    expected = json.loads(command(["audit", *files, "--robots", snapshot, "--max-line-bytes", "8M", "-o", "json"]))
    expected.pop("inputs")
    assert found == expected
    assert found["totals"]["requests"] == ROWS


def test_headers_name_the_crawlers(spark: SparkSession, urls: str, snapshot: str, command: Callable[..., str]) -> None:
    some = spark.read.parquet(urls).where(f"id < {SOME} and id % 10 < 3")
    found = {row.id: said(row.robots) for row in decide(some, user_agent="ua", snapshot=snapshot).select("id", "robots").collect()}
    expected = expected_of(spark, urls, command, ["--agent-field", "ua", "--robots", snapshot])
    assert found == {number: expected[number] for number in found}
    assert {answer[0] for answer in found.values()} == {"GPTBot", "bingbot", "ClaudeBot", "SomeNewBot", None}


def test_several_agents_sql_and_the_other_udf(spark: SparkSession, urls: str, snapshot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    df = spark.read.parquet(urls).where("id < 2000")
    both = df.select("id", "url", robots("url", ["bingbot", "GPTBot"], snapshot=snapshot).alias("robots"))
    rows = both.orderBy("id").collect()
    assert [[each.agent for each in row.robots] for row in rows] == [["bingbot", "GPTBot"]] * 2000
    register(spark, "may_fetch", agent="GPTBot", snapshot=snapshot)
    df.createOrReplaceTempView("urls")
    in_sql = spark.sql("select id, may_fetch(url).allowed as allowed from urls order by id").collect()
    assert [row.allowed for row in in_sql] == [row.robots[1].allowed for row in rows]
    monkeypatch.setenv("ROBOTS_STREAM_PANDAS_UDF", "1")
    from robots_stream_spark import _functions

    _functions._function.cache_clear()
    other = df.select("id", robots("url", "GPTBot", snapshot=snapshot).alias("robots")).orderBy("id").collect()
    _functions._function.cache_clear()
    assert [said(row.robots) for row in other] == [said(row.robots[1]) for row in rows]


def test_origins_are_those_of_the_command(spark: SparkSession, urls: str, command: Callable[..., str]) -> None:
    some = spark.read.parquet(urls).where(f"id < {SOME} or id >= {ROWS}")
    found = sorted((row["origin"], row["count"]) for row in origins(some).collect())
    rows = some.where("url is not null").select("url").toPandas()
    lines = command(["origins", "--input", "ndjson", "--max-line-bytes", "8M"], rows.to_json(orient="records", lines=True))
    assert found == sorted((each["origin"], each["count"]) for each in map(json.loads, lines.splitlines()))
    assert spark.range(1).select(origin(F.lit("https://A.example:443/x"))).first()[0] == "https://a.example"


def test_an_early_end_and_a_killed_worker(spark: SparkSession, urls: str, snapshot: str, running: Callable[[], List[int]]) -> None:
    decided = decide(spark.read.parquet(urls).where(f"id < {SOME}"), agent="limitbot", snapshot=snapshot)
    assert len(decided.limit(1).collect()) == 1
    with Watch(running, "limitbot") as watch:
        thread, results = in_thread(lambda: decided.groupBy("robots.allowed").count().collect())
        os.kill(watch.parent(), signal.SIGKILL)
        thread.join(timeout=600)
    assert sum(row["count"] for row in results[0]) == SOME
    no_orphan(running)


def test_a_stream_is_decided(spark: SparkSession, urls: str, snapshot: str, tmp_path: pathlib.Path) -> None:
    schema = spark.read.parquet(urls).schema
    small = str(tmp_path / "small")
    spark.read.parquet(urls).where("id < 1000").coalesce(1).write.parquet(small)
    decided = decide(spark.readStream.schema(schema).parquet(small), agent="bingbot", snapshot=snapshot)
    query = (
        decided.select("id", "robots")
        .writeStream.format("memory")
        .queryName("decided")
        .trigger(availableNow=True)
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .start()
    )
    assert query.awaitTermination(600)
    found = {row.id: said(row.robots) for row in spark.sql("select * from decided").collect()}
    at_once = decide(spark.read.parquet(small), agent="bingbot", snapshot=snapshot).select("id", "robots").collect()
    assert len(found) == 1000 and found == {row.id: said(row.robots) for row in at_once}


def test_the_message_of_a_failing_child_is_in_the_tasks_error(spark: SparkSession, tmp_path: pathlib.Path) -> None:
    df = spark.range(10).select(F.lit("https://1.shop.example/").alias("url"))
    with pytest.raises(Exception, match="/none.*no such file"):
        decide(df, agent="bingbot", snapshot=str(tmp_path / "none")).collect()


def test_what_children_say_reaches_the_driver_once(spark: SparkSession, urls: str, snapshot: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(2):
            decide(spark.read.parquet(urls), agent="gogglebot", snapshot=snapshot).where("robots.allowed").count()
        audit(spark.read.parquet(urls), user_agent="ua", snapshot=snapshot, log_timezone="Asia/Tokyo").count()
    said = [str(each.message) for each in caught if issubclass(each.category, RobotsStreamWarning)]
    assert [line for line in said if "gogglebot" in line] == [said[0]] and "did you mean Googlebot?" in said[0]
    assert len(said) == len(set(said)) == 2 and "--log-timezone Asia/Tokyo has no effect" in said[1]


def test_a_damaged_snapshot_fails_the_task_with_the_sentence(spark: SparkSession, urls: str, damaged: str) -> None:
    df = spark.read.parquet(urls).where("id < 2000")
    with pytest.raises(Exception, match="--robots .*snapshot: .*damaged"):
        decide(df, agent="bingbot", snapshot=damaged).where("robots.allowed").count()
    with pytest.raises(Exception, match="could not be read, because entries are damaged"):
        audit(df, user_agent="ua", snapshot=damaged).collect()


@pytest.mark.parametrize(
    "arguments", [{}, {"agent": "a", "user_agent": "ua"}, {"agent": ""}, {"agent": []}, {"agent": "a,b"}]
)
def test_wrong_arguments(spark: SparkSession, arguments: Any) -> None:
    with pytest.raises(ValueError):
        decide(spark.range(1), snapshot="x", **arguments)
