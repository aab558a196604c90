"""One scheduler with two workers for all tests of other machines."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from distributed import Client

from tests.machines.farm import Farm, wait_until


@pytest.fixture(scope="session")
def farm_of_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Farm]:
    """A scheduler, and two workers that may still be starting."""
    farm = Farm(tmp_path_factory.mktemp("farm"))
    try:
        farm.add_worker()
        farm.add_worker()
        yield farm
    finally:
        farm.stop()


@pytest.fixture(scope="session")
def client(farm_of_session: Farm) -> Iterator[Client]:
    """A connection to the scheduler."""
    with Client(farm_of_session.address, set_as_default=False) as client:
        yield client


@pytest.fixture
def farm(farm_of_session: Farm, client: Client) -> Farm:
    """The scheduler with two workers, of which an earlier test may have killed one."""
    while len(farm_of_session.workers) < 2:
        farm_of_session.add_worker()
    wait_until(lambda: len(client.nthreads()) == 2)
    return farm_of_session
