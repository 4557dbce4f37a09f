"""The main job: gather evidence, compute verdicts, write the ledger and what is made from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from antumbra.reports import cache
from antumbra.reports.conclude import Draft, conclude
from antumbra.reports.gather import Gathered, Task, load_claim
from antumbra.reports.ledger import EvidenceRecord, Ledger, encode, load, merge
from antumbra.reports.pictures import collect
from antumbra.reports.render import render
from antumbra.reports.selection import companions, select
from antumbra.reports.sources import Row, Sources, uses_in_certificates
from antumbra.reports.storage import InputError, exclusive, prepare_folder, write_atomically
from antumbra.reports.workers import default_jobs, run_all

PROFILES = ("quick", "standard", "deep")

Watcher = Callable[[str, int, int], None]
"""Called with the id of a claim that is done, how many are done, and how many there are."""


def verify(
    ids: Iterable[str] = (),
    profile: str = "standard",
    out: Path = Path("verification"),
    jobs: int | None = None,
    seed: int = 0,
    *,
    use_cache: bool = True,
    claims: Sequence[Path] = (),
    sources: Sources | None = None,
    watch: Watcher | None = None,
) -> Ledger:
    """Gather the evidence of claims, compute their verdicts and write the reports.

    Args:
        ids: whole ids or ids that end at a dot; none means all, or all of `claims` when there are such files.
        profile: `quick`, `standard` or `deep`.
        out: folder for `ledger.json`, `report.html`, `report.md` and `junit.xml`; made when missing.
        jobs: worker processes; as many as there are cores when `None`.
        seed: the seed of everything that is sampled.
        use_cache: whether evidence of earlier runs on the same code may be taken over.
        claims: Python files with claims of one's own; they run as their author's code.
        sources: the registries, for tests.
        watch: told of each claim that is done.

    Returns:
        The ledger of this run. Only its rows were run; what stands in `out` is completed by the rows of an earlier
        ledger of the same version.

    Raises:
        InputError: an unknown id or profile, a bad number of jobs, a folder that cannot be written, or a file of claims
            that cannot be used.
    """
    chosen_sources = (sources or Sources()).with_files(claims)
    if profile not in PROFILES:
        raise InputError(f"unknown profile {profile!r}; give one of {', '.join(PROFILES)}")
    if seed < 0:
        raise InputError(f"seed is {seed}; give an integer that is not negative")
    workers = default_jobs() if jobs is None else jobs
    if workers < 1:
        raise InputError(f"jobs is {workers}; give at least 1")
    registry = chosen_sources.proof_registry()
    own = chosen_sources.own_rows()
    rows = [*registry.rows(), *own]
    chosen = select(rows, ids, own)
    prepare_folder(out)

    known = [row.id for row in rows]
    gathered: dict[str, Gathered] = {}
    while chosen:
        tasks = [Task(claim_id, profile, seed, chosen_sources) for claim_id in chosen]
        found = _gather(tasks, workers, use_cache=use_cache, watch=watch)
        gathered |= found
        # What the certificates cite and what corrects a claim is run with it.
        further = {other for result in found.values() for other in companions(result.claim_id, uses_of(result), known)}
        chosen = [claim_id for claim_id in known if claim_id in further - gathered.keys()]
    drafts = [draft_of(row, gathered[row.id], chosen_sources) for row in rows if row.id in gathered]
    definitions = plain_json(registry.definitions())
    ledger = conclude(
        drafts,
        definitions,
        profile=profile,
        seed=seed,
        order=known,
        checker=chosen_sources.checker,
        figures=collect(gathered),
        remember=use_cache,
    )
    write_reports(ledger, out, known)
    return ledger


def _gather(tasks: Sequence[Task], jobs: int, *, use_cache: bool, watch: Watcher | None) -> dict[str, Gathered]:
    """Results by claim; those that the cache holds are not computed again."""
    found: dict[str, Gathered] = {}
    pending: list[Task] = []
    for task in tasks:
        known = cache.recall(task) if use_cache else None
        if known is None:
            pending.append(task)
            continue
        found[task.claim_id] = known
        if watch:
            watch(task.claim_id, len(found), len(tasks))
    by_id = {task.claim_id: task for task in pending}
    for result in run_all(pending, jobs):
        found[result.claim_id] = result
        if use_cache:
            cache.keep(by_id[result.claim_id], result)
        if watch:
            watch(result.claim_id, len(found), len(tasks))
    return found


def draft_of(row: Row, gathered: Gathered, sources: Sources) -> Draft:
    """A row's claim with its evidence under its parts."""
    claim, trouble = load_claim(row, sources)
    names = [part.name for part in claim.parts]
    evidence: dict[str, list[EvidenceRecord]] = {name: [] for name in names}
    for name, record in gathered.evidence:
        # What belongs to no part (its worker died, say) belongs to all of them.
        for target in [name] if name in evidence else names:
            evidence[target].append(record)
    if trouble is not None and not gathered.broken:
        evidence[names[0]].append(trouble)
    return Draft(row, claim, evidence, uses_of(gathered), gathered.seconds)


def uses_of(gathered: Gathered) -> list[str]:
    """Ids of the claims that the certificates of a claim cite."""
    return uses_in_certificates(gathered.claim_id, [record.certificate for _, record in gathered.evidence])


def plain_json(value: Any) -> Any:
    """Tuples as lists, all the way down, as JSON has them."""
    if isinstance(value, dict):
        return {key: plain_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_json(item) for item in value]
    return value


def write_reports(ledger: Ledger, out: Path, order: Sequence[str]) -> Ledger:
    """Write `ledger.json` and what is rendered from it; rows of an earlier ledger in `out` are kept, marked as older.

    Of two runs that end at once, one waits for the other and completes what it wrote.

    Returns:
        The ledger as written.
    """
    with exclusive(out):
        return _merged_and_written(ledger, out, order)


def _merged_and_written(ledger: Ledger, out: Path, order: Sequence[str]) -> Ledger:
    merged = ledger
    earlier = out / "ledger.json"
    if len(ledger.claims) < len(order) and earlier.exists():
        try:
            merged = merge(ledger, load(earlier), list(order))
        except InputError:
            # A damaged or foreign file is replaced by what was found now.
            merged = ledger
    write_atomically(earlier, encode(merged))
    for name, content in render(merged).items():
        write_atomically(out / name, content)
    return merged
