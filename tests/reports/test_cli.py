"""The command line in processes of its own: exit codes, streams, one-line errors, closed pipes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from antumbra.reports.cli import EPILOGS, antumbra, main
from antumbra.reports.ledger import Ledger

ROOT = Path(__file__).resolve().parents[2]


def run(*words: str, env: dict[str, str] | None = None, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", **(env or {})}
    command = [sys.executable, "-W", "error", "-m", "antumbra.reports", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment, cwd=cwd)


def refused(*words: str, capsys: pytest.CaptureFixture[str]) -> str:
    """The one line on the standard error with which a command ends with exit code 2."""
    assert main(words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert "Traceback" not in captured.err
    assert captured.err.startswith("antumbra: ")
    return captured.err


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run on one real claim."""
    out = tmp_path_factory.mktemp("real")
    words = ["verify", "projection.symmetry", "--out", str(out), "--profile", "quick", "--jobs", "1", "--no-cache"]
    assert main(words) == 0
    return out


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"], *([name, "--help"] for name in EPILOGS)])
def test_help(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 0
    captured = capsys.readouterr()
    assert "Example: antumbra " in captured.out
    assert captured.err == ""


def test_every_command_has_an_example() -> None:
    assert set(antumbra.commands) == set(EPILOGS)
    for name, example in EPILOGS.items():
        assert f"antumbra {name}" in example


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("antumbra 0")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["verify", "thm99.nothing"], "unknown id 'thm99.nothing'"),
        (["verify", "thm11.spere"], "thm11.sphere"),
        (["verify", "--profile", "fast"], "unknown profile 'fast'"),
        (["verify", "--jobs", "0"], "jobs is 0"),
        (["verify", "--jobs", "many"], "many"),
        (["verify", "--seed", "-1"], "seed is -1"),
        (["verify", "--nonsense"], "--nonsense"),
        (["verify", "--out", "/dev/null/x", "projection"], "--out"),
        (["nonsense"], "nonsense"),
        (["report", "missing.json"], "missing.json"),
        (["report", "missing.json", "--format", "doc"], "unknown format 'doc'"),
        (["check", "missing.json"], "missing.json"),
        (["check"], "LEDGER"),
        (["explain", "thm99"], "unknown id 'thm99'"),
        (["explain", "thm11.sphere", "--ledger", "missing.json"], "missing.json"),
        (["diff", "missing.json", "missing.json"], "missing.json"),
        (["evaluate"], "NAME"),
        (["evaluate", "nothing"], "nothing"),
        (["evaluate", "c_star"], "H"),
        (["evaluate", "c_star", "H"], "key=value"),
        (["evaluate", "c_star", "H=2", "H=3"], "twice"),
        (["evaluate", "c_star", "H=-1"], "H"),
        (["evaluate", "c_star", "H=2", "--digits", "0"], "digits"),
        (["verify", "two\nlines"], "unknown id"),
    ],
)
def test_bad_usage_is_one_line_and_exit_2(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert message in refused(*words, capsys=capsys)
    assert list(tmp_path.iterdir()) == []


def test_bad_ledgers_are_one_line_and_exit_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "ledger.json"
    for content in ('{"format": "antumbra-ledger/1"}', "[NaN]", "", '{"a": 1, "a": 2}', "[" * 9999, '{"format": 3}'):
        path.write_text(content, "utf-8")
        for command in ("report", "check"):
            refused(command, str(path), capsys=capsys)
        refused("explain", "thm11.sphere", "--ledger", str(path), capsys=capsys)
        refused("diff", str(path), str(path), capsys=capsys)
    assert [entry.name for entry in tmp_path.iterdir()] == ["ledger.json"]


def test_report_writes_what_is_asked_for(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = str(folder / "ledger.json")
    assert main(["report", ledger, "--out", str(tmp_path), "--format", "md", "--format", "junit"]) == 0
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["junit.xml", "report.md"]
    assert main(["report", ledger, "--out", str(tmp_path)]) == 0
    for name in ("report.html", "report.md", "junit.xml"):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()
    assert str(tmp_path / "report.html") in capsys.readouterr().out


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert listed[0]["id"] == "projection.self_pairing"
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [row["id"] for row in listed]


def test_explain(
    capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["explain", "thm11.sphere"]) == 0
    text = capsys.readouterr().out
    assert "rate[usa_sphere](E)" in text
    assert max(map(len, text.splitlines())) <= 80
    assert main(["explain", "thm11.sphere", "--latex"]) == 0
    assert r"\frac{d}{dt}" in capsys.readouterr().out
    assert main(["explain", "fake.conflict", "--ledger", str(folder / "ledger.json")]) == 0
    text = capsys.readouterr().out
    assert "■ conflict" in text
    assert "✗ attack, fail: a violation" in text
    assert main(["explain", "fake.proved", "--ledger", str(folder / "ledger.json")]) == 0
    text = capsys.readouterr().out
    assert "   1. rate[sphere](E) ≥ 0\n        by the signs of its terms, from 0" in text
    assert main(["explain", "fake.proved", "--json", "--ledger", str(folder / "ledger.json")]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "proved"


def test_explain_shows_every_fake(capsys: pytest.CaptureFixture[str], folder: Path, ledger: Ledger) -> None:
    for claim in ledger.claims:
        for option in ([], ["--latex"], ["--json"]):
            assert main(["explain", claim.id, "--ledger", str(folder / "ledger.json"), *option]) == 0
        captured = capsys.readouterr()
        assert captured.err == ""


def test_evaluate(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "c_star", "H=2"]) == 0
    assert capsys.readouterr().out == "0.618033988749894\n"
    assert main(["evaluate", "c_star", "H=2", "--digits", "40", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["value"] == "0.6180339887498948482045868343656381177203"
    assert set(record) == {"name", "parameters", "value", "radius", "digits"}
    assert main(["evaluate", "beta_star", "H=1", "n=4", "alpha=1"]) == 0
    assert capsys.readouterr().out == "infinite\n"
    assert main(["evaluate", "--list"]) == 0
    assert "c_star(H)" in capsys.readouterr().out


def test_diff(folder: Path, real: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = str(folder / "ledger.json")
    assert main(["diff", ledger, ledger]) == 0
    assert "no difference" in capsys.readouterr().out
    assert main(["diff", ledger, str(real / "ledger.json"), "--json"]) == 1
    assert "projection.symmetry: only in the second" in json.loads(capsys.readouterr().out)["differences"]


def test_a_real_claim_is_proved_and_checked(real: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads((real / "ledger.json").read_text("utf-8"))["claims"][0]["verdict"] == "proved"
    assert main(["check", str(real / "ledger.json")]) == 0
    assert "1 accepted" in capsys.readouterr().out


def test_a_claim_without_its_certificate_fails_the_check(
    real: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = json.loads((real / "ledger.json").read_text("utf-8"))
    for part in document["claims"][0]["parts"]:
        for evidence in part["evidence"]:
            evidence["certificate"] = None
    path = tmp_path / "ledger.json"
    path.write_text(json.dumps(document), "utf-8")
    assert main(["check", str(path), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["accepted"] is False


def test_an_unexpected_verdict_is_exit_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from antumbra.reports import commands
    from antumbra.reports.sources import Sources

    monkeypatch.setattr(commands, "Sources", lambda: Sources("fake_proofs", "fake_numerics", "fake_checker"))
    words = ["verify", "--jobs", "1", "--profile", "quick", "--out", str(tmp_path)]
    assert main([*words, "fake.proved"]) == 0
    captured = capsys.readouterr()
    assert "● proved     fake.proved" in captured.out
    assert str(tmp_path / "report.html") in captured.out
    assert "\x1b" not in captured.out
    assert main([*words, "fake.open"]) == 0
    assert main([*words, "fake.open", "--target"]) == 1
    assert main([*words, "fake.surprise"]) == 1
    assert "← expected proved: no evidence decides it" in capsys.readouterr().out
    assert main([*words, "fake.surprise", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["unexpected"]["fake.surprise"]["wanted"] == "proved"


def test_an_error_of_ours_is_one_line_and_a_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import antumbra.reports.difference as difference

    def broken(_old: object, _new: object) -> list[str]:
        raise RuntimeError("a defect <é>")

    monkeypatch.setattr(difference, "differences", broken)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("antumbra.reports.ledger.load", lambda _path: None)
    assert main(["diff", "a", "b"]) == 70
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    (log,) = tmp_path.iterdir()
    assert str(log) in captured.err
    assert "a defect <é>" in log.read_text("utf-8")


def test_an_interruption_is_130(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(_path: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("antumbra.reports.ledger.load", interrupted)
    assert main(["diff", "a", "b"]) == 130
    assert capsys.readouterr().err.count("\n") == 1


def alive(group: int) -> list[str]:
    """The processes of a group that still run; ended ones that nobody has waited for do not count."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _parent, its_group = entry.read_text("utf-8").rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(its_group) == group and state not in "ZX":
            found.append(entry.parent.name)
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the processes are counted under /proc")
def test_ctrl_c_ends_the_workers_and_writes_nothing(tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-m", "antumbra.reports", "verify", "--no-cache", "--jobs", "2", "--out", str(out)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    deadline = time.monotonic() + 60
    while not out.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1.0)
    os.killpg(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr
    assert stdout == ""
    assert stderr.splitlines() == ["antumbra: interrupted; what was finished is kept for the next run"]
    assert list(out.iterdir()) == []
    deadline = time.monotonic() + 20
    while alive(process.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert alive(process.pid) == []


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -W error -m antumbra.reports list | head -n 1"
    ran = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, timeout=60)
    assert ran.stderr == ""
    assert ran.stdout.startswith("projection.self_pairing")
    assert ran.returncode == 0


def test_output_that_the_terminal_cannot_encode(folder: Path) -> None:
    words = ("explain", "fake.conflict", "--ledger", str(folder / "ledger.json"))
    ran = run(*words, env={"PYTHONIOENCODING": "ascii"})
    assert ran.returncode == 0, ran.stderr
    assert "\\u25a0 conflict" in ran.stdout


def test_colours_only_where_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    from antumbra.reports.terminal import colours_wanted

    class Terminal:
        def isatty(self) -> bool:
            return True

    terminal: object = Terminal()
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert colours_wanted(terminal)  # type: ignore[arg-type]
    monkeypatch.setenv("NO_COLOR", "1")
    assert not colours_wanted(terminal)  # type: ignore[arg-type]


QUICK = "import sys; from antumbra.reports.cli import main; code = main({words!r}); print(code, *sorted(sys.modules))"


@pytest.mark.parametrize(
    "words", [["--help"], ["evaluate", "c_star", "H=2"], ["evaluate", "--list"], ["evaluate", "x"]]
)
def test_quick_commands_import_nothing_heavy(words: list[str]) -> None:
    ran = subprocess.run([sys.executable, "-c", QUICK.format(words=words)], capture_output=True, text=True, timeout=60)
    modules = set(ran.stdout.splitlines()[-1].split())
    assert not modules & {"sympy", "numba", "numpy", "scipy", "matplotlib", "mpmath", "rich", "ziamath", "msgspec"}


def test_python_m_and_the_script_are_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    ran = run("evaluate", "c_star", "H=3")
    assert main(["evaluate", "c_star", "H=3"]) == 0
    assert ran.stdout == capsys.readouterr().out
    assert run("evaluate", "c_star", "H=0").returncode == 2


def test_progress_without_a_terminal_is_a_line_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from antumbra.reports import progress

    with progress.Progress() as quiet:
        quiet.step("one", 1, 3)
    monkeypatch.setattr(progress, "EVERY", 0.0)
    with progress.Progress() as talking:
        talking.step("two", 2, 3)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "antumbra: 2 of 3 claims done\n"


def test_progress_on_a_terminal_is_a_bar_that_goes_away(tmp_path: Path) -> None:
    import pty

    code = "from antumbra.reports.progress import Progress\nwith Progress() as bar: bar.step('thm<1>', 1, 2)"
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    with subprocess.Popen(
        [sys.executable, "-c", code], stderr=slave, stdout=subprocess.PIPE, env=environment
    ) as process:
        os.close(slave)
        shown = b""
        while True:
            try:
                piece = os.read(master, 4096)
            except OSError:
                break
            if not piece:
                break
            shown += piece
        assert process.stdout is not None
        assert process.stdout.read() == b""
    os.close(master)
    assert process.returncode == 0
    assert b"verifying" in shown
