"""The ledger: the one record from which every report is made.

The records below are the format; `ledger.schema.json` is written from them (`python -m antumbra.reports.ledger`), and a
test holds the two together. No key is allowed that is not named here, except inside `data` and inside certificates.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
from antumbra.proofs.claim import Claim, Evidence, Kind, Outcome, Part, Quantifier, Verdict
from antumbra.reports.formulas.plain import plain
from antumbra.reports.storage import InputError, canonical_json, read_json, sha256

FORMAT: Literal["antumbra-ledger/1"] = "antumbra-ledger/1"
PAPER = "arXiv:2605.04279v2"
SCHEMA_FILE = Path(__file__).with_name("ledger.schema.json")


class SymbolRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A symbol of the setting."""

    symbol: str
    type: Literal["scalar", "vector", "operator"]
    indices: list[str]
    domain: Literal["real", "positive", "nonnegative"]
    text: str


class DefinitionRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A defined scalar or vector."""

    define: str
    type: Literal["scalar", "vector"]
    indices: list[str]
    parameters: list[str]
    body: list[Any]
    text: str


class MoveRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a flow moves one family of symbols."""

    symbol: str
    indices: list[str]
    velocity: list[Any]


class FlowRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A flow."""

    flow: str
    moves: list[MoveRecord]
    text: str


class HypothesisRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A named hypothesis."""

    hypothesis: str
    formula: list[Any]
    text: str


SETTING_RECORDS: dict[str, type[msgspec.Struct]] = {
    "symbol": SymbolRecord,
    "define": DefinitionRecord,
    "flow": FlowRecord,
    "hypothesis": HypothesisRecord,
}
"""What `definitions` holds, by the key that names it."""


class StatementRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a part asserts: in words, and as a term (`null` while it is not formalised)."""

    text: str
    term: list[Any] | None


class EvidenceRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One check of one part; `data` and `certificate` are free in form."""

    kind: Kind
    outcome: Outcome
    summary: str
    data: dict[str, Any]
    certificate: dict[str, Any] | None

    def evidence(self) -> Evidence:
        """The same as the vocabulary's record."""
        return Evidence(self.kind, self.outcome, self.summary, self.data, self.certificate)


class PartRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One assertion of a claim.

    `domain` is a list of formulas (their text is made from the term), `hypotheses` a list of names; `meaning` are those
    hypotheses that only give the
    letters their meaning; `reason` says in a sentence why the verdict is what it is.
    """

    name: str
    statement: StatementRecord
    quantifier: Quantifier
    domain: list[StatementRecord]
    hypotheses: list[str]
    meaning: list[str]
    verdict: Verdict
    reason: str
    evidence: list[EvidenceRecord]


class ClaimRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the theory.

    `checked` says whether the stand-alone checker accepted every certificate that the verdict rests on; `older` whether
    the row was taken over from an earlier run; `required` lists the kinds of evidence that the index asks for.
    """

    id: str
    title: str
    source: str
    source_note: str
    fields: list[str]
    uses: list[str]
    amends: str | None
    target: Verdict
    expected: Verdict
    required: list[Kind]
    verdict: Verdict
    reason: str
    checked: bool
    sharpness: str
    parts: list[PartRecord]
    seconds: float
    older: bool


class FigureRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A picture's data, and the command that makes it again."""

    id: str
    claim: str
    command: str
    data: dict[str, Any]


