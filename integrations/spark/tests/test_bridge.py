"""The bridge without Spark: every row gets its answer, damage is reported, no child is left behind."""

from __future__ import annotations

import json
import os
import pathlib
import pickle
import shutil
import signal
import subprocess
import sys
import warnings
from typing import Any, Callable, Iterator, List, Optional, Sequence

import pyarrow as pa
import pytest

from conftest import FETCHED, entry
from robots_stream_spark import RobotsStreamError, RobotsStreamWarning, _audit, _child, _notes
from robots_stream_spark._bridge import Asking, answer_type, answers


def asking(snapshot: str, *agents: str, is_list: bool = False) -> Asking:
    named = [word for agent in agents for word in ("--agent", agent)]
    return Asking(("--robots", snapshot, *named), snapshot, len(agents), is_list)


def batches(*lists: Sequence[Optional[str]]) -> Iterator[Sequence[pa.Array]]:
    for urls in lists:
        yield (pa.array(urls, pa.string()),)


HOME = {
    "agent": "bingbot",
    "allowed": True,
    "because": "no-rule",
    "group": "*",
    "rule": None,
    "line": None,
    "origin": "https://1.shop.example",
    "code": None,
}


def test_any_text_may_be_a_url(snapshot: str) -> None:
    base = "https://1.shop.example/"
    urls = [base, None, "", f"{base}a\nb", f"{base}\0", base + "x" * 1_048_576, "no URL", f"{base}private", f"{base}é"]
    (found,) = answers(asking(snapshot, "bingbot"), batches(urls))
    rows = found.to_pylist()
    assert found.type == answer_type(asking(snapshot, "bingbot"))
    assert rows[0] == HOME and rows[1] is None and rows[4] == HOME and rows[8] == HOME
    assert [row and row["allowed"] for row in rows] == [True, None, None, True, True, None, None, False, True]
    assert [rows[at]["because"] for at in (2, 5, 6)] == ["invalid-url", "url-too-long", "invalid-url"]
    assert (rows[7]["rule"], rows[7]["line"]) == ("disallow: /private", 2)


def test_batches_slices_and_lists(snapshot: str) -> None:
    urls = pa.array([None if row % 7 == 3 else f"https://{row % 5}.shop.example/{row}" for row in range(1000)])
    pieces = [urls.slice(0, 0), urls.slice(0, 10), urls.slice(10, 700), urls.slice(710), pa.chunked_array([urls])]
    found = list(answers(asking(snapshot, "bingbot", "GPTBot", is_list=True), ((piece,) for piece in pieces)))
    assert [len(array) for array in found] == [0, 10, 700, 290, 1000]
    rows = [row for array in found[:4] for row in array.to_pylist()]
    assert rows == found[4].to_pylist()
    for row, (url, answered) in enumerate(zip(urls.to_pylist(), rows)):
        if url is None:
            assert answered is None
        else:
            assert [each["allowed"] for each in answered] == [True, False]
            assert answered[0]["origin"] == f"https://{row % 5}.shop.example"


