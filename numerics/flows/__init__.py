"""Numerical evidence, one module per theorem, filed with `antumbra.numerics.registry.evidence`.

Shared machinery:
    sampling: configurations that satisfy given hypotheses, of every kind of tokens and heads.
    compare: trajectories, and how far a quantity may stand from what a statement says of it.
    precise: two formulas for one number, enclosed.
    probing: vectorised searches for counterexamples of closed forms.

Modules of theorems import no prover; what they transcribe are the statements of the paper, in floating point or balls.
"""
