"""Bad input of every kind: exit code 2, one clear line, no traceback, nothing half written."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import hypothesis
import pytest
from antumbra.numerics.quantities import QUANTITIES, DomainError, UndecidedError, evaluate
from antumbra.reports import terminal
from antumbra.reports.cli import main
from antumbra.reports.ledger import Ledger, assemble, encode, load
from antumbra.reports.verify import verify
from hypothesis import strategies as st

GOOD = {
    "H": "2", "n": "64", "d": "4", "alpha": "1", "beta": "1", "beta_ratio": "6/5", "lambda": "1",
    "gamma": "0.5", "gamma0": "0.1", "gamma1": "0.9",
}  # fmt: skip


def refusal(*words: str, capsys: pytest.CaptureFixture[str]) -> str:
    """The one line with which a command refuses; it leaves the folder as it was."""
    before = sorted(Path.cwd().iterdir())
    code = main(words)
    printed = capsys.readouterr()
    assert (code, printed.out) == (2, ""), printed.err
    assert printed.err.count("\n") == 1
    assert printed.err.startswith("antumbra: ")
    assert printed.err.isprintable() or printed.err[:-1].isprintable()
    assert len(printed.err) < 700
    assert sorted(Path.cwd().iterdir()) == before
    return printed.err


# --- numbers and names of evaluate -----------------------------------------------------------------------------------

WRONG_NUMBERS = [
    "", " ", "x", "nan", "NaN", "inf", "-inf", "1e999999999", "-1e999999999", "1e9999999999999999999", "1/0", "0/0",
    "1//2", "0x10", "1_000", "1,5", "1e", "e5", "--1", "1 2", "٣", "1e5/1e-5/2", "9" * 5000, "1/" + "9" * 5000,
    "\ud800", "\0", "None",
]  # fmt: skip


@pytest.mark.parametrize("text", WRONG_NUMBERS, ids=lambda text: ascii(text)[:30])
@pytest.mark.parametrize(("name", "parameter"), [("c_star", "H"), ("phi", "beta"), ("critical_time", "gamma0")])
def test_what_is_no_number(name: str, parameter: str, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    given = {spec.name: GOOD[spec.name] for spec in QUANTITIES[name].parameters if spec.name != "beta_ratio"}
    given[parameter] = text
    line = refusal("evaluate", name, *(f"{key}={word}" for key, word in given.items()), capsys=capsys)
    assert parameter in line


@pytest.mark.parametrize("text", ["1.5", "0", "-1", "1/2", "2.0000001", "1e-3"])
@pytest.mark.parametrize("parameter", ["H", "n"])
def test_sizes_are_positive_integers(parameter: str, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    given = {"H": "2", "n": "64", "alpha": "1", parameter: text}
    line = refusal("evaluate", "beta_star", *(f"{key}={word}" for key, word in given.items()), capsys=capsys)
    assert f"{parameter} is {text}" in line
    assert "integers from" in line


@pytest.mark.parametrize("name", list(QUANTITIES))
def test_missing_unknown_and_doubled_parameters(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    specs = QUANTITIES[name].parameters
    words = [f"{spec.name}={GOOD[spec.name]}" for spec in specs if not spec.optional]
    for spec in specs:
        if not spec.optional:
            rest = [word for word in words if not word.startswith(f"{spec.name}=")]
            assert f"needs {spec.name}" in refusal("evaluate", name, *rest, capsys=capsys)
            assert "twice" in refusal("evaluate", name, *words, f"{spec.name}=1", capsys=capsys)
    assert "'kappa'" in refusal("evaluate", name, *words, "kappa=1", capsys=capsys)
    assert "key=value" in refusal("evaluate", name, *words, "kappa", capsys=capsys)


@pytest.mark.parametrize("name", ["", "betastar", "beta*", "C_STAR", "../c_star", "c_star ", "\x1b[31m", "x" * 5000])
def test_unknown_quantities(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "no quantity is named" in refusal("evaluate", name, "H=2", capsys=capsys)


@pytest.mark.parametrize("digits", ["0", "-5", "1.5", "many", "10001", "1e3"])
def test_wrong_numbers_of_digits(digits: str, capsys: pytest.CaptureFixture[str]) -> None:
    refusal("evaluate", "c_star", "H=2", "--digits", digits, capsys=capsys)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("gamma_exit H=2 n=64 lambda=1", "beta"),  # neither
        ("gamma_exit H=2 n=64 lambda=1 beta=1 beta_ratio=1", "beta"),  # both
        ("gamma_exit H=2 n=2 lambda=1 beta_ratio=1", "beta"),  # in units of what does not exist
        ("softmax_time lambda=1 beta=1 n=4 gamma0=-0.5 gamma1=0.5", "gamma0"),
        ("softmax_time lambda=1 beta=1 n=4 gamma0=0 gamma1=1.01", "gamma1"),
        ("entropy gamma=-0.34 lambda=1 beta=1 n=4", "gamma"),
        ("late_constant lambda=1 beta=1 n=4 gamma0=1", "gamma0"),
        ("crossing_beta d=1 n=4 lambda=1", "d is 1"),
        ("relu_time lambda=-1 n=4 gamma0=0.1 gamma1=0.5", "lambda"),
    ],
)
def test_outside_of_the_domain(words: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert says in refusal("evaluate", *words.split(), capsys=capsys)


@hypothesis.given(
    st.sampled_from(sorted(QUANTITIES)),
    st.dictionaries(st.sampled_from(sorted(GOOD)), st.text(st.characters(codec=None), max_size=8)),
)
@hypothesis.settings(max_examples=300, deadline=None)
def test_any_text_is_a_number_or_refused(name: str, words: dict[str, str]) -> None:
    given = {spec.name: GOOD[spec.name] for spec in QUANTITIES[name].parameters if not spec.optional}
    for key, text in words.items():
        if key in given:
            given[key] = text
    with contextlib.suppress(DomainError, UndecidedError):
        assert evaluate(name, given, 5).name == name


# --- ledgers ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The text of a ledger of one claim."""
    out = tmp_path_factory.mktemp("small")
    verify(["projection.symmetry"], "quick", out, 1)
    return (out / "ledger.json").read_text("utf-8")