def test_large_batches_are_divided(snapshot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("robots_stream_spark._bridge._MOST_BYTES", 200)
    urls = [f"https://1.shop.example/{'private' if row % 3 else ''}" for row in range(100)]
    (found,) = answers(asking(snapshot, "bingbot"), batches(urls))
    assert [row["allowed"] for row in found.to_pylist()] == [row % 3 == 0 for row in range(100)]


def test_one_child_for_all_and_none_after_an_early_end(snapshot: str, running: Callable[[], List[int]]) -> None:
    first = set(running())
    for _ in range(3):
        list(answers(asking(snapshot, "bingbot"), batches(["https://1.shop.example/"])))
    kept = set(running())
    list(answers(asking(snapshot, "bingbot"), batches(["https://1.shop.example/"])))
    assert set(running()) == kept
    reading = answers(asking(snapshot, "onlybot"), batches(*[["https://1.shop.example/"]] * 100))
    next(reading)
    assert len(set(running()) - kept) == 1
    reading.close()
    assert set(running()) == kept >= first


@pytest.mark.parametrize("name", ["robots.ndjson", "robots", "snapshot"])
def test_a_replaced_source_gets_a_new_child_and_the_old_one_ends(
    name: str, tmp_path: pathlib.Path, command: Callable[..., str], running: Callable[[], List[int]]
) -> None:
    path = tmp_path / name

    def replace(rule: str) -> None:
        body = f"User-agent: *\nDisallow: /{rule}\n"
        if name == "robots.ndjson":
            path.write_text(f"{entry(1, FETCHED, body)}\n")
        elif name == "robots":
            path.mkdir(exist_ok=True)
            (path / "1.shop.example.txt").write_text(body)
        else:
            cache = str(tmp_path / rule)
            command(["cache", "import", "--cache", cache], f"{entry(1, FETCHED, body)}\n")
            shutil.rmtree(path, ignore_errors=True)
            command(["cache", "export", "--cache", cache, "--snapshot", str(path)])

    def allowed() -> object:
        (found,) = answers(asking(str(path), "bingbot"), batches(["https://1.shop.example/one"]))
        return found.to_pylist()[0]["allowed"]

    first = len(running())
    # The rules have the same length, so that the sizes of the files do not differ.
    replace("one")
    assert [allowed(), allowed(), len(running()) - first] == [False, False, 1]
    replace("two")
    assert [allowed(), allowed(), len(running()) - first] == [True, True, 1]


def test_a_killed_child_is_an_error_and_the_next_call_has_another(snapshot: str) -> None:
    what = asking(snapshot, "killedbot")
    list(answers(what, batches(["https://1.shop.example/"])))
    child = _child.child_of(what.arguments, what.snapshot)
    _child.give_back(child)

    def killing() -> Iterator[Any]:
        yield from batches(*[["https://1.shop.example/"]] * 5)
        os.kill(child._process.pid, signal.SIGKILL)
        yield from batches(*[["https://1.shop.example/"]] * 5000)

    with pytest.raises(RobotsStreamError, match="exit code -9"):
        list(answers(what, killing()))
    (found,) = answers(what, batches(["https://1.shop.example/"]))
    assert found.to_pylist()[0]["allowed"] is True


def test_the_message_of_a_child_is_in_the_error(tmp_path: pathlib.Path) -> None:
    with pytest.raises(RobotsStreamError, match="exit code 2: robots-stream: .*no such file"):
        list(answers(asking(str(tmp_path / "none"), "bingbot"), batches(["https://1.shop.example/"])))


def test_a_damaged_snapshot_is_an_error_before_the_answer(damaged: str) -> None:
    # The checksum of at least one of the origins is wrong, and a whole entry is answered.
    with pytest.raises(RobotsStreamError, match="exit code 3: .*damaged"):
        list(answers(asking(damaged, "bingbot"), batches([f"https://{number}.shop.example/" for number in range(200)])))
    (found,) = answers(asking(damaged, "bingbot"), batches(["https://1.shop.example/"]))
    assert found.to_pylist() == [HOME]


def test_a_limit_of_the_address_space_is_named(snapshot: str) -> None:
    program = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))\n"
        "import pyarrow as pa\n"
        "from robots_stream_spark._bridge import Asking, answers\n"
        f"asking = Asking(('--robots', {snapshot!r}, '--agent', 'bingbot'), {snapshot!r}, 1, False)\n"
        "list(answers(asking, [(pa.array(['https://1.shop.example/']),)]))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode != 0
    assert "spark.executor.pyspark.memory limits the address space to 1073741824 bytes" in done.stderr


def test_a_child_has_no_socket(snapshot: str) -> None:
    what = asking(snapshot, "bingbot")
    list(answers(what, batches(["https://1.shop.example/", "https://unknown.example/"])))
    child = _child.child_of(what.arguments, what.snapshot)
    open_files = pathlib.Path(f"/proc/{child._process.pid}/fd")
    assert not [target for target in map(os.readlink, open_files.iterdir()) if target.startswith("socket:")]
    _child.give_back(child)


