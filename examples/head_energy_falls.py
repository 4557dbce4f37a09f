"""Draw how a head's energy falls while the total rises: the obstruction of Theorem 17, for three tokens on the circle.

    python examples/head_energy_falls.py docs/images/head-energy-falls.svg

Two orthogonal heads of rank one, M_1 = e_1 e_1^T and M_2 = e_2 e_2^T, at beta = 1. The tokens start nearer to the
second axis and gather there: the first head's energy falls, and the total never does (Theorem 11).
"""

from __future__ import annotations

import sys
from dataclasses import replace

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from antumbra.numerics.dynamics import System, head_energies
from antumbra.numerics.integrate import integrate

ANGLES = np.array([50.0, 62.0, 110.0])
UNTIL = 6.0


def main(target: str) -> None:
    """Integrate the flow and write the picture to `target` (SVG or PNG)."""
    mpl.rcParams["svg.hashsalt"] = "antumbra"
    radians = np.radians(ANGLES)
    tokens = np.stack([np.cos(radians), np.sin(radians)], axis=1)
    heads = np.stack([np.diag([1.0, 0.0]), np.diag([0.0, 1.0])])
    system = System(tokens=tokens, scores=heads, values=heads, beta=1.0)
    solution = integrate(system, UNTIL, rtol=1e-10)
    times = np.linspace(0.0, UNTIL, 241)
    states = np.stack([solution(t) for t in times])
    energies = np.stack([head_energies(replace(system, tokens=state)) for state in states])

    figure, (circle, curves) = plt.subplots(1, 2, figsize=(9.0, 3.6), gridspec_kw={"width_ratios": [1.0, 1.7]})
    full = np.linspace(0.0, 2.0 * np.pi, 361)
    circle.plot(np.cos(full), np.sin(full), color="0.8", linewidth=1.0)
    for token in range(len(ANGLES)):
        path = states[:, token]
        circle.plot(path[:, 0], path[:, 1], linewidth=2.0)
        circle.plot(*path[0], "o", color="0.2", markersize=6)
    circle.annotate("", xy=(1.18, 0.0), xytext=(0.0, 0.0), arrowprops={"arrowstyle": "->", "color": "C0"})
    circle.annotate("", xy=(0.0, 1.18), xytext=(0.0, 0.0), arrowprops={"arrowstyle": "->", "color": "C1"})
    circle.text(1.22, -0.05, "head 1", color="C0")
    circle.text(-0.17, 1.24, "head 2", color="C1")
    circle.set_aspect("equal")
    circle.set_xlim(-1.25, 1.75)
    circle.set_ylim(-0.3, 1.45)
    circle.axis("off")
    circle.set_title("three tokens on the circle", fontsize=10)

    curves.plot(times, energies[:, 0], label="head 1", color="C0", linewidth=2.0)
    curves.plot(times, energies[:, 1], label="head 2", color="C1", linewidth=2.0)
    curves.plot(times, energies.sum(axis=1), label="total", color="0.2", linewidth=2.0, linestyle="--")
    curves.set_xlabel("time")
    curves.set_ylabel("energy")
    curves.legend(frameon=False, loc="center right")
    curves.spines[["top", "right"]].set_visible(False)
    curves.set_title("one head's energy falls, the total never does", fontsize=10)
    figure.tight_layout()
    figure.savefig(target, metadata={"Date": None} if target.endswith(".svg") else None, dpi=150)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python examples/head_energy_falls.py FILE.svg")
    main(sys.argv[1])
