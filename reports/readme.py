"""The table of verdicts in the project's README, made from a ledger."""

from __future__ import annotations

from collections.abc import Sequence

from antumbra.proofs.claim import Verdict
from antumbra.reports.ledger import Ledger
from antumbra.reports.markdown import totals_line, verdict_rows, verdict_table
from antumbra.reports.storage import InputError

BEGIN = "<!-- verdicts: made from the ledger; do not edit -->"
END = "<!-- end of verdicts -->"


def section(rows: Sequence[tuple[Verdict, str, str]]) -> str:
    """What stands between the markers, from verdicts, ids and titles."""
    return f"{totals_line(rows)}\n\n{verdict_table(rows)}"


def table_in(text: str) -> str:
    """What stands between the markers of a README.

    Raises:
        InputError: the markers are missing, double or in the wrong order.
    """
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        raise InputError(f"the README needs the lines {BEGIN!r} and {END!r}, once each and in this order")
    return text.partition(BEGIN)[2].partition(END)[0].strip("\n") + "\n"


def update(text: str, ledger: Ledger) -> str:
    """The README with its table replaced by that of the ledger.

    Raises:
        InputError: the markers are missing, double or in the wrong order.
    """
    table_in(text)
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{section(verdict_rows(ledger))}\n{END}{after}"


def main(arguments: list[str]) -> int:
    """`python -m antumbra.reports.readme README.md verification/ledger.json` rewrites the table in place."""
    import sys
    from pathlib import Path

    from antumbra.reports.ledger import load
    from antumbra.reports.storage import write_atomically

    if len(arguments) != 2:
        print("usage: python -m antumbra.reports.readme README.md ledger.json", file=sys.stderr)
        return 2
    path = Path(arguments[0])
    try:
        write_atomically(path, update(path.read_text("utf-8"), load(Path(arguments[1]))))
    except (OSError, InputError) as error:
        print(f"readme: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    import sys

    sys.exit(main(sys.argv[1:]))