class Ledger(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole run."""

    format: Literal["antumbra-ledger/1"]
    antumbra: str
    paper: str
    profile: str
    seed: int
    definitions: list[dict[str, Any]]
    claims: list[ClaimRecord]
    figures: list[FigureRecord]
    totals: dict[str, int]
    environment: dict[str, Any]
    digest: str
    file_digest: str

    def claim(self, claim_id: str) -> ClaimRecord:
        """The row of that id.

        Raises:
            InputError: there is none.
        """
        for record in self.claims:
            if record.id == claim_id:
                return record
        raise InputError(f"the ledger has no claim {claim_id!r}; `antumbra list` shows the ids")

    def unexpected(self, *, target: bool = False) -> list[ClaimRecord]:
        """Rows of this run whose verdict is not the expected one (or not the target)."""
        return [row for row in self.claims if row.verdict != (row.target if target else row.expected) and not row.older]


def evidence_record(evidence: Evidence) -> EvidenceRecord:
    """The ledger's form of a piece of evidence.

    In the ledger a witness has passed when its point is certified, whichever way it speaks; the certificate's sense
    says whether the statement holds there or fails.

    Raises:
        ValueError, TypeError: its data or certificate is not strict JSON.
    """
    data = json.loads(canonical_json(dict(evidence.data)))
    certificate = None if evidence.certificate is None else json.loads(canonical_json(dict(evidence.certificate)))
    outcome = evidence.outcome
    if evidence.kind is Kind.WITNESS and certificate is not None and outcome is Outcome.FAIL:
        outcome = Outcome.PASS
    return EvidenceRecord(evidence.kind, outcome, evidence.summary, data, certificate)


def part_record(part: Part, evidence: Iterable[EvidenceRecord], verdict: Verdict, reason: str) -> PartRecord:
    """The ledger's form of a part with its evidence, in a fixed order: by kind, then as it came."""
    order = list(Kind)
    return PartRecord(
        name=part.name,
        statement=StatementRecord(part.text, None if part.statement is None else _listed(part.statement)),
        quantifier=part.quantifier,
        domain=[StatementRecord(plain(formula), _listed(formula)) for formula in part.domain],
        hypotheses=list(part.hypotheses),
        meaning=sorted(part.meaning),
        verdict=verdict,
        reason=reason,
        evidence=sorted(evidence, key=lambda record: order.index(record.kind)),
    )


def _listed(term: Sequence[Any]) -> list[Any]:
    """A term as nested lists, as JSON has it."""
    return [_listed(item) if isinstance(item, tuple | list) else item for item in term]


def content_digest(claims: Iterable[ClaimRecord], definitions: list[dict[str, Any]]) -> str:
    """SHA-256 over what two machines must agree on.

    Ids, definitions, statements, domains, hypotheses, verdicts, kinds and outcomes; no floats, seeds, versions, prose
    of the evidence or certificates.
    """
    rows = [
        {
            "id": claim.id,
            "verdict": claim.verdict.value,
            "parts": [
                {
                    "name": part.name,
                    "text": part.statement.text,
                    "term": part.statement.term,
                    "quantifier": part.quantifier.value,
                    "domain": [formula.term for formula in part.domain],
                    "hypotheses": part.hypotheses,
                    "verdict": part.verdict.value,
                    "evidence": [[item.kind.value, item.outcome.value] for item in part.evidence],
                }
                for part in claim.parts
            ],
        }
        for claim in claims
    ]
    return sha256({"definitions": definitions, "claims": rows})


def as_json(ledger: Ledger) -> dict[str, Any]:
    """The ledger as plain dictionaries and lists."""
    result: dict[str, Any] = msgspec.to_builtins(ledger)
    return result


def file_digest(document: Mapping[str, Any]) -> str:
    """SHA-256 over the whole document without its `file_digest`."""
    return sha256({key: value for key, value in document.items() if key != "file_digest"})


def assemble(
    *,
    version: str,
    profile: str,
    seed: int,
    definitions: list[dict[str, Any]],
    claims: list[ClaimRecord],
    figures: list[FigureRecord],
    environment: dict[str, Any],
) -> Ledger:
    """A ledger with its totals and digests."""
    totals = Counter(claim.verdict.value for claim in claims)
    ledger = Ledger(
        format=FORMAT,
        antumbra=version,
        paper=PAPER,
        profile=profile,
        seed=seed,
        definitions=definitions,
        claims=claims,
        figures=figures,
        totals={verdict.value: totals[verdict.value] for verdict in Verdict if totals[verdict.value]},
        environment=environment,
        digest=content_digest(claims, definitions),
        file_digest="",
    )
    return msgspec.structs.replace(ledger, file_digest=file_digest(as_json(ledger)))


def merge(new: Ledger, old: Ledger, order: list[str]) -> Ledger:
    """A run on some rows, completed by the rows of an earlier ledger of the same version, which are marked as older.

    Rows are in the order of `order`, and others (claims of a user's own from an earlier run) after them. The rows of
    the old ledger are dropped when a name has another definition in it, since their statements no longer mean what they
    meant, and when the version differs.
    """
    definitions = _joined(new.definitions, old.definitions)
    if old.antumbra != new.antumbra or definitions is None:
        return new
    fresh = {claim.id: claim for claim in new.claims}
    kept = {claim.id: msgspec.structs.replace(claim, older=True) for claim in old.claims if claim.id not in fresh}
    rows = {**kept, **fresh}
    order = list(dict.fromkeys([*order, *rows]))
    figures = {figure.id: figure for figure in (*old.figures, *new.figures)}
    return assemble(
        version=new.antumbra,
        profile=new.profile,
        seed=new.seed,
        definitions=definitions,
        claims=[rows[claim_id] for claim_id in order if claim_id in rows],
        figures=[figures[name] for name in sorted(figures)],
        environment=new.environment,
    )


def _joined(new: list[dict[str, Any]], old: list[dict[str, Any]]) -> list[dict[str, Any]] | None:
    """The new definitions and then those old ones that have other names; `None` when they disagree on a name."""
    known = {_name_of(entry): entry for entry in new}
    if any(known.get(_name_of(entry), entry) != entry for entry in old):
        return None
    return [*new, *(entry for entry in old if _name_of(entry) not in known)]


def _name_of(definition: dict[str, Any]) -> tuple[str, str]:
    kind = next(key for key in SETTING_RECORDS if key in definition)
    return kind, definition[kind]


def encode(ledger: Ledger) -> str:
    """The ledger as a file's text: strict JSON, one claim a line where a person can still find things."""
    document = as_json(ledger)
    claims = document.pop("claims")

    def written(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))

    # Certificates are deep: indented in full they would be five times as long.
    rows = ",\n".join(f"  {written(claim)}" for claim in claims)
    rest = ",\n".join(f" {written(key)}: {written(value)}" for key, value in document.items())
    return f'{{\n{rest},\n "claims": [\n{rows}\n ]\n}}\n'