@pytest.mark.parametrize("command", ["report", "check", "explain", "diff"])
def test_ledgers_of_another_format_or_damaged(command: str, small: str, capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(small)
    spoilt = {
        "later": json.dumps({**document, "format": "antumbra-ledger/2"}),
        "other": json.dumps({**document, "format": None}),
        "cut": small[: len(small) // 2],
        "list": "[]",
        "binary": "\0\1\2",
        "nan": json.dumps({**document, "seed": float("nan")}),
        "twice": json.dumps({**document, "claims": document["claims"] * 2}),
        "without": json.dumps({key: value for key, value in document.items() if key != "claims"}),
    }
    # The checker reads what stands in the file and trusts no digest.
    if command != "check":
        spoilt["changed"] = small.replace("projection.symmetry", "projection.symmetrx")
    for name, text in spoilt.items():
        if command == "check" and name in ("later", "other"):
            continue
        Path("ledger.json").write_text(text, "utf-8")
        words = {"explain": ("projection.symmetry", "--ledger"), "diff": ("ledger.json",)}.get(command, ())
        assert "ledger.json" in refusal(command, *words, "ledger.json", capsys=capsys) or name in ("twice", "without")


def test_a_ledger_of_another_version_is_read_but_not_merged(small: str) -> None:
    """Its format is the same, so it can be read; its verdicts are those of other code, so none is taken over."""
    old = load_text(small)
    other = assemble(
        version="0.0.1",
        profile=old.profile,
        seed=old.seed,
        definitions=old.definitions,
        claims=old.claims,
        figures=old.figures,
        environment=old.environment,
    )
    Path("out").mkdir()
    Path("out/ledger.json").write_text(encode(other), "utf-8")
    for words in (
        ["report", "out/ledger.json"],
        ["check", "out/ledger.json"],
        ["diff", "out/ledger.json", "out/ledger.json"],
    ):
        assert main(words) == 0
    assert main(["verify", "projection.annihilates_x", "--profile", "quick", "--out", "out", "--jobs", "1"]) == 0
    assert [claim.id for claim in load(Path("out/ledger.json")).claims] == ["projection.annihilates_x"]


def load_text(text: str) -> Ledger:
    Path("text.json").write_text(text, "utf-8")
    return load(Path("text.json"))


# --- where results go ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", ["list", "list --json", "evaluate --list", "explain thm11.sphere", "--help"])
def test_a_closed_pipe_is_quiet(words: str) -> None:
    command = f"{sys.executable} -W error -m antumbra.reports {words} | head -c 1"
    ran = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, timeout=120, check=False
    )
    assert (ran.returncode, len(ran.stdout), ran.stderr) == (0, 1, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a full disk is played by /dev/full")
@pytest.mark.parametrize(
    ("redirection", "words", "code"),
    [
        (">/dev/full", "c_star H=2", 2),
        (">&-", "c_star H=2", 0),
        ("2>/dev/full", "c_star H=0", 2),
        ("2>&-", "c_star H=0", 2),
    ],
)
def test_streams_that_cannot_be_written(redirection: str, words: str, code: int) -> None:
    command = f"{sys.executable} -W error -m antumbra.reports evaluate {words} {redirection}"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == code, ran.stderr
    assert "Traceback" not in ran.stderr
    assert ran.stderr.count("\n") <= 1


def test_control_characters_do_not_reach_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.complain("a\x1b[31mred\x07 name\nover two lines")
    assert capsys.readouterr().err == "antumbra: a\\x1b[31mred\\x07 name over two lines\n"


# --- Ctrl-C ----------------------------------------------------------------------------------------------------------


def interrupted(*words: str) -> subprocess.CompletedProcess[str]:
    """The end of a command that was interrupted once it had begun to compute."""
    code = (
        "import sys\n"
        "from antumbra.reports.cli import main\n"
        "import antumbra.numerics.quantities, antumbra.reports.quantity\n"
        "print('ready', file=sys.stderr, flush=True)\n"
        f"sys.exit(main({list(words)!r}))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ)
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    # It ends soon: the second of these would compute for a minute.
    out, err = process.communicate(timeout=20)
    return subprocess.CompletedProcess(words, process.returncode, out, err)


@pytest.mark.parametrize(
    "words",
    [
        # Within an integral, where compiled code calls Python back; and within a search for a root.
        "evaluate late_constant lambda=0.5 beta=1e5 n=2 gamma0=-0.5",
        "evaluate crossing_beta d=1e9 n=1e300 lambda=0.5",
    ],
)
def test_ctrl_c_while_a_quantity_is_computed(words: str) -> None:
    ran = interrupted(*words.split())
    assert (ran.returncode, ran.stdout) == (130, "")
    assert ran.stderr == "antumbra: interrupted; what was finished is kept for the next run\n"


def test_an_interruption_is_seen_through_other_exceptions(capsys: pytest.CaptureFixture[str]) -> None:
    def run() -> int:
        raise SystemError("returned a result with an exception set") from KeyboardInterrupt()

    assert terminal.guarded(run) == 130
    assert "interrupted" in capsys.readouterr().err
