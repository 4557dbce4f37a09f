"""What was collected here, before anybody deselected any of it."""

from __future__ import annotations

import pytest

COLLECTED = pytest.StashKey[list[str]]()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    """Keeps the ids of the collected tests, so that they can be compared with the index."""
    session.stash[COLLECTED] = [item.nodeid for item in items]


@pytest.fixture
def collected(request: pytest.FixtureRequest) -> list[str]:
    """The ids of all tests of the session's collection."""
    return request.session.stash[COLLECTED]
