"""The first screen: totals, filters, and the table of all claims."""

from __future__ import annotations

from collections.abc import Iterable

from antumbra.proofs.claim import Kind, Outcome
from antumbra.reports.junit import suite_and_name
from antumbra.reports.ledger import ClaimRecord, Ledger
from antumbra.reports.page.markup import anchor, attribute, evidence_badge, text, verdict_chip
from antumbra.reports.words import KINDS, OUTCOMES, VERDICTS


def dashboard(ledger: Ledger) -> str:
    """Totals, filters and table."""
    return f"{_totals(ledger)}{_filters(ledger)}{_table(ledger)}"


def _totals(ledger: Ledger) -> str:
    chips = []
    for verdict, sign in VERDICTS.items():
        count = ledger.totals.get(verdict.value, 0)
        chips.append(
            f'<button type="button" class="total {verdict.value}" data-verdict="{verdict.value}" aria-pressed="false"'
            f' title="{attribute(sign.meaning)}"><span class="count">{count}</span>'
            f'<span><span class="shape" aria-hidden="true">{sign.shape}</span> {verdict.value}</span></button>'
        )
    return f'<div class="totals" role="group" aria-label="Filter by verdict">{"".join(chips)}</div>'


def _filters(ledger: Ledger) -> str:
    fields = sorted({field for claim in ledger.claims for field in claim.fields})
    options = "".join(f'<option value="{attribute(field)}">{text(field)}</option>' for field in fields)
    kinds = "".join(f'<option value="{kind.value}">{kind.value}</option>' for kind in Kind)
    return (
        '<form class="filters" role="search" aria-label="Filter the claims">'
        '<label>Search <input type="search" id="search" placeholder="id, title, hypothesis" autocomplete="off"></label>'
        f'<label>Field <select id="field"><option value="">all</option>{options}</select></label>'
        f'<label>Evidence <select id="kind"><option value="">any</option>{kinds}</select></label>'
        '<label class="check"><input type="checkbox" id="surprising"> not as expected</label>'
        '<label class="check"><input type="checkbox" id="open"> not at its target</label>'
        '<button type="reset">Clear</button>'
        '<output id="shown" aria-live="polite"></output>'
        "</form>"
    )


def _table(ledger: Ledger) -> str:
    groups: dict[str, list[ClaimRecord]] = {}
    for claim in ledger.claims:
        groups.setdefault(suite_and_name(claim.id)[0], []).append(claim)
    bodies = "".join(_group(name, claims) for name, claims in groups.items())
    return (
        '<table class="claims"><caption class="hidden">All claims, in the order of the paper</caption>'
        '<thead><tr><th scope="col">Verdict</th><th scope="col">Claim</th><th scope="col">Statement</th>'
        f'<th scope="col">Evidence</th></tr></thead>{bodies}</table>'
        '<p id="nothing" hidden>No claim fits these filters.</p>'
    )


def _group(name: str, claims: list[ClaimRecord]) -> str:
    source = claims[0].source
    rows = "".join(_row(claim) for claim in claims)
    heading = f'<tr class="group"><th colspan="4" scope="rowgroup">{text(name)} · {text(source)}</th></tr>'
    return f"<tbody>{heading}{rows}</tbody>"


def _row(claim: ClaimRecord) -> str:
    surprising = "" if claim.verdict == claim.expected else ' <strong class="surprise">not as expected</strong>'
    older = ' <span class="note">earlier run</span>' if claim.older else ""
    unreached = claim.verdict != claim.target
    goal = f' <span class="note">to reach: {claim.target.value}</span>' if unreached and not surprising else ""
    words = " ".join([claim.id, claim.title, claim.source, *_hypotheses(claim), *(p.name for p in claim.parts)]).lower()
    kinds = " ".join(sorted({record.kind.value for part in claim.parts for record in part.evidence}))
    return (
        f'<tr class="claim" data-verdict="{claim.verdict.value}" data-fields="{attribute(" ".join(claim.fields))}"'
        f' data-kinds="{kinds}" data-words="{attribute(words)}" data-surprising="{int(bool(surprising))}"'
        f' data-open="{int(unreached)}" data-target="{attribute(anchor(claim.id))}">'
        f"<td>{verdict_chip(claim.verdict)}{surprising}</td>"
        f'<td><a href="#{attribute(anchor(claim.id))}">{text(claim.id)}</a></td>'
        f"<td>{text(claim.title)}{goal}{older}</td>"
        f'<td class="badges">{badges(claim)}</td></tr>'
    )


def _hypotheses(claim: ClaimRecord) -> Iterable[str]:
    return sorted({name for part in claim.parts for name in part.hypotheses})


def badges(claim: ClaimRecord) -> str:
    """A badge for each kind of evidence that is there, by its worst outcome, and for each that is required."""
    order = list(OUTCOMES)
    worst: dict[Kind, int] = {}
    for part in claim.parts:
        for record in part.evidence:
            worst[record.kind] = max(worst.get(record.kind, 0), order.index(record.outcome))
    shown = []
    for kind in Kind:
        if kind in worst:
            outcome = order[worst[kind]]
            shown.append(evidence_badge(kind.value, outcome, f"{KINDS[kind]}: {OUTCOMES[outcome].meaning}"))
        elif kind in claim.required:
            shown.append(evidence_badge(kind.value, Outcome.NOT_RUN, f"{KINDS[kind]}: required, and missing"))
    return " ".join(shown) or "none"
