"""Tables for the terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from antumbra.proofs.claim import Kind, Verdict
from antumbra.reports.ledger import ClaimRecord, Ledger
from antumbra.reports.markdown import totals_line, verdict_rows
from antumbra.reports.sources import Row
from antumbra.reports.terminal import colours_wanted, emit
from antumbra.reports.words import OUTCOMES, VERDICTS

CODES = {
    "green": "32",
    "cyan": "36",
    "magenta": "35",
    "red": "31",
    "blue": "34",
    "yellow": "33",
    "bold red": "1;31",
    "dim": "2",
}


def coloured(text: str, style: str, *, on: bool) -> str:
    """The text in a colour, where colours are wanted."""
    return f"\x1b[{CODES[style]}m{text}\x1b[0m" if on else text


def printable(text: str) -> str:
    """Text without control characters, which could rewrite the screen."""
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)


def printable_lines(text: str) -> str:
    """The same, line by line."""
    return "\n".join(map(printable, text.split("\n")))


def print_verdicts(ledger: Ledger, unexpected: Sequence[ClaimRecord], *, target: bool) -> None:
    """The final table of `verify`, and the totals."""
    on = colours_wanted(sys.stdout)
    surprising = {claim.id for claim in unexpected}
    width = max((len(printable(claim.id)) for claim in ledger.claims), default=0)
    for claim in ledger.claims:
        sign = VERDICTS[claim.verdict]
        word = coloured(f"{sign.shape} {claim.verdict.value:<9}", sign.style, on=on)
        line = f"{word}  {printable(claim.id):<{width}}  {evidence_marks(claim)}".rstrip()
        if claim.id in surprising:
            wanted = claim.target if target else claim.expected
            line += f"  {coloured('← expected ' + wanted.value, 'bold red', on=on)}: {printable(claim.reason)}"
        emit(line)
    emit("")
    emit(totals_line(verdict_rows(ledger)))
    if surprising:
        emit(f"{len(surprising)} not as expected")


def evidence_marks(claim: ClaimRecord) -> str:
    """`symbolic✓ flow✓ ablation?`: the worst outcome of each kind of evidence."""
    order = list(OUTCOMES)
    worst: dict[Kind, int] = {}
    for part in claim.parts:
        for record in part.evidence:
            worst[record.kind] = max(worst.get(record.kind, 0), order.index(record.outcome))
    return " ".join(f"{kind.value}{OUTCOMES[order[worst[kind]]].shape}" for kind in Kind if kind in worst)


def print_index(rows: Sequence[Row]) -> None:
    """The table of `list`."""
    width = max((len(row.id) for row in rows), default=0)
    for row in rows:
        expected, target = Verdict(row.expected), Verdict(row.target)
        goal = "" if expected is target else f" (to reach: {target.value})"
        emit(f"{printable(row.id):<{width}}  {expected.value:<9}  {printable(row.title)}{goal}")
