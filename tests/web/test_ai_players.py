"""Thinking and hints over HTTP: worked out apart, woken by whoever acts, and given to nobody who may not have them."""

import asyncio

import pytest
from litestar.testing import TestClient
from tests.table.group import asked, duel, gather

from rulewright.errors import UserError
from rulewright.lab.search import Costly, Thought, Valued
from rulewright.play import Seeded
from rulewright.table.commands import messages as a
from rulewright.web.app import create_app
from rulewright.web.server.rate_limit import COSTLY, WAKES, RateLimiter
from rulewright.web.table import ai_players


@pytest.fixture
def app(tmp_path):
    application = create_app(f"sqlite:///{tmp_path / 'tables.db'}")
    application.state.tables._dice = Seeded(3)
    return application


def test_thinking_and_hints_are_costly_and_acting_wakes_who_plays_by_themselves():
    table = "0123456789abcdef"
    assert COSTLY.fullmatch(f"/tables/{table}/think")
    assert COSTLY.fullmatch(f"/tables/{table}/hints")
    assert COSTLY.fullmatch(f"/api/tables/{table}/scenes/1/hints")
    assert WAKES.fullmatch(f"/tables/{table}/act")[1] == table
    assert WAKES.fullmatch(f"/api/tables/{table}")[1] == table
    assert not WAKES.fullmatch(f"/tables/{table}/live")


def test_only_the_server_itself_has_others_think(app):
    group = gather(app.state.tables)
    with TestClient(app) as client:
        assert client.get(f"/tables/{group.table}/think").status_code == 403
        right = ai_players.token(app.state.tables, group.table)
        assert client.get(f"/tables/{group.table}/think", params={"token": right}).json() == {"answered": 0}


def test_after_somebody_acts_the_others_think_in_the_background_and_nobody_waits(app):
    group = gather(app.state.tables)
    number = duel(group)
    for who in ("Vesna", "Teodor"):
        group.act("bea", a.SetHand(number, who, tactic="plays easy"))
    assert group.tables.waiting(group.table) is not None

    async def looked_at() -> None:
        gate = RateLimiter(app)
        gate._start_ai_players(f"/tables/{group.table}")
        gate._start_ai_players(f"/tables/{group.table}")
        assert len(gate._ai_runs) == 1, "one at a time"
        await next(iter(gate._ai_runs.values()))
        assert not gate._ai_runs

    asyncio.run(looked_at())
    assert group.tables.waiting(group.table) is None
    left = [question.who for question in group.scene("bea").questions if question.sort == "choice"]
    assert not {"Vesna", "Teodor"} & set(left), "both played by themselves"


def test_a_hint_is_drawn_for_whoever_may_have_it(app):
    group = gather(app.state.tables)
    number = duel(group)
    question = asked(group, "ana") or asked(group, "cleo")
    waiting = group.tables.for_a_hint(group.table, group.bea, number, question.at, question.mark, "easy")
    thought = ai_players.hint(waiting)
    assert len(thought.options) == len(question.options)
    with TestClient(app) as client:
        where = f"/tables/{group.table}/hints?scene={number}&at={question.at}&question={question.mark}"
        assert client.get(where).status_code == 404, "who does not sit here hears of no table"


def test_who_plays_by_themselves_is_told_what_was_decided_before(app):
    group = gather(app.state.tables)
    number = duel(group)
    question = asked(group, "ana") or asked(group, "cleo")
    group.act("bea", a.Answer(number, question.options[0].key, question.at, question.mark))
    for who in ("Vesna", "Teodor"):
        group.act("bea", a.SetHand(number, who, tactic="plays easy"))
    waiting = group.tables.waiting(group.table)
    assert [given for _, _, given in waiting.past.decisions()] == [question.options[0].key]


def test_the_gamemaster_reads_how_somebody_seems_to_play():
    option = Valued("k0", "deed 0", 0.5, (0.4, 0.6), 10)
    thought = Thought("Ana", "?", "k0", "deed 0", "k0", options=(option,), playouts=20, seem={"Ilvane": "wrestler"})
    assert ai_players.explain(thought) == "deed 0 50% ± 10 (20 simulated fights; Ilvane seems to play by the tactic wrestler)"


def test_after_a_scene_a_member_sees_which_decisions_cost_most(app, monkeypatch):
    group = gather(app.state.tables)
    number = duel(group)
    with TestClient(app) as client:
        client.cookies.update({})
        with pytest.raises(UserError, match="when the scene is over"):
            group.tables.for_a_review(group.table, group.bea, number)
        group.act("bea", a.LeaveFight(number, "Vesna", "surrender"))
        played = group.tables.for_a_review(group.table, group.ana, number)
        option = Valued("k0", "Fall back", 0.64, (0.6, 0.7), 40), Valued("k1", "Stand", 0.51, (0.4, 0.6), 40)
        thought = Thought("Vesna", "?", "k0", "Fall back", "k1", option, 80, why="the enemy has less cover")
        monkeypatch.setattr(ai_players, "look_back", lambda *about, **how: [Costly(2, thought, 0.13)])
        assert played.people == ("Vesna",)
        (costly,) = ai_players.review(played)
        assert costly.sentence == "Round 2, Vesna: Fall back: 64% instead of 51% for stand, because the enemy has less cover"
    assert COSTLY.fullmatch("/tables/0123456789abcdef/scenes/1/review")
