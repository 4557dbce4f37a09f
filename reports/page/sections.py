"""The other sections: the setting, the matrix of hypotheses, what was not checked, how to read the page."""

from __future__ import annotations

from collections.abc import Iterator

from antumbra.proofs.claim import Outcome, Verdict
from antumbra.reports.formulas.picture import Gallery
from antumbra.reports.ledger import ClaimRecord, Ledger
from antumbra.reports.page.markup import anchor, attribute, text, verdict_chip
from antumbra.reports.words import KINDS, OUTCOMES, VERDICTS


def legend() -> str:
    """What verdicts, kinds and outcomes mean."""
    verdicts = "".join(f"<dt>{verdict_chip(v)}</dt><dd>{text(sign.meaning)}</dd>" for v, sign in VERDICTS.items())
    kinds = "".join(f"<dt>{kind.value}</dt><dd>{text(meaning)}</dd>" for kind, meaning in KINDS.items())
    outcomes = "".join(
        f'<dt><span class="badge {outcome.value}"><span class="shape" aria-hidden="true">{sign.shape}</span> '
        f"{outcome.value.replace('_', ' ')}</span></dt><dd>{text(sign.meaning)}</dd>"
        for outcome, sign in OUTCOMES.items()
    )
    return (
        '<details class="plain" id="reading"><summary><h2>How to read this page</h2></summary>'
        "<p>Each claim has parts; its verdict is that of its weakest part, and follows from the evidence by one "
        "function. Formulas are drawn from the very terms that the certificates speak of.</p>"
        f'<dl class="legend">{verdicts}</dl><dl class="legend">{outcomes}</dl><dl class="legend">{kinds}</dl></details>'
    )


def setting(ledger: Ledger, gallery: Gallery) -> str:
    """Symbols, definitions and flows, as formulas."""
    symbols = "".join(
        f"<tr><td>{text(entry['symbol'])}</td><td>{text(entry.get('type', ''))}"
        f"{text(_family(entry.get('indices')))}</td><td>{text(_domain(entry))}</td>"
        f"<td>{text(entry.get('text', ''))}</td></tr>"
        for entry in ledger.definitions
        if "symbol" in entry
    )
    definitions = "".join(
        f'<li><div class="scroll">{gallery.formula(_left(entry))} = {gallery.formula(entry["body"])}</div>'
        f'<span class="note">{text(entry.get("text", ""))}</span></li>'
        for entry in ledger.definitions
        if "define" in entry
    )
    if not symbols and not definitions:
        return ""
    return (
        '<details class="plain" id="setting"><summary><h2>The setting: symbols and definitions</h2></summary>'
        f'<ul class="definitions">{definitions}</ul>'
        '<div class="scroll"><table><thead><tr><th scope="col">symbol</th><th scope="col">kind</th>'
        f'<th scope="col">domain</th><th scope="col">meaning</th></tr></thead><tbody>{symbols}</tbody></table></div>'
        "</details>"
    )


def _family(indices: object) -> str:
    return f", one per {' and '.join(map(str, indices))}" if isinstance(indices, list) and indices else ""


def _domain(entry: dict[str, object]) -> str:
    return str(entry.get("domain", "")) if entry.get("type") == "scalar" else ""


def _left(entry: dict[str, object]) -> list[object]:
    """The defined term, as it stands on the left."""
    parameters = entry.get("parameters")
    arguments = [["s", name, []] for name in parameters] if isinstance(parameters, list) else []
    tag = "vdef" if entry.get("type") == "vector" else "def"
    return [tag, entry["define"], entry.get("indices", []), arguments]


def matrix(ledger: Ledger) -> str:
    """Hypotheses × claims: which claim uses which hypothesis."""
    names: dict[str, None] = {}
    for claim in ledger.claims:
        for part in claim.parts:
            names.update(dict.fromkeys(part.hypotheses))
    if not names:
        return ""
    head = "".join(f'<th scope="col"><span>{text(name)}</span></th>' for name in names)
    rows = []
    for claim in ledger.claims:
        used = {name for part in claim.parts for name in part.hypotheses}
        meaning = {name for part in claim.parts for name in part.meaning}
        if not used:
            continue
        cells = "".join(f"<td>{_cell(name, used, meaning)}</td>" for name in names)
        link = f'<a href="#{attribute(anchor(claim.id))}">{text(claim.id)}</a>'
        rows.append(f'<tr><th scope="row">{link}</th>{cells}</tr>')
    return (
        '<details class="plain" id="matrix"><summary><h2>Which claim uses which hypothesis</h2></summary>'
        '<p class="note">● used and to be shown needed; ○ only gives the letters their meaning.</p>'
        f'<div class="scroll"><table class="matrix"><thead><tr><td></td>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div></details>"
    )


def _cell(name: str, used: set[str], meaning: set[str]) -> str:
    if name not in used:
        return ""
    return '<span aria-label="meaning">○</span>' if name in meaning else '<span aria-label="used">●</span>'


def not_checked(ledger: Ledger) -> str:
    """Everything that a reader might think was checked, and was not."""
    items = [item for claim in ledger.claims for item in _gaps(claim)]
    found = f"<ul>{''.join(items)}</ul>" if items else "<p>Nothing: every part has its evidence.</p>"
    return f'<section id="not-checked"><h2>What was not checked</h2>{found}</section>'


def _gaps(claim: ClaimRecord) -> Iterator[str]:
    link = f'<a href="#{attribute(anchor(claim.id))}">{text(claim.id)}</a>'
    gaps = []
    for part in claim.parts:
        if part.statement.term is None:
            gaps.append(f"{text(part.name)} is not written as a formula")
        gaps += [
            f"{text(part.name)}: {record.kind.value} {record.outcome.value.replace('_', ' ')} ({text(record.summary)})"
            for record in part.evidence
            if record.outcome in (Outcome.VACUOUS, Outcome.UNDECIDED, Outcome.NOT_RUN)
        ]
    kinds = {record.kind for part in claim.parts for record in part.evidence}
    missing = [kind.value for kind in claim.required if kind not in kinds]
    if missing:
        gaps.append(f"required and missing: {text(', '.join(missing))}")
    if claim.verdict in (Verdict.PROVED, Verdict.REFUTED, Verdict.AMENDED) and not claim.checked:
        gaps.append("its certificates were not accepted by the stand-alone checker, or it was not asked")
    if gaps:
        yield f"<li>{link}: {'; '.join(gaps)}</li>"
