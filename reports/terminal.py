"""How a command ends and what it prints where: exit codes, one-line errors, closed pipes, the log of our own errors."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
import traceback
from collections.abc import Callable
from typing import TextIO

import click
from antumbra.reports.storage import InputError

OK = 0
UNEXPECTED = 1
USAGE = 2
INTERNAL = 70
INTERRUPTED = 130


class Interrupted(Exception):  # noqa: N818
    """Ctrl-C, told without the blank line that click would print first."""


def emit(text: str) -> None:
    """Print a result. A reader who closed the pipe changes nothing of the exit code.

    Raises:
        InputError: it cannot be written, as on a full disk.
    """
    try:
        _print(text, sys.stdout)
    except OSError as error:
        _close_quietly(sys.stdout)
        raise InputError(f"cannot write to the standard output: {error.strerror or error}") from None


def emit_json(value: object) -> None:
    """Print a result as strict JSON."""
    emit(json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2))


def complain(message: str) -> None:
    """Print one line of error, control characters escaped. Where that fails, the exit code says enough."""
    line = "".join(
        character if character.isprintable() else repr(character)[1:-1] for character in " ".join(message.split())
    )
    try:
        _print(f"antumbra: {line}", sys.stderr)
    except OSError:
        _close_quietly(sys.stderr)


def _print(text: str, stream: TextIO) -> None:
    try:
        print(text, file=stream, flush=True)
    except UnicodeEncodeError:
        encoding = stream.encoding or "ascii"
        print(text.encode(encoding, "backslashreplace").decode(encoding), file=stream, flush=True)
    except BrokenPipeError:
        _close_quietly(stream)


def _close_quietly(stream: TextIO) -> None:
    """Let what is still buffered go nowhere, so that the interpreter does not complain at its end."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def colours_wanted(stream: TextIO) -> bool:
    """Whether to colour: on a terminal that knows colours, unless `NO_COLOR` is set."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def guarded(run: Callable[[], int]) -> int:
    """Run a command and turn whatever ends it into an exit code and, at most, one line on the standard error."""
    try:
        return run()
    except InputError as error:
        complain(str(error))
        return USAGE
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "antumbra"
        complain(f"{error.format_message()} (`{command} --help` shows the usage)")
        return USAGE
    except click.ClickException as error:
        complain(error.format_message())
        return USAGE
    except (KeyboardInterrupt, Interrupted, click.Abort):
        complain("interrupted; what was finished is kept for the next run")
        return INTERRUPTED
    except BrokenPipeError:
        _close_quietly(sys.stdout)
        return OK
    except Exception as error:  # noqa: BLE001  the last resort: an error of ours, told in one line and a log
        if _hides_an_interruption(error):
            complain("interrupted; what was finished is kept for the next run")
            return INTERRUPTED
        complain(f"an error of ours ({type(error).__name__}); details are in {_log()}")
        return INTERNAL


def _hides_an_interruption(error: BaseException | None) -> bool:
    """Whether an exception came from Ctrl-C: compiled code that calls back into Python turns it into another one."""
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return True
        error = error.__cause__ or error.__context__
    return False


def _log() -> str:
    """Write the traceback of the exception in hand to a new file; its path."""
    try:
        handle, path = tempfile.mkstemp(prefix="antumbra-error-", suffix=".log")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(traceback.format_exc())
    except OSError as error:
        return f"no log, for it could not be written ({error.strerror})"
    return path
