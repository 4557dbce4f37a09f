"""The files of the repository: nothing of one machine in them, and everything there that is promised."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

# Folders of a particular machine; a leading name or dot means that it is part of a longer, relative path.
MACHINE_PATH = re.compile(r"(?<![\w.}-])/(?:work|farm|root|tmp/plan|home/[a-z]+|Users/[A-Za-z]+)/")
DOCUMENT = re.compile(r"(?<![\w/.-])(?:[\w.-]+/)*([\w-]+\.md)\b")
SECTION = re.compile(r"\b([A-Z]{4,})(?:\.md)?,? (?:§|section \d)")
WRITTEN_BY_US = {"report.md"}
"""Documents that are made when the suite runs."""


def test_machine_path_is_recognised() -> None:
    for text in ("see /" + "work/main", '"/' + 'root/x"', "(/" + "tmp/plan/path)", "/" + "home/someone/x"):
        assert MACHINE_PATH.search(text), text
    for text in ("frame" + "work/main", "./" + "work/", "a/" + "root/b", "${x}/" + "root/"):
        assert not MACHINE_PATH.search(text), text


def test_no_machine_path(texts: dict[Path, str]) -> None:
    assert len(texts) > 10
    found = [
        f"{name}:{number}: {line.strip()}"
        for name, text in texts.items()
        for number, line in enumerate(text.splitlines(), 1)
        if MACHINE_PATH.search(line)
    ]
    assert found == []


def test_every_document_that_is_named_exists(files: tuple[Path, ...], texts: dict[Path, str]) -> None:
    documents = {name.name for name in files if name.suffix == ".md"} | WRITTEN_BY_US
    named = [
        f"{name} names {match[1]}"
        for name, text in texts.items()
        for match in DOCUMENT.finditer(text)
        if match[1] not in documents
    ]
    stems = {Path(document).stem for document in documents}
    named += [
        f"{name} names a section of {match[1]}"
        for name, text in texts.items()
        for match in SECTION.finditer(text)
        if match[1] not in stems
    ]
    assert named == []


@pytest.mark.parametrize(("script", "shell"), [("run", "sh"), (".ci/run", "bash")])
def test_script_is_executable_and_parses(root: Path, script: str, shell: str) -> None:
    assert os.access(root / script, os.X_OK)
    found = shutil.which(shell)
    assert found is not None
    ran = subprocess.run([found, "-n", str(root / script)], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize("arguments", [[], ["help"], ["--help"]])
def test_run_explains_itself_without_any_set_up(root: Path, tmp_path: Path, arguments: list[str]) -> None:
    copy = tmp_path / "with a space"
    copy.mkdir()
    shutil.copy2(root / "run", copy / "run")
    ran = subprocess.run(["sh", str(copy / "run"), *arguments], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "./run verify" in ran.stdout
    assert [path.name for path in copy.iterdir()] == ["run"]


@pytest.mark.parametrize(
    ("answer", "said"),
    [("print('3.10.2')\nprint('(too old)')", "3.10.2 (too old)"), ("raise SystemExit(1)", "found: none")],
)
def test_run_names_the_python_that_will_not_do(root: Path, tmp_path: Path, answer: str, said: str) -> None:
    shutil.copy2(root / "run", tmp_path / "run")
    python = tmp_path / "python"
    python.write_text(f"#!/usr/bin/env python3\n{answer}\n")
    python.chmod(0o755)
    environment = {**os.environ, "ANTUMBRA_PYTHON": str(python)}
    ran = subprocess.run(["sh", str(tmp_path / "run"), "list"], capture_output=True, text=True, env=environment)
    assert ran.returncode == 70
    assert said in ran.stderr
    assert "3.11" in ran.stderr
    assert not (tmp_path / ".venv").exists()


def linked_paths(readme: str) -> set[str]:
    """The files that a README speaks of: targets of relative links, and code spans that look like a path."""
    links = {
        target.partition("#")[0]
        for target in re.findall(r"\]\(([^)\s]+)\)", readme)
        if "://" not in target and not target.startswith(("#", "mailto:"))
    }
    images = set(re.findall(r"<img[^>]*src=\"([^\"]+)\"", readme))
    spans = {
        span
        for span in re.findall(r"(?<!`)`([^`\s]+)`(?!`)", readme)
        if re.fullmatch(r"(?:proofs|numerics|reports|docs|tests|examples|benchmarks|\.ci|\.github)/[\w./-]*", span)
    }
    return {path for path in links | spans | images if path and "://" not in path}


def test_linked_paths_are_recognised() -> None:
    text = "[a](docs/kernel.md#x) [b](#b) [c](https" + '://c) `proofs/x.py` `x/y` ``` `numerics/` <img src="p.png">'
    assert linked_paths(text) == {"docs/kernel.md", "proofs/x.py", "numerics/", "p.png"}


def test_what_the_readme_promises_exists(root: Path) -> None:
    readme = (root / "README.md").read_text("utf-8")
    assert "./run verify" in readme
    assert "./run test" in readme
    # `verification/` is made by a run.
    missing = [path for path in sorted(linked_paths(readme)) if not (root / path).exists()]
    assert [path for path in missing if not path.startswith("verification/")] == []


def test_citation_is_of_this_version_and_cites_the_paper(root: Path) -> None:
    citation = (root / "CITATION.cff").read_text("utf-8")
    version = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert f"\nversion: {version}\n" in citation
    assert "The antumbra contributors" in citation
    assert "2605.04279" in citation


def test_licence_is_whole(root: Path) -> None:
    text = (root / "LICENSE").read_text("utf-8")
    assert "Apache License" in text
    assert "END OF TERMS AND CONDITIONS" in text
