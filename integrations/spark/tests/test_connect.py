"""Runs a program with the client of Spark Connect, which has no JVM, in a process and with a server of its own: the decisions are right."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Callable

from conftest import merged

PROGRAM = """
import json, sys
from pyspark.sql import SparkSession
from robots_stream_spark import audit, decide

spark = SparkSession.builder.remote("local[1]").config("spark.sql.shuffle.partitions", "1").getOrCreate()
assert type(spark).__module__.startswith("pyspark.sql.connect"), type(spark)
snapshot, audits = sys.argv[1:]
rows = [(f"https://{number}.shop.example/{'private' if number % 2 else ''}", "bingbot/2.0", "2026-10-26T07:00:00Z") for number in range(20)]
df = spark.createDataFrame(rows, "url string, user_agent string, time string")
decided = decide(df, agent="bingbot", snapshot=snapshot).select("robots.allowed").collect()
audit(df.repartition(3), snapshot=snapshot).write.text(audits)
print(json.dumps([row.allowed for row in decided]))
spark.stop()
"""


def test_spark_connect(snapshot: str, command: Callable[..., str], tmp_path: object) -> None:
    audits = f"{tmp_path}/audits"
    program = [sys.executable, "-c", PROGRAM, snapshot, audits]
    done = subprocess.run(program, capture_output=True, text=True, timeout=900, env={**os.environ, "PYSPARK_PYTHON": sys.executable})
    assert done.returncode == 0, done.stderr[-4000:]
    assert json.loads(done.stdout.splitlines()[-1]) == [number % 2 == 0 for number in range(20)]
    found, inputs = merged(command, audits)
    assert sum(each["lines"] for each in inputs) == 20 and len(inputs) == 3
    # The audit of one run over the same requests, as a log of Google Cloud.
    requests = [
        {
            "httpRequest": {
                "requestUrl": f"https://{number}.shop.example/{'private' if number % 2 else ''}",
                "userAgent": "bingbot/2.0",
            },
            "timestamp": "2026-10-26T07:00:00Z",
        }
        for number in range(20)
    ]
    log = "".join(json.dumps(request) + "\n" for request in requests)
    expected = json.loads(command(["audit", "-", "--input", "gcp", "--robots", snapshot, "-o", "json"], log))
    expected.pop("inputs")
    assert found == expected and len(found["origins"]) == 20
