"""What the commands do, apart from the command line that calls them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from antumbra.reports.ledger import ClaimRecord, Ledger, load
from antumbra.reports.sources import Sources
from antumbra.reports.storage import InputError, prepare_folder, read_json, write_atomically
from antumbra.reports.terminal import OK, UNEXPECTED, emit, emit_json


def run_verify(
    ids: Sequence[str],
    *,
    profile: str,
    target: bool,
    out: Path,
    jobs: int | None,
    seed: int,
    use_cache: bool,
    as_json: bool,
    claims: Sequence[Path] = (),
    sources: Sources | None = None,
) -> int:
    """The `verify` command."""
    from antumbra.reports.progress import Progress
    from antumbra.reports.verify import verify

    with Progress() as progress:
        ledger = verify(
            ids,
            profile,
            out,
            jobs,
            seed,
            use_cache=use_cache,
            claims=claims,
            sources=sources or Sources(),
            watch=progress.step,
        )
    unexpected = ledger.unexpected(target=target)
    if as_json:
        emit_json(_summary(ledger, unexpected, out, target=target))
    else:
        from antumbra.reports.tables import print_verdicts

        print_verdicts(ledger, unexpected, target=target)
        emit(f"report: {out / 'report.html'}")
    return UNEXPECTED if unexpected else OK


def _summary(ledger: Ledger, unexpected: Sequence[ClaimRecord], out: Path, *, target: bool) -> dict[str, Any]:
    return {
        "verdicts": {claim.id: claim.verdict.value for claim in ledger.claims},
        "unexpected": {
            claim.id: {
                "verdict": claim.verdict.value,
                "wanted": (claim.target if target else claim.expected).value,
                "reason": claim.reason,
            }
            for claim in unexpected
        },
        "totals": ledger.totals,
        "digest": ledger.digest,
        "ledger": str(out / "ledger.json"),
        "report": str(out / "report.html"),
    }


def run_report(path: Path, out: Path | None, formats: Sequence[str], *, as_json: bool) -> int:
    """The `report` command."""
    from antumbra.reports.render import FORMATS, render

    for name in formats:
        if name not in FORMATS:
            raise InputError(f"unknown format {name!r}; give one of {', '.join(FORMATS)}")
    ledger = load(path)
    folder = path.parent if out is None else out
    prepare_folder(folder)
    written = []
    for name, content in render(ledger, tuple(dict.fromkeys(formats)) or tuple(FORMATS)).items():
        write_atomically(folder / name, content)
        written.append(str(folder / name))
    if as_json:
        emit_json({"written": written})
    else:
        emit("\n".join(written))
    return OK


def run_list(*, as_json: bool, sources: Sources | None = None) -> int:
    """The `list` command."""
    rows = (sources or Sources()).proof_registry().rows()
    if as_json:
        emit_json(
            [
                {
                    "id": row.id,
                    "title": row.title,
                    "source": row.source,
                    "fields": list(row.fields),
                    "expected": str(row.expected),
                    "target": str(row.target),
                    "required": [str(kind) for kind in row.required],
                }
                for row in rows
            ]
        )
        return OK
    from antumbra.reports.tables import print_index

    print_index(rows)
    return OK


def run_explain(
    claim_id: str, *, latex: bool, ledger_path: Path | None, as_json: bool, sources: Sources | None = None
) -> int:
    """The `explain` command."""
    from antumbra.reports.explain import claim_without_evidence, explain_json, explain_latex, explain_text

    registry_sources = sources or Sources()
    default = Path("verification") / "ledger.json"
    path = ledger_path if ledger_path is not None else default if default.exists() else None
    if path is None:
        record, definitions = claim_without_evidence(claim_id, registry_sources)
    else:
        ledger = load(path)
        definitions = ledger.definitions
        known = {claim.id for claim in ledger.claims}
        if ledger_path is None and claim_id not in known:
            record, definitions = claim_without_evidence(claim_id, registry_sources)
        else:
            record = ledger.claim(claim_id)
    if as_json:
        emit_json(explain_json(record))
    elif latex:
        emit(explain_latex(record, definitions))
    else:
        emit(explain_text(record, definitions))
    return OK


def run_check(path: Path, *, as_json: bool) -> int:
    """The `check` command."""
    from antumbra.reports.judge import examine_for_person
    from antumbra.reports.tables import printable_lines

    document = read_json(path)
    if not isinstance(document, dict):
        raise InputError(f"{path} is not a ledger: it must be a JSON object")
    accepted, report = examine_for_person(document)
    if as_json:
        emit_json({key: value for key, value in report.items() if key != "text"})
    else:
        emit(printable_lines(report["text"]))
    return OK if accepted else UNEXPECTED