def decode(document: Any, name: str = "the ledger") -> Ledger:
    """Check a parsed document against the format and its digests.

    Raises:
        InputError: not a ledger of this format, or damaged; the message says where.
    """
    if not isinstance(document, dict):
        raise InputError(f"{name} is not a ledger: it must be a JSON object")
    found = document.get("format")
    if found != FORMAT:
        raise InputError(f"{name} has the format {str(found)[:60]!r}; this version reads {FORMAT!r}")
    try:
        ledger = msgspec.convert(document, Ledger)
        for entry in ledger.definitions:
            kinds = [record for key, record in SETTING_RECORDS.items() if key in entry]
            if len(kinds) != 1:
                raise InputError(f"{name} is not a valid ledger: a definition is one of {', '.join(SETTING_RECORDS)}")
            msgspec.convert(entry, kinds[0])
    except msgspec.ValidationError as error:
        raise InputError(f"{name} is not a valid ledger: {error}") from None
    if file_digest(document) != ledger.file_digest:
        raise InputError(f"{name} is damaged: its file digest does not match its content")
    if content_digest(ledger.claims, ledger.definitions) != ledger.digest:
        raise InputError(f"{name} is damaged: its digest does not match its content")
    seen: set[str] = set()
    for claim in ledger.claims:
        if claim.id in seen:
            raise InputError(f"{name} is not a valid ledger: the claim {claim.id!r} stands in it twice")
        seen.add(claim.id)
    return ledger


def load(path: Path) -> Ledger:
    """Read a ledger's file strictly.

    Raises:
        InputError: see `decode` and `storage.read_json`.
    """
    return decode(read_json(path), str(path))


def record_claim(
    claim: Claim,
    *,
    uses: list[str],
    target: Verdict,
    expected: Verdict,
    required: list[Kind],
    parts: list[PartRecord],
    verdict: Verdict,
    reason: str,
    seconds: float,
) -> ClaimRecord:
    """A fresh row of the ledger, not yet looked at by the checker."""
    return ClaimRecord(
        id=claim.id,
        title=claim.title,
        source=claim.source,
        source_note=claim.source_note,
        fields=list(claim.fields),
        uses=uses,
        amends=claim.amends,
        target=target,
        expected=expected,
        required=required,
        verdict=verdict,
        reason=reason,
        checked=False,
        sharpness=claim.sharpness,
        parts=parts,
        seconds=round(seconds, 3),
        older=False,
    )


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a ledger, made from the records above."""
    made = msgspec.json.schema(Ledger)
    (*references,), components = msgspec.json.schema_components(SETTING_RECORDS.values(), ref_template="#/$defs/{name}")
    made["$defs"].update(components)
    made["$defs"]["Ledger"]["properties"]["definitions"]["items"] = {"oneOf": references}
    for name in (Kind.__name__, Outcome.__name__, Verdict.__name__, Quantifier.__name__):
        made["$defs"][name].pop("description", None)  # told where they are defined
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A ledger of antumbra", **made}


if __name__ == "__main__":
    SCHEMA_FILE.write_text(json.dumps(schema(), indent=2, sort_keys=True) + "\n", encoding="utf-8")
