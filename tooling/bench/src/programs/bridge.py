"""Decides or audits the records of a file with the package for Spark, without Spark; prints its own and its child's CPU milliseconds."""

import json
import resource
import sys

import pyarrow
import pyarrow.json
from robots_stream_spark import _child
from robots_stream_spark._bridge import Asking, answers, cells

work, snapshot, records, rows_at_once = sys.argv[1], sys.argv[2], sys.argv[3], 10_000


def cpu_ms(of: int) -> float:
    usage = resource.getrusage(of)
    return (usage.ru_utime + usage.ru_stime) * 1_000


names = ["url", "user_agent", "time"]
schema = pyarrow.schema([(name, pyarrow.string()) for name in names])
reading = pyarrow.json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore")
table = pyarrow.json.read_json(records, parse_options=reading).combine_chunks()
url, agent, time = (table.column(name).chunk(0) for name in names)
nothing = pyarrow.nulls(len(url), pyarrow.string())
pieces = [(at, rows_at_once) for at in range(0, len(url), rows_at_once)]
before = cpu_ms(resource.RUSAGE_SELF)
if work == "decide":
    asking = Asking(("--robots", snapshot, "--agent", "bingbot"), snapshot, 1, False)
    rows = sum(len(array) for array in answers(asking, ((url.slice(*piece),) for piece in pieces)))
else:
    asking = Asking(("--robots", snapshot, "--cells"), snapshot, 0, False)
    columns = [url, agent, time, nothing, nothing, nothing, nothing]
    found = list(cells(asking, ([column.slice(*piece) for column in columns] for piece in pieces), counts=True))
    totals = [cell for batch in found for cell in batch.to_pylist() if cell["cell"] == "totals"]
    rows = sum(cell["requests"] for cell in totals if cell["key"] == "requests")
python_ms = cpu_ms(resource.RUSAGE_SELF) - before
_child._end()
print(json.dumps({"rows": rows, "pythonMs": python_ms, "childMs": cpu_ms(resource.RUSAGE_CHILDREN)}))
