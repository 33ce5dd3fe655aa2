"""Webhooks against a real receiver: signed, in order, retried, only what everybody may see, never into a private network."""

import base64
import hashlib
import hmac
import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from table.group import gather

from rulewright.errors import UserError
from rulewright.play import Seeded
from rulewright.table import webhooks
from rulewright.table.commands import messages as a
from rulewright.table.permissions import Forbidden
from rulewright.table.service import Tables
from rulewright.web.server import webhook_delivery
from rulewright.web.server.webhook_delivery import NotDelivered, WebhookDelivery, resolve


@pytest.fixture
def receiver():
    """A receiver on this computer: what it got, and the statuses that it answers with before 204."""
    got, statuses = [], []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            got.append((dict(self.headers), self.rfile.read(int(self.headers["content-length"]))))
            status = statuses.pop(0) if statuses else 204
            self.send_response(status)
            if status == 302:
                self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/hook?room=1", got, statuses
    server.shutdown()
    server.server_close()


@pytest.fixture
def group(tmp_path):
    tables = Tables(str(tmp_path / "tables.db"), dice=Seeded(1))
    yield gather(tables)
    tables.close()


def texts(got):
    return [line["text"] for _, body in got for line in json.loads(body)["lines"]]


def test_every_event_is_delivered_once_and_signed(group, receiver):
    url, got, _ = receiver
    made = webhooks.add(group.tables, group.table, group.bea, url)
    delivery = WebhookDelivery(group.tables, local=True)
    group.act("ana", a.Say("The bell rings."))
    delivery.deliver(group.table)
    group.act("ana", a.Say("Twice."))
    delivery.deliver(group.table)
    delivery.deliver(group.table)
    assert texts(got) == ["The bell rings.", "Twice."]
    key = base64.b64decode(made.secret.removeprefix("whsec_"))
    for headers, body in got:
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
        assert headers["webhook-signature"] == "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert len({headers["webhook-id"] for headers, _ in got}) == 2


def test_whispers_and_secret_rolls_are_not_delivered(group, receiver):
    url, got, _ = receiver
    webhooks.add(group.tables, group.table, group.bea, url)
    group.act("ana", a.Say("only for you", (group.cleo,)))
    group.act("bea", a.WriteNote("A secret", "the purser did it", "gamemaster"))
    group.act("ana", a.Say("for all"))
    WebhookDelivery(group.tables, local=True).deliver(group.table)
    assert texts(got) == ["for all"]
    assert b"purser" not in b"".join(body for _, body in got)


def test_a_failed_delivery_is_tried_again_later_and_nothing_is_lost(group, receiver, monkeypatch):
    url, got, statuses = receiver
    webhooks.add(group.tables, group.table, group.bea, url)
    delivery = WebhookDelivery(group.tables, local=True)
    statuses += [500, 302]
    group.act("ana", a.Say("one"))
    delivery.deliver(group.table)
    hook = webhooks.shown(group.tables, group.table, group.bea)[0]
    assert (hook.failures, hook.stopped) == (1, False)
    assert "500" in hook.note
    delivery.deliver(group.table)  # not due yet
    assert len(got) == 1
    monkeypatch.setattr(webhooks, "now", lambda: webhook_delivery.now() + 3_600 * 1_000_000)
    delivery.deliver(group.table)  # a redirect is not followed
    monkeypatch.setattr(webhooks, "now", lambda: webhook_delivery.now() + 2 * 3_600 * 1_000_000)
    group.act("ana", a.Say("two"))
    delivery.deliver(group.table)
    assert texts(got) == ["one", "one", "one", "two"]
    assert webhooks.shown(group.tables, group.table, group.bea)[0].failures == 0


def test_an_address_that_is_gone_is_given_up(group, receiver):
    url, got, statuses = receiver
    webhooks.add(group.tables, group.table, group.bea, url)
    statuses.append(410)
    group.act("ana", a.Say("one"))
    WebhookDelivery(group.tables, local=True).deliver(group.table)
    assert webhooks.shown(group.tables, group.table, group.bea)[0].stopped
    assert len(got) == 1


def test_two_server_processes_do_not_deliver_the_same(group, receiver):
    url, got, _ = receiver
    webhooks.add(group.tables, group.table, group.bea, url)
    group.act("ana", a.Say("once"))
    assert len(webhooks.claim(group.tables, group.table, 60)) == 1
    assert webhooks.claim(group.tables, group.table, 60) == []
    WebhookDelivery(group.tables, local=True).deliver(group.table)
    assert got == []


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "10.0.0.8",
        "192.168.1.1",
        "169.254.169.254",
        "::1",
        "0.0.0.0",
        "::ffff:127.0.0.1",
        "100.64.0.1",
        "224.0.0.1",
    ],
)
def test_addresses_of_private_networks_are_refused(host):
    with pytest.raises(NotDelivered, match="private network"):
        resolve(host, 80)


def test_a_private_address_is_told_to_the_gamemaster(group, receiver):
    url, got, _ = receiver
    webhooks.add(group.tables, group.table, group.bea, url)
    group.act("ana", a.Say("one"))
    WebhookDelivery(group.tables).deliver(group.table)
    assert got == []
    assert "private network" in webhooks.shown(group.tables, group.table, group.bea)[0].note


@pytest.mark.parametrize(
    "url", ["", "example.org", "ftp://example.org/x", "file:///etc/passwd", "http://", "http://a:b@example.org", "http://[::1"]
)
def test_other_addresses_are_refused_in_one_sentence(group, url):
    with pytest.raises(UserError, match="webhook"):
        webhooks.add(group.tables, group.table, group.bea, url)
    assert all(member.role != "spectator" or member.name == "Dan" for member in group.view("bea").members)


def test_only_the_gamemaster_has_webhooks(group):
    for attempt in (
        lambda: webhooks.add(group.tables, group.table, group.ana, "https://example.org"),
        lambda: webhooks.shown(group.tables, group.table, group.ana),
        lambda: webhooks.remove(group.tables, group.table, group.ana, "x"),
    ):
        with pytest.raises(Forbidden):
            attempt()


def test_a_removed_webhook_or_spectator_hears_no_more(group, receiver):
    url, got, _ = receiver
    first = webhooks.add(group.tables, group.table, group.bea, url)
    webhooks.add(group.tables, group.table, group.bea, url)
    webhooks.remove(group.tables, group.table, group.bea, first.id)
    other = webhooks.shown(group.tables, group.table, group.bea)[0]
    group.act("bea", a.RemoveMember(other.member))
    group.act("ana", a.Say("one"))
    WebhookDelivery(group.tables, local=True).deliver(group.table)
    assert got == []
    assert webhooks.shown(group.tables, group.table, group.bea) == []


def test_the_page_adds_shows_and_removes_a_webhook(client):
    made = client.post("/api/tables", json={"system": "scumm", "name": "Friday", "gamemaster": "Bea"}).json()
    page = client.post(f"/tables/{made['table']}/webhooks/change", data={"url": "https://example.org/hook"}).text
    assert "whsec_" in page
    assert "whsec_" not in client.get(f"/tables/{made['table']}/webhooks").text
    hooks = client.get(f"/api/tables/{made['table']}/webhooks").json()
    assert [hook["url"] for hook in hooks] == ["https://example.org/hook"]
    assert "no webhooks" in client.post(f"/tables/{made['table']}/webhooks/change", data={"remove": hooks[0]["id"]}).text
