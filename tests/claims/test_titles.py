"""What a statement module says of a claim agrees with the index: one place to read is enough."""

from __future__ import annotations

import pytest
from antumbra.proofs import registry
from antumbra.proofs.statements import claims

ROWS = {row.id: row for row in registry.rows()}


@pytest.mark.parametrize("claim_id", sorted(claims()))
def test_source_and_fields_are_those_of_the_index(claim_id: str) -> None:
    claim, row = claims()[claim_id], ROWS[claim_id]
    assert (claim.source, set(claim.fields)) == (row.source, set(row.fields))
