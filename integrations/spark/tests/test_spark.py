"""With a local Spark: the function, decide and origins say what the command says, row for row."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import time
from typing import Any, Callable, List

import pytest
from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F

from robots_stream_spark import decide, origin, origins, register, robots

ROWS = int(os.environ.get("ROBOTS_STREAM_SPARK_ROWS", "50000"))
HOSTILE = [None, "", "https://1.shop.example/a\nb", "https://1.shop.example/\0", "no URL", "https://1.shop.example/" + "x" * 1_048_576]


@pytest.fixture(scope="module")
def urls(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Parquet with many rows, and rows with what a URL should not have."""
    path = str(tmp_path_factory.mktemp("urls") / "urls.parquet")
    number = F.col("id")
    url = F.format_string("https://%d.shop.example/%s%d", number % 211, F.when(number % 3 == 0, "private").otherwise("x"), number)
    agent = F.when(number % 4 == 0, "GPTBot/1.2").when(number % 4 == 1, "Mozilla/5.0 (compatible; bingbot/2.0)").otherwise("curl")
    df = spark.range(ROWS).select("id", url.alias("url"), agent.alias("ua"), F.repeat(F.lit("z"), 20).alias("more"))
    more = spark.createDataFrame([(ROWS + at, each, "bingbot/2.0", "z") for at, each in enumerate(HOSTILE)], "id long, url string, ua string, more string")
    df.unionByName(more).repartition(4).write.parquet(path)
    return path


def expected_of(spark: SparkSession, path: str, command: Callable[..., str], arguments: List[str]) -> List[Any]:
    """What the command says about the rows with a URL, by id."""
    rows = spark.read.parquet(path).where("url is not null").select("id", "url", "ua").orderBy("id").toPandas()
    lines = rows.to_json(orient="records", lines=True, force_ascii=False)
    out = command([*arguments, "--input", "ndjson", "--ordered", "-o", "ndjson", "--max-line-bytes", "8M"], lines)
    return [json.loads(line) for line in out.splitlines()]


def said(answer: Any) -> Any:
    """The members of an answer that the command has, too."""
    names = ["agent", "allowed", "because", "group", "rule", "line", "origin"]
    return None if answer is None else tuple(answer[name] if isinstance(answer, Row) else answer.get(name) for name in names)


def test_the_function_says_what_the_command_says(
    spark: SparkSession, urls: str, snapshot: str, command: Callable[..., str]
) -> None:
    decided = decide(spark.read.parquet(urls), agent="bingbot", snapshot=snapshot)
    found = {row.id: said(row.robots) for row in decided.select("id", "robots").collect()}
    expected = expected_of(spark, urls, command, ["--agent", "bingbot", "--robots", snapshot])
    assert len(found) == ROWS + len(HOSTILE)
    assert found.pop(ROWS) is None
    assert found == {record["id"]: said(record["robots"]) for record in expected}
    assert {True, False, None} == {answer[1] for answer in found.values()}


def test_headers_name_the_crawlers(
    spark: SparkSession, urls: str, snapshot: str, command: Callable[..., str]
) -> None:
    decided = decide(spark.read.parquet(urls).where(f"id < {ROWS} and id % 10 < 3"), user_agent="ua", snapshot=snapshot)
    found = {row.id: said(row.robots) for row in decided.select("id", "robots").collect()}
    expected = expected_of(spark, urls, command, ["--agent-field", "ua", "--robots", snapshot])
    by_id = {record["id"]: said(record["robots"]) for record in expected}
    assert found == {number: by_id[number] for number in found}
    assert {answer[0] for answer in found.values()} == {"GPTBot", "bingbot", None}


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
    found = sorted((row["origin"], row["count"]) for row in origins(spark.read.parquet(urls)).collect())
    rows = spark.read.parquet(urls).where("url is not null").select("url").toPandas()
    lines = command(["origins", "--input", "ndjson", "--max-line-bytes", "8M"], rows.to_json(orient="records", lines=True))
    assert found == sorted((each["origin"], each["count"]) for each in map(json.loads, lines.splitlines()))
    assert spark.range(1).select(origin(F.lit("https://A.example:443/x"))).first()[0] == "https://a.example"


def test_an_early_end_a_killed_worker_and_no_orphan(
    spark: SparkSession, urls: str, snapshot: str, running: Callable[[], List[int]], tmp_path: pathlib.Path
) -> None:
    decided = decide(spark.read.parquet(urls), agent="limitbot", snapshot=snapshot)
    assert len(decided.limit(1).collect()) == 1
    workers = {int(pathlib.Path(f"/proc/{child}/stat").read_text().rsplit(")", 1)[1].split()[1]) for child in running()}
    workers.discard(os.getpid())
    assert workers
    for worker in workers:
        os.kill(worker, signal.SIGKILL)
    # The children of killed workers end with their pipes.
    deadline = time.monotonic() + 30
    while any(int(pathlib.Path(f"/proc/{each}/stat").read_text().rsplit(")", 1)[1].split()[1]) == 1 for each in running()):
        assert time.monotonic() < deadline, "a child has outlived its worker"
        time.sleep(0.1)
    assert decided.where("robots.allowed").count() + decided.where("not robots.allowed").count() > ROWS / 2


def test_the_message_of_a_failing_child_is_in_the_tasks_error(spark: SparkSession) -> None:
    df = spark.range(10).select(F.lit("https://1.shop.example/").alias("url"))
    with pytest.raises(Exception, match="/no/such/snapshot.*no such file"):
        decide(df, agent="bingbot", snapshot="/no/such/snapshot").collect()


@pytest.mark.parametrize(
    "arguments", [{}, {"agent": "a", "user_agent": "ua"}, {"agent": ""}, {"agent": []}, {"agent": "a,b"}]
)
def test_wrong_arguments(spark: SparkSession, arguments: Any) -> None:
    with pytest.raises(ValueError):
        decide(spark.range(1), snapshot="x", **arguments)
