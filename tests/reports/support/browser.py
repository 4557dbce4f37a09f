"""A headless Chromium, spoken to over its debugging pipe: no driver and no package needed."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find() -> str | None:
    """The path of a Chromium, if there is one."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """A page of a browser, as a context manager."""

    def __init__(self, program: str) -> None:
        self.program = program
        self.messages: list[str] = []
        self._count = 0
        self._buffer = b""

    def __enter__(self) -> Browser:
        self._profile = tempfile.mkdtemp()
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()

        def wire() -> None:
            # The browser reads its commands from 3 and answers on 4; high numbers first, lest one overwrite the other.
            low, high = os.dup2(to_browser, 103), os.dup2(from_browser, 104)
            os.dup2(low, 3)
            os.dup2(high, 4)

        options = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--hide-scrollbars"]
        options += [f"--user-data-dir={self._profile}", "--disable-background-networking", "--no-first-run"]
        self._process = subprocess.Popen(
            [self.program, *options, "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            close_fds=False,
            preexec_fn=wire,  # noqa: PLW1509
        )
        os.close(to_browser)
        os.close(from_browser)
        target = self._call("Target.createTarget", {"url": "about:blank"}, session=None)["targetId"]
        attached = self._call("Target.attachToTarget", {"targetId": target, "flatten": True}, session=None)
        self._session: str | None = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.wait(timeout=20)
        os.close(self._write)
        os.close(self._read)
        shutil.rmtree(self._profile, ignore_errors=True)

    def call(self, method: str, **parameters: Any) -> Any:
        """A command to the page."""
        return self._call(method, parameters, session=self._session)

    def _call(self, method: str, parameters: dict[str, Any], session: str | None) -> Any:
        self._count += 1
        message: dict[str, Any] = {"id": self._count, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._count:
                if "error" in answer:
                    raise RuntimeError(answer["error"]["message"])
                return answer["result"]

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            piece = os.read(self._read, 1 << 16)
            if not piece:
                raise RuntimeError("the browser ended")
            self._buffer += piece
        raw, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(raw)
        method = message.get("method", "")
        if method == "Runtime.exceptionThrown":
            self.messages.append(json.dumps(message["params"]["exceptionDetails"])[:500])
        if method == "Log.entryAdded" and message["params"]["entry"]["level"] in ("error", "warning"):
            self.messages.append(message["params"]["entry"]["text"])
        return message

    def evaluate(self, code: str) -> Any:
        """The value of a JavaScript expression, which may be a promise."""
        answer = self.call("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(str(answer["exceptionDetails"])[:500])
        return answer["result"].get("value")

    def open(self, path: Path, width: int = 1280, fragment: str = "", scheme: str = "light") -> None:
        """Open a file at a width, and wait until it is there."""
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 500
        )
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=path.as_uri() + fragment)
        while self.evaluate("document.readyState + location.protocol") != "completefile:":
            pass
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def picture(self, path: Path, *, whole: bool = False) -> None:
        """Save what is seen."""
        answer = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(answer["data"]))
