"""What happens: floating point with its errors, and rigorous numbers.

Nothing is imported here, so that `antumbra.numerics.quantities` starts without numpy, scipy, sympy or numba.

Modules:
    dynamics: the three fields and what is read off a configuration (energies, shadows, entropies).
    integrate: adaptive integration on the sphere, dense output, events, batches.
    sample: configurations and heads from one seed, and the defect of each named hypothesis.
    quantities: every number of the theory, enclosed.
    registry: where numerical evidence is declared and looked up.
    evaluate_terms, attack: a statement's terms as float functions, and the search for its counterexample.
"""
