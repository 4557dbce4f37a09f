"""Where proofs, counterexamples and statements meet: the exact evidence of every row of the index.

A proof is a function of a `Proof`, filed with `proves`; a point is filed with `point`. Nothing here judges: `exact`
runs proofs through the kernel and points through the evaluator, and the stand-alone checker judges both again.
"""

from __future__ import annotations

import importlib
import importlib.util
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from antumbra.proofs.claim import Claim, Evidence, Kind, Part, Verdict
from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.kernel.proof import ProofFunction
from antumbra.proofs.kernel.signature import Signature

PROOF_MODULES = (
    "projection",
    "thm11_total_energy",
    "thm12_value_misalignment",
    "thm16_17_radial_shadows",
    "cond08_radial_dominance",
    "thm19_critical_temperature",
    "thm19_orthogonal_heads",
    "thm22_heterogeneous_heads",
    "thm22_splits",
    "thm22_late",
    "thm25_relu_softmax",
    "thm27_attention_entropy",
    "thm39_approximate_orthogonality",
    "open_questions",
    "counterexamples",
)


@dataclass(frozen=True)
class Row:
    """A row of `index.toml`: what is claimed where, and what is expected of it."""

    id: str
    title: str
    source: str
    fields: tuple[str, ...]
    target: Verdict
    expected: Verdict
    required: tuple[Kind, ...]


@dataclass(frozen=True)
class Point:
    """A model filed for a purpose: `holds`, `fails`, `ground`, `drop:NAME` or `mutant:NAME`."""

    claim: str
    part: str
    purpose: str
    model: Model
    note: str


PROOFS: dict[tuple[str, str], ProofFunction] = {}
POINTS: dict[tuple[str, str, str], Point] = {}
UNSUPPORTED: dict[tuple[str, str], str] = {}
EXTRA: dict[tuple[str, str], list[Callable[[], Evidence]]] = {}


def proves(claim: str, part: str) -> Callable[[ProofFunction], ProofFunction]:
    """File a function as the proof of a part.

    Raises:
        ValueError: the part has a proof already.
    """

    def register(function: ProofFunction) -> ProofFunction:
        known = PROOFS.get((claim, part))
        if known is not None and known.__code__.co_filename != function.__code__.co_filename:
            raise ValueError(f"{claim} ({part}) has two proofs; keep one")
        PROOFS[claim, part] = function
        return function

    return register


def point(claim: str, part: str, purpose: str, model: Model, note: str = "") -> None:
    """File a model: where a statement `holds` or `fails`, or fails once a hypothesis is dropped (`drop:NAME`).

    Raises:
        ValueError: there is one for that purpose already.
    """
    known = POINTS.get((claim, part, purpose))
    if known is not None and known.model != model:
        raise ValueError(f"{claim} ({part}) has two points for {purpose!r}; keep one")
    POINTS[claim, part, purpose] = Point(claim, part, purpose, model, note)


def unsupported(claim: str, part: str, reason: str) -> None:
    """Say why a statement is not supported, where it cannot be refuted by a point."""
    UNSUPPORTED[claim, part] = reason


def extra(claim: str, part: str) -> Callable[[Callable[[], Evidence]], Callable[[], Evidence]]:
    """File further exact evidence for a part (an enclosure, a second formula to many digits)."""

    def register(function: Callable[[], Evidence]) -> Callable[[], Evidence]:
        EXTRA.setdefault((claim, part), []).append(function)
        return function

    return register


# --- the index and the statements ------------------------------------------------------------------------------------


@cache
def rows() -> tuple[Row, ...]:
    """The rows of `index.toml`, in the paper's order.

    Raises:
        ValueError: an id occurs twice.
    """
    text = resources.files("antumbra.proofs").joinpath("index.toml").read_text(encoding="utf-8")
    found: dict[str, Row] = {}
    for entry in tomllib.loads(text)["claim"]:
        if entry["id"] in found:
            raise ValueError(f"the id {entry['id']} occurs twice in index.toml")
        found[entry["id"]] = Row(
            entry["id"],
            entry["title"],
            entry["source"],
            tuple(entry["fields"]),
            Verdict(entry["target"]),
            Verdict(entry["expected"]),
            tuple(Kind(k) for k in entry["required"]),
        )
    return tuple(found.values())


