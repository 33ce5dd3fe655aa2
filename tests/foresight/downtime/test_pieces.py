"""Hazards and plans in ForeSight do not depend on the pieces into which time is cut, each read again from the files."""

import msgspec
import pytest
from msgspec.structs import replace

from foresight.amy import AMY
from foresight.downtime.plans import GAME, RULES, SCENE, effect, person, plan, time
from rulewright.campaign.calendar import HOUR
from rulewright.campaign.downtime import read_runs
from rulewright.play import Player, Seeded
from rulewright.scenes.scene import run

CASES = {
    "poison": {"runs": ("poison", {"poison": "rattlesnake venom"})},
    "paralysis": {"runs": ("poison", {"poison": "gas", "does": "paralysis", "every": "2 min", "lasts": "7 min"})},
    "smoke": {"runs": ("no air", {"cause": "smoke", "prepared": "yes"})},
    "fire": {"runs": ("burning", {"cause": "camp fire", "rounds": "9", "where": "left leg"})},
    "drink": {"doing": ("drink", {"levels": "2", "time": "20 min"})},
    "vacuum": {"figures": {"pressure": 0}},
    "frost": {"figures": {"temperature": -35, "clothing": "none"}},
    "journey": {"doing": ("travel", {"to": "there", "km": "150", "vehicle": "Jeep", "how": "hasty", "unfamiliar": "yes"})},
}
CUTS = (0, 3, 41, 57, 61, 300, 307, 1_201, 3_599, 3_700, 2 * HOUR, 5 * HOUR)


def begun(case):
    runs = (effect(case["runs"][0], **case["runs"][1]),) if "runs" in case else ()
    doing = (plan(case["doing"][0], **case["doing"][1]),) if "doing" in case else ()
    return time(CUTS[-1], person(*doing, runs=runs), **case.get("figures", {}))


def read_again(state, until):
    """The same people later, each read again from what their file keeps."""
    people = []
    for who in state.people:
        kept = {field: lasts.value for field, lasts in SCENE.lasting(state, who.name).items()}
        character = replace(AMY, condition=msgspec.json.decode(msgspec.json.encode(kept)))
        people.append(replace(who, life=GAME.of(RULES, character, who.name), runs=read_runs(character.condition)))
    return replace(state, start=state.now, until=until, people=tuple(people), dues=0, stopped="")


def bodies(state):
    state = SCENE.settled(state)
    return [(replace(who.life, passing=False), who.runs, who.doing, who.location) for who in state.people]


@pytest.mark.parametrize("name", CASES)
def test_cutting_time_changes_nothing(name):
    for seed in range(4):
        whole, player = begun(CASES[name]), Player(Seeded(seed))
        together = Player(Seeded(seed)).run(run(SCENE, whole))
        state = whole
        for until in CUTS:
            state = player.run(run(SCENE, read_again(state, until) if until else replace(state, until=0)))
        assert bodies(state) == bodies(together) or together.stopped
