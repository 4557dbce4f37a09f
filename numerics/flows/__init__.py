"""Numerical evidence, one module per theorem and one for its closed forms, filed in `antumbra.numerics.registry`.

Shared machinery:
    sampling: configurations that satisfy given hypotheses, of every kind of tokens and heads.
    compare: trajectories, and how far a quantity may stand from what a statement says of it.
    precise: two formulas for one number, enclosed.
    paths: flows that start equiangular.
    probing: vectorised searches for counterexamples of closed forms.
    stated: attacks on the very formulas of the statements.
    vectors: definitions on vectors of balls, a second route for closed forms.
    equilibria: all equilibria of a few tokens on the circle, by branch and prune.

Modules of theorems import no prover; what they transcribe are the statements of the paper, in floating point or balls.
"""