def statement(claim_id: str) -> Claim:
    """The claim of that id, with its parts; a row that is not formalised yet has one part without a formula.

    Raises:
        KeyError: no such row.
    """
    from antumbra.proofs.statements import claims

    if claim_id in OWN:
        return OWN[claim_id]
    if claim_id in claims():
        return claims()[claim_id]
    row = next((r for r in rows() if r.id == claim_id), None)
    if row is None:
        raise KeyError(f"no row {claim_id!r} in index.toml")
    return Claim(row.id, row.title, row.source, row.fields, (Part("assertion", None, row.title),))


def definitions() -> list[dict[str, Any]]:
    """The setting: symbols, definitions, flows and hypotheses, in order."""
    from antumbra.proofs.statements import claims

    claims()  # statements may add definitions of their own
    from antumbra.proofs.setting import DEFINITIONS

    return list(DEFINITIONS)


@cache
def signature() -> Signature:
    """The setting by name."""
    return Signature(definitions())


@cache
def load() -> None:
    """Import every module of proofs, so that they are filed."""
    from antumbra.proofs.statements import claims

    claims()
    for name in PROOF_MODULES:
        full = f"antumbra.proofs.{name}"
        if importlib.util.find_spec(full) is not None:
            importlib.import_module(full)


# --- claims of a user's own ----------------------------------------------------------------------------------------


class ClaimsFileError(ValueError):
    """A file of claims cannot be used; the message says why in one line."""


OWN: dict[str, Claim] = {}
_FILES: dict[str, tuple[Row, ...]] = {}


def add_file(path: str) -> tuple[Row, ...]:
    """Take in the claims of a Python file: its `CLAIMS`, with the proofs and points that it files as it runs.

    The file is its author's own code and runs as such. A claim is expected to be proved unless the file has
    `EXPECTED = {id: verdict}`.

    Raises:
        ClaimsFileError: the file cannot be run, has no claims, or uses an id that exists.
    """
    source = Path(path).resolve()
    if str(source) in _FILES:
        return _FILES[str(source)]
    load()
    signature.cache_clear()
    spec = importlib.util.spec_from_file_location(f"antumbra_claims_{len(_FILES)}", source)
    if spec is None or spec.loader is None or not source.is_file():
        raise ClaimsFileError(f"{path} is not a Python file that can be read; give the path of one")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise ClaimsFileError(f"{path} cannot be run: {type(error).__name__}: {error}") from error
    signature.cache_clear()
    found = tuple(getattr(module, "CLAIMS", ()))
    if not found or not all(isinstance(c, Claim) for c in found):
        raise ClaimsFileError(f"{path} has no claims; let it define CLAIMS = (Claim(...), ...)")
    known = {r.id for r in rows()} | OWN.keys()
    expected = dict(getattr(module, "EXPECTED", {}))
    for name in expected.keys() - {c.id for c in found}:
        raise ClaimsFileError(f"{path} expects a verdict of {name!r}, which is not among its claims")
    made = []
    for claim in found:
        if claim.id in known:
            raise ClaimsFileError(f"{path} claims {claim.id}, an id that exists; ids are permanent, choose another")
        known.add(claim.id)
        try:
            verdict = Verdict(expected.get(claim.id, Verdict.PROVED))
        except ValueError as error:
            allowed = ", ".join(v.value for v in Verdict)
            raise ClaimsFileError(
                f"{path} expects {expected[claim.id]!r} of {claim.id}, which is no verdict; allowed are {allowed}"
            ) from error
        made.append(Row(claim.id, claim.title, claim.source, claim.fields, verdict, verdict, ()))
    OWN.update({c.id: c for c in found})
    _FILES[str(source)] = tuple(made)
    return _FILES[str(source)]


# --- evidence --------------------------------------------------------------------------------------------------------


def evidence(claim_id: str, profile: str = "standard", seed: int = 1) -> list[tuple[str, Evidence]]:  # noqa: ARG001
    """All exact evidence of a claim, with the part that each is for. Profile and seed change nothing here."""
    from antumbra.proofs import exact

    return exact.evidence(claim_id)
