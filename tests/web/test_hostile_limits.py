"""What a public server meets: requests with each value at and beyond its limits, without a server error."""

import tempfile
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from tests.web.conftest import FREELY
from tests.web.test_hostile_requests import read_schema, seated

from rulewright.web.app import create_app

pytestmark = pytest.mark.thorough

schema = read_schema(create_app(f"{tempfile.mkdtemp()}/tables.db", FREELY), at_limits=True)
SEATED, COOKIE, TABLE = seated()
tables = read_schema(SEATED, at_limits=True).include(path_regex="/api/tables/")


@schema.parametrize()
@settings(deadline=None, suppress_health_check=list(HealthCheck))
def test_no_request_at_the_limits_breaks_the_server(case: Any) -> None:
    answer = case.call()
    assert answer.status_code < 500, (case.path, answer.text)


@tables.exclude(path_regex="/stream$").parametrize()
@settings(deadline=None, suppress_health_check=list(HealthCheck))
def test_no_request_at_the_limits_of_somebody_who_sits_there_breaks_the_server(case: Any) -> None:
    case.path_parameters = {**case.path_parameters, "table": TABLE}
    answer = case.call(headers=COOKIE)
    assert answer.status_code < 500, (case.path, answer.text)
