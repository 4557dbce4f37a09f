"""What happens: floating point with its errors, and rigorous numbers.

Nothing but `os` is imported here, so that `antumbra.numerics.quantities` starts without numpy, scipy, sympy or numba.

Modules:
    dynamics: the three fields and what is read off a configuration (energies, shadows, entropies).
    integrate: adaptive integration on the sphere, dense output, events, batches.
    sample: configurations and heads from one seed, and the defect of each named hypothesis.
    quantities: every number of the theory, enclosed.
    registry: where numerical evidence is declared and looked up.
    evaluate_terms, attack: a statement's terms as float functions, and the search for its counterexample.
"""

import os

# One BLAS thread: the products here are small, and threads that wait for each other make them many times slower on a
# machine with other work. It counts only when numpy is not loaded yet; whoever sets the variable keeps the word.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
