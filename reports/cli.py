"""The command line: `antumbra`, and `python -m antumbra.reports`.

Results go to the standard output, progress and messages to the standard error. Exit codes: 0 as expected; 1 a verdict
or a check is not the expected one; 2 bad usage or bad input, in one line; 70 an error of ours, in one line with the
path of a log; 130 interrupted. Whatever costs time to import is imported by the command that needs it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from antumbra.reports.storage import InputError
from antumbra.reports.terminal import OK, UNEXPECTED, Interrupted, emit, emit_json, guarded

EPILOGS = {
    "verify": "Example: antumbra verify thm11 projection --jobs 2 --out verification",
    "report": "Example: antumbra report verification/ledger.json --format html --out pages",
    "list": "Example: antumbra list --json",
    "explain": "Example: antumbra explain thm11.sphere",
    "check": "Example: antumbra check verification/ledger.json",
    "evaluate": 'Example: antumbra evaluate "beta_star" H=2 n=64 alpha=1 --digits 30',
    "diff": "Example: antumbra diff old/ledger.json new/ledger.json",
}

JSON_OPTION = click.option("--json", "as_json", is_flag=True, help="Print JSON in place of text.")


def _print_version(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        from antumbra.reports.environment import version

        emit(f"antumbra {version()}")
        context.exit(OK)


class Commands(click.Group):
    """The group of all commands; an interruption reaches `guarded` as it is."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command.

        Raises:
            Interrupted: on Ctrl-C.
        """
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise Interrupted from None


@click.group(
    "antumbra",
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: antumbra verify --profile quick",
)
@click.option(
    "--version", is_flag=True, callback=_print_version, expose_value=False, is_eager=True, help="The version."
)
def antumbra() -> None:
    """Proofs, certificates and numerical evidence for the theory of multi-head self-attention as a gradient flow."""


@antumbra.command(epilog=EPILOGS["verify"])
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--profile", default="standard", show_default=True, help="quick, standard or deep.")
@click.option(
    "--claims",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE.py",
    help="A file with claims of your own; it alone is run unless IDs are given. Repeat for several.",
)
@click.option("--target", is_flag=True, help="Compare with the verdict to reach in the end, not with today's.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("verification"), show_default=True, help="Folder.")
@click.option("--jobs", type=int, default=None, help="Worker processes; as many as there are cores by default.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of everything that is sampled.")
@click.option("--no-cache", is_flag=True, help="Take nothing over from earlier runs.")
@JSON_OPTION
def verify(
    ids: tuple[str, ...],
    profile: str,
    claims: tuple[Path, ...],
    target: bool,
    out: Path,
    jobs: int | None,
    seed: int,
    no_cache: bool,
    as_json: bool,
) -> int:
    """Gather the evidence of claims, compute their verdicts, write the reports.

    ID is a whole id (thm22.late), or one that ends at a dot (thm22); none means all. Exit code 0 if and only if each
    verdict is the expected one.
    """
    from antumbra.reports.commands import run_verify

    return run_verify(
        ids,
        profile=profile,
        target=target,
        out=out,
        jobs=jobs,
        seed=seed,
        use_cache=not no_cache,
        as_json=as_json,
        claims=claims,
    )


@antumbra.command(epilog=EPILOGS["report"])
@click.argument("ledger", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), default=None, help="Folder; the ledger's own by default.")
@click.option("--format", "formats", multiple=True, help="html, md or junit; repeat for several. All by default.")
@JSON_OPTION
def report(ledger: Path, out: Path | None, formats: tuple[str, ...], as_json: bool) -> int:
    """Render a ledger that one was given."""
    from antumbra.reports.commands import run_report

    return run_report(ledger, out, formats, as_json=as_json)


@antumbra.command("list", epilog=EPILOGS["list"])
@JSON_OPTION
def list_command(as_json: bool) -> int:
    """Show the index: every claim in the paper's order, with the verdict expected and the one to reach."""
    from antumbra.reports.commands import run_list

    return run_list(as_json=as_json)


@antumbra.command(epilog=EPILOGS["explain"])
@click.argument("claim_id", metavar="ID")
@click.option("--latex", is_flag=True, help="Print the statement in LaTeX, to paste into a paper.")
@click.option(
    "--ledger",
    type=click.Path(path_type=Path),
    default=None,
    help="Ledger to take the evidence from; verification/ledger.json by default, if it is there.",
)
@JSON_OPTION
def explain(claim_id: str, latex: bool, ledger: Path | None, as_json: bool) -> int:
    """Show one claim: statement, hypotheses, proof and evidence."""
    from antumbra.reports.commands import run_explain

    return run_explain(claim_id, latex=latex, ledger_path=ledger, as_json=as_json)


@antumbra.command(epilog=EPILOGS["check"])
@click.argument("ledger", type=click.Path(path_type=Path))
@JSON_OPTION
def check(ledger: Path, as_json: bool) -> int:
    """Replay every certificate with the stand-alone checker.

    Exit code 1 when one is refused, or when a verdict that rests on a certificate lacks one.
    """
    from antumbra.reports.commands import run_check

    return run_check(ledger, as_json=as_json)


@antumbra.command(epilog=EPILOGS["evaluate"])
@click.argument("name", required=False)
@click.argument("parameters", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--digits", type=int, default=15, show_default=True, help="Significant digits, all of them proven.")
@click.option("--list", "show_list", is_flag=True, help="Show names, parameters, domains and formulas.")
@JSON_OPTION
def evaluate(name: str | None, parameters: tuple[str, ...], digits: int, show_list: bool, as_json: bool) -> int:
    """Compute a quantity of the theory rigorously."""
    from antumbra.reports.quantity import run_evaluate, run_list_quantities

    if show_list:
        return run_list_quantities(as_json=as_json)
    if name is None:
        raise InputError("evaluate needs the NAME of a quantity; `antumbra evaluate --list` shows them")
    return run_evaluate(name, parameters, digits=digits, as_json=as_json)


@antumbra.command(epilog=EPILOGS["diff"])
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
@JSON_OPTION
def diff(old: Path, new: Path, as_json: bool) -> int:
    """Compare two ledgers: claims, statements, verdicts and outcomes. Exit code 1 when they differ."""
    from antumbra.reports.difference import differences
    from antumbra.reports.ledger import load

    found = differences(load(old), load(new))
    if as_json:
        emit_json({"differences": found})
    elif found:
        emit("\n".join(found))
    else:
        emit("no difference in claims, statements, verdicts or outcomes")
    return UNEXPECTED if found else OK


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: the words after the program's name; those of the process by default.

    Returns:
        The exit code.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not words:
        words = ["--help"]

    def run() -> int:
        result: Any = antumbra.main(args=words, prog_name="antumbra", standalone_mode=False)
        return result if isinstance(result, int) else OK

    return guarded(run)
