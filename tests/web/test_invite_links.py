"""Getting in: links to seats work, invitations are good where others are, and a phone reads them."""

import re
from html import unescape

import pytest
from litestar.testing import TestClient
from tests.web.conftest import FREELY

from rulewright.errors import UserError
from rulewright.web.app import create_app
from rulewright.web.server.addresses import ServerAddresses, qr_code


def hosted(client: TestClient) -> str:
    return unescape(client.post("/host/open", data={"system": "scumm", "gamemaster": "Bea", "name": "The ford"}).text)


def links(page: str) -> dict[str, str]:
    return {name: re.search(rf'id="{name}" readonly value="([^"]+)"', page)[1] for name in ("invitation", "gamemaster")}


def test_the_link_to_lead_sits_down_from_another_device(tmp_path):
    app = create_app(str(tmp_path / "t.db"), FREELY)
    with TestClient(app) as one, TestClient(app) as other:
        found = links(hosted(one))
        path = found["gamemaster"].split("/", 3)[3]
        page = other.get(f"/{path}")
        assert page.status_code == 200
        assert "Take this seat" in page.text
        assert other.post(f"/{path}/sit", follow_redirects=False).status_code == 303
        table = re.search(r"tables/[^/]+", path)[0]
        assert 'aria-label="Table"' in other.get(f"/{table}").text


def test_the_link_to_a_seat_sits_down_from_another_device(tmp_path):
    app = create_app(str(tmp_path / "t.db"), FREELY)
    with TestClient(app) as bea, TestClient(app) as ana, TestClient(app) as phone:
        invitation = links(hosted(bea))["invitation"].split("/", 3)[3]
        ana.post(f"/{invitation}/sit", data={"name": "Ana", "role": "player"})
        table = re.search(r"tables/[^/]+", invitation)[0]
        me = ana.get(f"/api/{table}").json()["me"]["id"]
        page = unescape(ana.post(f"/{table}/act", data={"do": "renew link", "link": f"seat:{me}"}).text)
        path = re.search(r'id="link" readonly value="[^"/]+//[^/]+/([^"]+)"', page)[1]
        assert phone.get(f"/{path}").status_code == 200
        assert phone.post(f"/{path}/sit", follow_redirects=False).status_code == 303
        assert phone.get(f"/api/{table}").json()["me"]["name"] == "Ana"


def test_a_server_for_this_machine_alone_says_so(tmp_path):
    with TestClient(create_app(str(tmp_path / "t.db"), FREELY), base_url="http://127.0.0.1:8000") as client:
        page = hosted(client)
    assert "Only this machine can reach this server" in page
    assert 'class="square"' not in page


def test_a_public_address_makes_the_invitations(tmp_path):
    reach = ServerAddresses("0.0.0.0", 8123, "https://play.example.org/")
    with TestClient(create_app(str(tmp_path / "t.db"), FREELY, reach), base_url="http://127.0.0.1:8123") as client:
        page = hosted(client)
    assert links(page)["invitation"].startswith("https://play.example.org/tables/")
    assert "Only this machine" not in page
    assert 'class="square"' in page


def test_addresses_are_those_where_it_listens():
    assert [each.url for each in ServerAddresses().addresses()] == ["http://127.0.0.1:8000"]
    assert ServerAddresses().alone
    everywhere = ServerAddresses("0.0.0.0", 9000).addresses()
    assert everywhere[-1].url == "http://127.0.0.1:9000"
    assert all("0.0.0.0" not in each.url for each in everywhere)
    assert ServerAddresses("192.168.1.4", 9000).addresses()[0].url == "http://192.168.1.4:9000"
    assert ServerAddresses("0.0.0.0", 9000).addresses("http://10.0.0.5:9000/")[0].url == "http://10.0.0.5:9000"


@pytest.mark.parametrize("public", ["play.example.org", "ftp://x", "https://", "https://x?y=1"])
def test_a_public_address_that_is_none_is_refused(public):
    with pytest.raises(UserError):
        ServerAddresses(public=public)


def test_the_square_is_drawn_from_the_address():
    assert qr_code("https://a.example/1").startswith("<svg")
    assert qr_code("https://a.example/1") != qr_code("https://a.example/2")
