"""Small pieces of HTML; everything that comes from a ledger goes through `text` or `attribute`."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

from antumbra.proofs.claim import Outcome, Verdict
from antumbra.reports.ledger import EvidenceRecord
from antumbra.reports.words import KINDS, OUTCOMES, VERDICTS

_UNSHOWABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


def text(value: object) -> str:
    """Anything as the text of an element: escaped, control characters shown by their number."""
    return html.escape(_UNSHOWABLE.sub(lambda match: f"\\u{ord(match.group()):04x}", str(value)), quote=True)


attribute = text


def anchor(claim_id: str) -> str:
    """The fragment of a claim's deep link: its id, with what a fragment cannot hold spelled by number."""
    return "".join(c if c.isascii() and (c.isalnum() or c in "._-") else f"~{ord(c):x}~" for c in claim_id)


def verdict_chip(verdict: Verdict) -> str:
    """A verdict by shape, colour and word."""
    sign = VERDICTS[verdict]
    return (
        f'<span class="chip verdict {verdict.value}" title="{attribute(sign.meaning)}">'
        f'<span class="shape" aria-hidden="true">{sign.shape}</span> {verdict.value}</span>'
    )


def evidence_badge(record_kind: str, outcome: Outcome, explanation: str) -> str:
    """A kind of evidence and how it ended, by shape, colour and word."""
    sign = OUTCOMES[outcome]
    word = outcome.value.replace("_", " ")
    shown = record_kind if outcome is Outcome.PASS else f"{record_kind} {word}"
    return (
        f'<span class="badge {outcome.value}" title="{attribute(explanation)}">'
        f'<span class="shape" aria-hidden="true">{sign.shape}</span> {shown}</span>'
    )


def outcome_badge(record: EvidenceRecord) -> str:
    """The badge of one piece of evidence, with its outcome in words."""
    sign = OUTCOMES[record.outcome]
    explanation = f"{KINDS[record.kind]}: {sign.meaning}"
    word = record.outcome.value.replace("_", " ")
    return (
        f'<span class="badge {record.outcome.value}" title="{attribute(explanation)}">'
        f'<span class="shape" aria-hidden="true">{sign.shape}</span> {record.kind.value}: {word}</span>'
    )


def data_list(data: Any, show: Callable[[Any], str | None] = lambda _value: None, depth: int = 0) -> str:
    """JSON data as nested lists that a person can read.

    Args:
        data: the data.
        show: how to show values of a known form; `None` for all others.
        depth: how deep inside of other data it stands.
    """
    known = show(data)
    if known is not None:
        return known
    if isinstance(data, dict):
        if not data:
            return "<span>none</span>"
        if depth >= 4:
            return f"<code>{text(data)}</code>"
        rows = "".join(
            f"<dt>{text(str(key).replace('_', ' '))}</dt><dd>{data_list(value, show, depth + 1)}</dd>"
            for key, value in data.items()
        )
        return f'<dl class="data">{rows}</dl>'
    if isinstance(data, list):
        if all(not isinstance(item, dict | list) for item in data):
            return text(", ".join(_plain(item) for item in data)) or "none"
        if depth >= 4 or all(isinstance(item, list) for item in data):
            return f"<code>{text(data)}</code>"
        return '<ul class="data">' + "".join(f"<li>{data_list(item, show, depth + 1)}</li>" for item in data) + "</ul>"
    return text(_plain(data))


def _plain(value: Any) -> str:
    if value is True:
        return "yes"
    if value is False:
        return "no"
    if value is None:
        return "none"
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)
