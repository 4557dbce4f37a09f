"""Keeps gathered evidence between runs, under `XDG_CACHE_HOME`.

The key is made of the claim's id, profile and seed, of the content of every source file of `antumbra.proofs` and
`antumbra.numerics` and of the files of claims, and of the versions of Python and of what they compute with: whatever
could change the evidence changes the key. Results with an error are not kept. The checker never reads the cache.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
from functools import lru_cache
from pathlib import Path

import msgspec
from antumbra.reports.environment import describe
from antumbra.reports.gather import Gathered, Task
from antumbra.reports.sources import Sources
from antumbra.reports.storage import InputError, sha256, write_atomically

SUFFIXES = frozenset({".py", ".toml", ".json"})


def cache_folder() -> Path:
    """The folder of the cache: `antumbra` under `XDG_CACHE_HOME`, or under `~/.cache`."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "antumbra"


@lru_cache(maxsize=4)
def code_digest(sources: Sources) -> str:
    """SHA-256 over the names and contents of the source files that evidence is made with."""
    digest = hashlib.sha256()
    for module in (sources.proofs, sources.numerics, __name__):
        spec = importlib.util.find_spec(module)
        if spec is None or spec.origin is None:
            continue
        root = Path(spec.origin).parent
        in_package = "." in module and module != __name__
        files = sorted(root.rglob("*")) if in_package else [Path(spec.origin), *sorted(root.glob("gather.py"))]
        for file in files:
            if file.suffix in SUFFIXES and file.is_file():
                digest.update(f"{module}\0{file.relative_to(root).as_posix()}\0".encode())
                digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def own_digest(task: Task) -> str:
    """SHA-256 over the files of claims and, as they may draw on other files, the claim and the setting they make."""
    if not task.sources.files:
        return ""
    registry = task.sources.proof_registry()
    digest = hashlib.sha256()
    for file in task.sources.files:
        digest.update(hashlib.sha256(Path(file).read_bytes()).digest())
    digest.update(repr((registry.statement(task.claim_id), registry.definitions())).encode("utf-8", "replace"))
    return digest.hexdigest()


def key(task: Task) -> str:
    """The name under which a task's result is kept."""
    return sha256([task.claim_id, task.profile, task.seed, code_digest(task.sources), own_digest(task), describe()])


def recall(task: Task) -> Gathered | None:
    """The kept result of a task, if there is one that can be read."""
    try:
        raw = (cache_folder() / f"{key(task)}.json").read_bytes()
        found = msgspec.json.decode(raw, type=Gathered)
    except (OSError, msgspec.MsgspecError, RecursionError, RuntimeError):
        return None
    return found if found.claim_id == task.claim_id else None


def keep(task: Task, result: Gathered) -> None:
    """Keep a result for later runs. A cache that cannot be written costs time, not correctness, so that is no error."""
    if result.broken:
        return
    try:
        folder = cache_folder()
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / f"{key(task)}.json", msgspec.json.encode(result))
    except (OSError, InputError, RuntimeError):
        return