def test_readers_at_the_same_time_have_children_of_their_own(snapshot: str) -> None:
    what = asking(snapshot, "bingbot")
    one = answers(what, batches(*[["https://1.shop.example/private"]] * 10))
    other = answers(what, batches(*[["https://2.shop.example/"]] * 10))
    both = list(zip(one, other))
    assert [(first.to_pylist()[0]["allowed"], second.to_pylist()[0]["allowed"]) for first, second in both] == [(False, True)] * 10


def requests_of(*columns: Sequence[Optional[str]], partition: int = 0) -> Any:
    given = [pa.array(column, pa.string()) for column in columns]
    nothing = pa.nulls(len(given[0]), pa.string())
    return _audit.records_of([*given, *[nothing] * (7 - len(given))], partition)


def test_requests_are_json_whatever_bytes_they_have() -> None:
    urls = ['https://1.shop.example/"\\\n\t\0', None, "", "é", "\\n"]
    lines = bytes(requests_of(urls, ["a\r", None, '"', "\x1f", "b"], partition=7)).splitlines()
    found = [json.loads(line) for line in lines]
    assert [line["httpRequest"].get("requestUrl") for line in found] == urls
    assert [line["httpRequest"].get("userAgent") for line in found] == ["a\r", None, '"', "\x1f", "b"]
    assert all(line["httpRequest"]["partition"] == 7 and len(line) == 1 for line in found)
    raw = pa.array([b"https://1.shop.example/\xff\xc3"], pa.binary()).view(pa.string())
    nothing = pa.nulls(1, pa.string())
    assert b"/\xff\xc3\"}}\n" in bytes(_audit.records_of([raw, *[nothing] * 6], 0))
    # A slice has the rows of the slice only.
    sliced = [pa.array(urls).slice(3), *[pa.nulls(2, pa.string())] * 6]
    assert [json.loads(line)["httpRequest"]["requestUrl"] for line in bytes(_audit.records_of(sliced, 0)).splitlines()] == urls[3:]


def test_a_child_that_reads_ends_with_its_document_or_an_error(snapshot: str) -> None:
    reading = _child.Reading(_audit._words(snapshot, []))
    for _ in range(3):
        reading.write(requests_of(["https://1.shop.example/"] * 100_000, ["bingbot/2.0"] * 100_000))
    document = json.loads(_audit.one_line_of(reading.output()))
    assert (document["totals"]["requests"], reading.notes(), reading.is_alive) == (300_000, [], False)
    reading.kill()
    failing = _child.Reading(_audit._words(snapshot, ["--log-timezone", "Mars"]))
    with pytest.raises(RobotsStreamError, match="exit code 2: .*no time zone has this name"):
        for _ in range(1000):
            failing.write(requests_of(["https://1.shop.example/"] * 100_000))
    failing.kill()


def test_what_a_child_says_is_heard_once(snapshot: str) -> None:
    heard: List[str] = []
    for _ in range(2):
        list(answers(asking(snapshot, "gogglebot"), batches(["https://1.shop.example/"]), heard.extend))
    assert len([line for line in heard if "did you mean Googlebot?" in line]) == 1


def test_lines_are_added_up_each_once_and_at_most_ten_of_a_stage() -> None:
    told = _notes._Warning()
    with pytest.warns(RobotsStreamWarning) as warned:
        found = told.addInPlace([], [(1, "a"), (1, "a"), (2, "a"), *[(3, str(at)) for at in range(20)]])
        told.addInPlace(found, [(3, "a"), (3, "another"), (4, "b")])
    said = [str(each.message) for each in warned]
    assert said == ["a", *map(str, range(10)), _notes._MORE, "b"]
    # In a worker, nobody is warned.
    worker = pickle.loads(pickle.dumps(told))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert worker.addInPlace(worker.zero([]), [(1, "c")]) == [(1, "c")]
        # A filter that makes warnings errors ends no accumulator.
        assert told.addInPlace([], [(1, "d")]) == [(1, "d")]
