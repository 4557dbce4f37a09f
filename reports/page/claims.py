"""One section per claim: statement, hypotheses, proof, evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from antumbra.proofs.claim import Kind, Outcome
from antumbra.reports.formulas.picture import Gallery
from antumbra.reports.formulas.shapes import Node
from antumbra.reports.ledger import ClaimRecord, EvidenceRecord, Ledger, PartRecord
from antumbra.reports.page.certificates import certificate_section, is_model, model_section
from antumbra.reports.page.markup import anchor, attribute, data_list, outcome_badge, text, verdict_chip


class ClaimWriter:
    """Writes the sections of the claims of one ledger."""

    def __init__(self, ledger: Ledger, gallery: Gallery) -> None:
        self.gallery = gallery
        self.known = {claim.id for claim in ledger.claims}
        self.amended_by = {claim.amends: claim.id for claim in ledger.claims if claim.amends}
        self.hypotheses: dict[str, Mapping[str, Any]] = {
            str(entry["hypothesis"]): entry for entry in ledger.definitions if "hypothesis" in entry
        }

    def section(self, claim: ClaimRecord) -> str:
        """The section of a claim; it opens when one follows its deep link."""
        name = attribute(anchor(claim.id))
        return (
            f'<details class="claim" id="{name}"><summary><h3>{verdict_chip(claim.verdict)} '
            f'<span class="id">{text(claim.id)}</span> <span class="title">{text(claim.title)}</span></h3></summary>'
            f'<div class="body">{self._about(claim)}{"".join(self._part(claim, part) for part in claim.parts)}</div>'
            "</details>"
        )

    def _about(self, claim: ClaimRecord) -> str:
        rows = [("Verdict", f"{claim.verdict.value}: {text(claim.reason)}")]
        if claim.verdict != claim.expected:
            rows.append(("Not as expected", f'<strong class="surprise">{claim.expected.value} was expected</strong>'))
        if claim.verdict != claim.target:
            rows.append(("To reach", claim.target.value))
        rows.append(("Source", text(claim.source)))
        if claim.source_note:
            rows.append(("Departure", text(claim.source_note)))
        if claim.fields:
            rows.append(("Field", text(", ".join(claim.fields))))
        if claim.sharpness:
            rows.append(("Sharpness", text(claim.sharpness)))
        if claim.uses:
            rows.append(("Uses", ", ".join(self._link(name) for name in claim.uses)))
        if claim.amends:
            rows.append(("Corrects", self._link(claim.amends)))
        if claim.id in self.amended_by:
            rows.append(("Corrected by", self._link(self.amended_by[claim.id])))
        rows.append(("Checker", "every certificate accepted" if claim.checked else "not accepted, or not asked"))
        if claim.older:
            rows.append(("Run", "taken over from an earlier run"))
        missing = [kind.value for kind in claim.required if not _has_kind(claim, kind)]
        if missing:
            rows.append(("Missing evidence", f'<strong class="surprise">{text(", ".join(missing))}</strong>'))
        items = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in rows)
        return f'<dl class="about">{items}</dl>'

    def _link(self, claim_id: str) -> str:
        if claim_id not in self.known:
            return f"<code>{text(claim_id)}</code> (not in this ledger)"
        return f'<a href="#{attribute(anchor(claim_id))}">{text(claim_id)}</a>'

    def _part(self, claim: ClaimRecord, part: PartRecord) -> str:
        heading = "" if len(claim.parts) == 1 else f"<h4>{verdict_chip(part.verdict)} {text(part.name)}</h4>"
        reason = "" if len(claim.parts) == 1 else f'<p class="note">{text(part.reason)}</p>'
        statement = (
            f'<div class="display">{self.gallery.formula(part.statement.term)}</div>'
            if part.statement.term is not None
            else '<p class="note">Not yet written as a formula, so nothing can be proved of it.</p>'
        )
        return (
            f'<div class="part">{heading}<p>{text(part.statement.text)}</p>{statement}{reason}'
            f"{self._ground(part)}{self._evidence(part)}</div>"
        )

    def _ground(self, part: PartRecord) -> str:
        items = [self._hypothesis(name, part) for name in part.hypotheses]
        items += [f"<li>{self._within(formula.term or [])}</li>" for formula in part.domain]
        if not items:
            return '<p class="note">No hypotheses.</p>' if part.statement.term is not None else ""
        return f'<h5>Hypotheses</h5><ul class="hypotheses">{"".join(items)}</ul>'

    def _hypothesis(self, name: str, part: PartRecord) -> str:
        entry = self.hypotheses.get(name)
        shown = f" {self._within(entry['formula'])}" if entry else ""
        words = f' <span class="note">{text(entry.get("text", ""))}</span>' if entry else ""
        if name in part.meaning:
            fate = '<span class="note">gives the letters their meaning</span>'
        else:
            without = [r for r in part.evidence if r.kind is Kind.ABLATION and _drops(r, name)]
            fate = "".join(f"<div>without it: {outcome_badge(r)} {text(r.summary)}</div>" for r in without)
        return f"<li><b>{text(name)}</b>{shown}{words} {fate}</li>"

    def _within(self, formula: Node) -> str:
        """A formula within a line, which can be scrolled where the line is too narrow for it."""
        return f'<span class="scroll">{self.gallery.formula(formula)}</span>'

    def _evidence(self, part: PartRecord) -> str:
        if not part.evidence:
            return '<p class="note">No evidence.</p>'
        return f"<h5>Evidence</h5>{''.join(self._item(record) for record in part.evidence)}"

    def _item(self, record: EvidenceRecord) -> str:
        inside = ""
        if record.certificate:
            inside += certificate_section(record.certificate, self.gallery)
        data = {key: value for key, value in record.data.items() if not (record.certificate and key in _TOLD_ELSEWHERE)}
        if data:
            inside += f'<div class="scroll">{data_list(data, _known_form)}</div>'
        head = f"{outcome_badge(record)} {text(record.summary)}"
        if not inside:
            return f'<div class="evidence">{head}</div>'
        loud = " open" if record.outcome in (Outcome.FAIL, Outcome.ERROR) else ""
        return f'<details class="evidence"{loud}><summary>{head}</summary>{inside}</details>'


_TOLD_ELSEWHERE = frozenset({"hypothesis", "drops", "sizes", "steps", "rules", "analysis"})
"""Data that the certificate shows already."""


def _known_form(value: Any) -> str | None:
    return model_section(value) if is_model(value) else None


def _has_kind(claim: ClaimRecord, kind: Kind) -> bool:
    return any(record.kind is kind for part in claim.parts for record in part.evidence)


def _drops(record: EvidenceRecord, name: str) -> bool:
    """Whether an ablation is about dropping that hypothesis."""
    dropped: Sequence[Any] = record.data.get("drops", ()) if isinstance(record.data.get("drops"), list) else ()
    certificate = record.certificate or {}
    listed = certificate.get("drops")
    return name in dropped or record.data.get("hypothesis") == name or (isinstance(listed, list) and name in listed)
