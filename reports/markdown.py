"""The ledger as Markdown, for reading where there is no browser."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from antumbra.proofs.claim import Verdict
from antumbra.reports.formulas import Notation, plain
from antumbra.reports.ledger import ClaimRecord, Ledger, PartRecord
from antumbra.reports.words import OUTCOMES, VERDICTS

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$&!])")


def escape(text: str) -> str:
    """Text as it is, in Markdown: on one line, with nothing that starts markup."""
    flat = " ".join(text.split())
    return _SPECIAL.sub(lambda match: f"\\{match.group(1)}", flat).replace("\\<", "&lt;").replace("\\>", "&gt;")


def code(text: str) -> str:
    """Text as code, whatever back quotes it holds."""
    flat = " ".join(text.split()) or " "
    longest = max((len(run) for run in re.findall("`+", flat)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{fence}{pad}{flat}{pad}{fence}"


def table_code(text: str) -> str:
    """Code inside a table, where a bar would end the cell."""
    return code(text).replace("|", "\\|")


def anchor(claim_id: str) -> str:
    """The fragment of a claim, the same as in the page."""
    return "".join(c if c.isascii() and (c.isalnum() or c in "._-") else f"~{ord(c):x}~" for c in claim_id)


def verdict_table(rows: Iterable[tuple[Verdict, str, str]]) -> str:
    """The table of verdicts, from verdicts, ids and titles: also the one in the project's README."""
    lines = ["| verdict | claim | statement |", "|---|---|---|"]
    for verdict, claim_id, title in rows:
        lines.append(f"| {VERDICTS[verdict].shape} {verdict.value} | {table_code(claim_id)} | {escape(title)} |")
    return "\n".join(lines) + "\n"


def verdict_rows(ledger: Ledger) -> list[tuple[Verdict, str, str]]:
    """What the table says of a ledger's claims."""
    return [(claim.verdict, claim.id, claim.title) for claim in ledger.claims]


def totals_line(rows: Iterable[tuple[Verdict, str, str]]) -> str:
    """`12 proved, 3 undecided`."""
    counted = Counter(verdict for verdict, _, _ in rows)
    return ", ".join(f"{counted[verdict]} {verdict.value}" for verdict in VERDICTS if counted[verdict]) or "no claims"


def render(ledger: Ledger) -> str:
    """The whole report."""
    notation = Notation.of(ledger.definitions)
    lines = [
        "# Verdicts on multi-head self-attention as a gradient flow",
        "",
        f"Paper: {escape(ledger.paper)}. Digest: {code(ledger.digest)}.",
        f"Made by antumbra {escape(ledger.antumbra)}, profile {escape(ledger.profile)}, seed {ledger.seed}.",
        "",
        f"**{totals_line(verdict_rows(ledger))}**",
        "",
        verdict_table(verdict_rows(ledger)),
        "What the verdicts mean:",
        "",
        *(f"- {sign.shape} **{verdict.value}**: {sign.meaning}" for verdict, sign in VERDICTS.items()),
        "",
    ]
    for claim in ledger.claims:
        lines += _claim(claim, notation)
    return "\n".join(lines).rstrip() + "\n"


def _claim(claim: ClaimRecord, notation: Notation) -> list[str]:
    sign = VERDICTS[claim.verdict]
    lines = [
        f'<a id="{anchor(claim.id)}"></a>',
        "",
        f"## {sign.shape} {escape(claim.id)}: {escape(claim.title)}",
        "",
        f"*{escape(claim.source)}* · **{claim.verdict.value}** ({escape(claim.reason)})"
        + (f" · fields {escape(', '.join(claim.fields))}" if claim.fields else "")
        + (" · from an earlier run" if claim.older else ""),
        "",
    ]
    if claim.verdict != claim.expected:
        lines += [f"**Not as expected:** {claim.expected.value} was expected.", ""]
    elif claim.verdict != claim.target:
        lines += [f"To be reached in the end: {claim.target.value}.", ""]
    for note in (claim.source_note, claim.sharpness):
        if note:
            lines += [escape(note), ""]
    if claim.uses:
        lines += ["Uses " + ", ".join(table_code(name) for name in claim.uses) + ".", ""]
    for part in claim.parts:
        lines += _part(part, notation)
    return lines


def _part(part: PartRecord, notation: Notation) -> list[str]:
    sign = VERDICTS[part.verdict]
    lines = [f"### {sign.shape} {escape(part.name)}: {part.verdict.value}", "", escape(part.statement.text), ""]
    if part.statement.term is not None:
        lines += ["```text", plain(part.statement.term, notation).replace("```", "` ` `"), "```", ""]
    if part.hypotheses:
        lines += ["Hypotheses: " + ", ".join(table_code(name) for name in part.hypotheses) + ".", ""]
    if part.domain:
        lines += [
            "Domain: " + "; ".join(code(plain(formula.term or [], notation)) for formula in part.domain) + ".",
            "",
        ]
    for record in part.evidence:
        outcome = OUTCOMES[record.outcome]
        lines.append(f"- {outcome.shape} {record.kind.value}, {record.outcome.value}: {escape(record.summary)}")
    if not part.evidence:
        lines.append("- no evidence")
    return [*lines, ""]
