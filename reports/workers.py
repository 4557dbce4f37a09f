"""Runs tasks in worker processes, and survives a worker that dies."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool

from antumbra.proofs.claim import Kind, Outcome
from antumbra.reports.gather import UNFORMALISED, Gathered, Task, gather
from antumbra.reports.ledger import EvidenceRecord

SINGLE_THREADED = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
"""Each worker computes with one thread; the workers are the parallelism."""


def default_jobs() -> int:
    """As many workers as this process may use cores."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _quiet_worker() -> None:
    """Ctrl-C is the parent's business: it ends the workers itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def run_all(tasks: Sequence[Task], jobs: int) -> Iterator[Gathered]:
    """Results of the tasks, as they come.

    With one job they run in this process, one after the other. A task that takes its worker down with it is tried once
    more alone, and ends as an error when it does so again.
    """
    if jobs == 1 or len(tasks) <= 1:
        for task in tasks:
            yield gather(task)
        return
    finished: set[str] = set()
    for result in _in_pool(tasks, jobs):
        finished.add(result.claim_id)
        yield result
    for task in tasks:
        if task.claim_id not in finished:
            yield from list(_in_pool([task], 1)) or [_died(task)]


def _in_pool(tasks: Sequence[Task], jobs: int) -> Iterator[Gathered]:
    """Results of those tasks that end; when a worker dies, the rest of its pool is lost with it."""
    before = {name: os.environ.get(name) for name in SINGLE_THREADED}
    os.environ.update(dict.fromkeys(SINGLE_THREADED, "1"))
    executor = ProcessPoolExecutor(
        max_workers=min(jobs, len(tasks)), mp_context=multiprocessing.get_context("spawn"), initializer=_quiet_worker
    )
    try:
        futures: list[Future[Gathered]] = [executor.submit(gather, task) for task in tasks]
        for future in as_completed(futures):
            try:
                result = future.result()
            except BrokenProcessPool:
                continue
            yield result
    except BaseException:
        executor.shutdown(wait=False, cancel_futures=True)
        for child in multiprocessing.active_children():
            child.terminate()
        raise
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        executor.shutdown(wait=True, cancel_futures=True)


def _died(task: Task) -> Gathered:
    summary = "the worker process died while it gathered the evidence of this claim"
    record = EvidenceRecord(Kind.SYMBOLIC, Outcome.ERROR, summary, {}, None)
    return Gathered(task.claim_id, [(UNFORMALISED, record)], 0.0)
