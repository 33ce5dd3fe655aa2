"""Life between scenes: a year for six people, and a roll request on its way to a phone, compared with an act of a fight."""

import tempfile
import time
from collections.abc import Iterator
from statistics import median
from typing import Any

from rulewright.campaign.roll_request import WantedTest
from rulewright.table import links
from rulewright.table.commands import campaign_messages as c
from rulewright.table.commands import messages as a
from rulewright.table.seats import Hosting
from rulewright.table.service import Tables

PEOPLE, ALLOWED, TIMES = 6, 5.0, 20
HURT = {"flesh": 1, "deep": 1}
WORK: dict[str, int | str] = {"aim": "the ledger", "unit": "9 hours", "test": "investigation", "against": "9", "total": "1000"}
"""Nine hours of work at two a day are done 81 times a year."""


def rows() -> Iterator[dict[str, Any]]:
    """A year with its dues against the time allowed, and the way of a request against that of an act."""
    with tempfile.TemporaryDirectory() as folder:
        tables = Tables(f"sqlite:///{folder}/tables.db")
        dues, seconds = _year(tables)
        name = f"a year for {PEOPLE} people at a table, {dues} dues with their rolls, log and digest"
        yield {"name": name, "ours": seconds, "peer": "the time allowed", "theirs": ALLOWED, "ratio": ALLOWED / seconds, "floor": 1.0}
        ask, act = _ways(tables)
        name = "a roll request until a player's page can show it"
        yield {"name": name, "ours": ask, "peer": "an answer in a fight, likewise", "theirs": act, "ratio": act / ask, "floor": 0.7}
        tables.close()


def _table(tables: Tables, people: int) -> tuple[Hosting, str, list[str]]:
    """A table with a player and so many characters, the first of them the player's."""
    made = tables.host("scumm", "Bench", "Gitte", links.token())
    player = tables.join(made.table, made.invitation, "Ana", links.token()).member
    characters = [
        tables.act(made.table, player if not number else made.member, a.AddCharacter(ready="detective", name=f"Person {number}")).made
        for number in range(people)
    ]
    return made, player, characters


def _year(tables: Tables) -> tuple[int, float]:
    made, player, characters = _table(tables, PEOPLE)
    tables.act(made.table, made.member, c.StartClock("3 March 1931"))
    for character in characters:
        tables.act(made.table, made.member, a.ChangeCharacter(character, "condition", HURT))
        tables.act(made.table, made.member, c.PlanActivity(character, "something else", WORK, 2))
    began = time.process_time()
    scene = int(tables.act(made.table, made.member, c.PassTime("1 year", tactics=True, stops=False)).made)
    for member in (made.member, player):
        tables.view(made.table, member)
        tables.log(made.table, member)
    seconds = time.process_time() - began
    with tables.looking(made.table) as table:
        state = table.scenes[scene].encounter.state
    assert state.now == 365 * 86_400, "the year did not pass in one piece"
    return state.dues, seconds


def _ways(tables: Tables) -> tuple[float, float]:
    """How long a roll request and an answer in a fight take until a player's view and news hold them."""
    made, player, (first, second) = _table(tables, 2)
    sides: dict[str, tuple[a.Placing, ...]] = {"north": (a.Placing(first, at=(0.0, 0.0)),), "south": (a.Placing(second, at=(6.0, 0.0)),)}
    fight = int(tables.act(made.table, made.member, a.BeginScene(name="A duel", sides=sides)).made)
    request = a.AskForRoll((first,), (WantedTest("notice", "4"),))
    asks, answers = [], []
    for _ in range(TIMES):  # by turns, so that both wait for the same disk
        began = time.perf_counter()
        scene = int(tables.act(made.table, made.member, request).made)
        _noticed(tables, made.table, player)
        asks.append(time.perf_counter() - began)
        tables.act(made.table, made.member, a.EndScene(scene))
        question = next(iter(tables.view(made.table, made.member).scenes[0].questions), None)
        if question is None:
            break
        action = a.RollDice(fight, question.at) if question.sort == "roll" else a.Decide(fight, question.at)
        began = time.perf_counter()
        tables.act(made.table, made.member, action)
        _noticed(tables, made.table, player)
        answers.append(time.perf_counter() - began)
    return median(asks[1:]), median(answers)


def _noticed(tables: Tables, table: str, player: str) -> None:
    """What the server does for one listener after a change: the news, and the page's view."""
    tables.heard(table, [(player, "")])
    tables.view(table, player)
