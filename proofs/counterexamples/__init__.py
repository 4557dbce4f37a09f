"""Points filed by hand: one refutation, dropped hypothesis or witness per file; importing this files them all."""

from __future__ import annotations

import importlib
import pkgutil

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")
