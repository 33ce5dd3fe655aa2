"""Databases for the tests: a SQLite file each, and fresh databases of one private PostgreSQL. Neither is ever skipped."""

from collections.abc import Callable, Iterator

import pytest

from rulewright.table.service import Tables
from table.cluster import Cluster


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    cluster = Cluster()
    yield cluster
    cluster.stop()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tables.db'}"
    return request.getfixturevalue("cluster").database()


@pytest.fixture
def opened(url: str) -> Iterator[Callable[..., Tables]]:
    """A function that opens the service on the test's database; each call acts as another server process."""
    made = []

    def again(**options) -> Tables:
        made.append(Tables(url, **options))
        return made[-1]

    yield again
    for tables in made:
        tables.close()


@pytest.fixture
def tables(opened: Callable[..., Tables]) -> Tables:
    return opened()


@pytest.fixture
def kept(tmp_path) -> Iterator[Tables]:
    """The service on SQLite alone, for what does not touch the database's own ways."""
    tables = Tables(f"sqlite:///{tmp_path / 'kept.db'}")
    yield tables
    tables.close()
