"""Strict reading and atomic writing of files.

Reading refuses what JSON does not have (NaN, infinities), what JSON leaves open (duplicate keys) and what could exhaust
the machine (size, depth, very long integers). Writing goes through a temporary file in the same folder, so that a
reader sees the old file or the new one and never a half of either.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SIZE_LIMIT = 256 * 1024 * 1024
"""Largest ledger that is read, in bytes."""

DEPTH_LIMIT = 400
"""Deepest nesting of lists and objects that is read."""

_STRUCTURE = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[\]{}]', re.DOTALL)
_SURROGATE = re.compile(r"[\ud800-\udfff]")


class InputError(Exception):
    """Bad usage or bad input: one clear line for the person, and exit code 2."""


def canonical_json(value: object) -> bytes:
    """The one encoding of a value that is hashed: sorted keys, no blanks, ASCII.

    Raises:
        ValueError: the value holds NaN or an infinity.
        TypeError: the value is not made of JSON's types.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode("ascii")


def sha256(value: object) -> str:
    """SHA-256 of the canonical JSON of a value, in hexadecimal."""
    return hashlib.sha256(canonical_json(value)).hexdigest()


def parse_json(text: str, name: str, *, depth_limit: int = DEPTH_LIMIT) -> Any:
    """Parse strict JSON.

    Args:
        text: the document.
        name: what to call it in an error.
        depth_limit: deepest nesting allowed.

    Raises:
        InputError: not strict JSON, nested too deeply, a key twice in one object, a number that is not finite, an
            integer of thousands of digits, or a lone surrogate.
    """
    depth = deepest = 0
    for match in _STRUCTURE.finditer(text):
        mark = match.group()
        if mark in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif mark in "]}":
            depth -= 1
    if deepest > depth_limit:
        raise InputError(f"{name} is nested {deepest} levels deep; at most {depth_limit} are read")
    try:
        value = json.loads(
            text, object_pairs_hook=_no_duplicates, parse_constant=_refuse_constant, parse_float=_finite_float
        )
    except json.JSONDecodeError as error:
        raise InputError(f"{name} is not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name} is not strict JSON: {error}") from None
    if "\\ud" in text.lower() and _SURROGATE.search(json.dumps(value, ensure_ascii=False)):
        raise InputError(f"{name} holds half a surrogate pair, which no text can contain")
    return value


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise ValueError(f"the key {key[:80]!r} stands twice in one object")
        result[key] = value
    return result


def _refuse_constant(text: str) -> Any:
    raise ValueError(f"{text} is not a JSON number")


def _finite_float(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"the number {text[:40]} is too large")
    return value


def read_json(path: Path, *, size_limit: int = SIZE_LIMIT) -> Any:
    """Read a file of strict JSON.

    Raises:
        InputError: the file cannot be read, is too large, is not UTF-8, or is not strict JSON.
    """
    try:
        if path.is_dir():
            raise InputError(f"{path} is a folder; give the file in it")
        size = path.stat().st_size
        if size > size_limit:
            raise InputError(f"{path} has {size} bytes; at most {size_limit} are read")
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    except ValueError as error:  # a NUL in the path
        raise InputError(f"cannot read {str(path)!r}: {error}") from None
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 text (byte {error.start})") from None
    return parse_json(text, str(path))


def prepare_folder(folder: Path) -> None:
    """Make a folder and try to write in it, before any work is spent.

    Raises:
        InputError: it cannot be made or written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".antumbra-", dir=folder)
        os.close(handle)
        Path(name).unlink()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot write to the folder {str(folder)!r}: {reason}; choose another with --out") from None


@contextmanager
def exclusive(folder: Path) -> Iterator[None]:
    """Within the block no other run of ours writes to the folder; one that wants to waits.

    The lock is on the folder itself, leaves no file behind and ends with the process. Where the system or the file
    system has no such locks, the block is run all the same.
    """
    try:
        import fcntl

        handle = os.open(folder, os.O_RDONLY)
    except (ImportError, OSError):
        yield
        return
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def write_atomically(path: Path, content: str | bytes) -> None:
    """Replace a file at one stroke.

    The content is written to a temporary file in the same folder, forced to the disk and renamed over `path`; on any
    failure the temporary file is removed and the old file stays as it was.

    Raises:
        InputError: the folder cannot be written, or the disk is full.
    """
    raw = content.encode("utf-8") if isinstance(content, str) else content
    temporary: Path | None = None
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as stream:
            stream.write(raw)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
        temporary = None
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def _umask() -> int:
    """The process's umask, which can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
