"""Duels of two machines on open terrain: distance, terrain and tactics."""

from collections.abc import Mapping
from typing import Any

from rulewright.errors import UserError
from rulewright.field.ground import Ground
from rulewright.rules import Ruleset, nearest
from rulewright.scenes.scenarios import Member, Placed, Scenario
from rulewright.system import Duel
from rulewright.systems.silhouette.battle.setup.setup import begin
from rulewright.systems.silhouette.battle.tactics.tactics import BATTLE_TACTICS
from rulewright.systems.silhouette.lab_view.battles import BattleScene
from rulewright.systems.silhouette.machines.vehicle import Vehicle
from rulewright.systems.silhouette.maneuver.terrain import terrains
from rulewright.systems.silhouette.units.state import Battle

ROUNDS = 30
GROUNDS = ("clear", "deep water", "water")
"""The terrains of a duel that names none, tried in this order."""
MOST_APART = 80
MARGIN = 6
"""Free hexes behind and beside each machine."""


def duel(rules: Ruleset, item: Any, other: Any, said: Mapping[str, str]) -> Duel:
    """A battle of two machines facing each other at a distance on one kind of terrain."""
    for thing in (item, other):
        if not isinstance(thing, Vehicle):
            raise UserError(f"{thing.name} is not a machine: a duel needs two machines")
    apart = _whole_number(said.get("range", "8"), "range", MOST_APART)
    wanted, tactic = said.get("terrain"), said.get("tactic", next(iter(BATTLE_TACTICS)))
    if wanted is not None and (wanted not in terrains(rules) or not wanted):
        raise UserError(f"terrain: there is no {wanted!r}{nearest(wanted, terrains(rules))}")
    if tactic not in BATTLE_TACTICS:
        raise UserError(f"tactic: there is no {tactic!r}{nearest(tactic, BATTLE_TACTICS)}")
    names = (item.name, other.name if other.name != item.name else f"{other.name} (the other)")
    state = {"level": _whole_number(said["level"], "level", 12)} if "level" in said else {}
    spots = ((float(MARGIN), float(MARGIN + 1)), (float(MARGIN + apart), float(MARGIN + 1)))
    members = [Placed(thing, name, name, at, state) for thing, name, at in zip((item, other), names, spots, strict=True)]
    battle = _begin_anywhere(rules, names, members, apart, (wanted,) if wanted is not None else GROUNDS)
    return Duel(BattleScene(rules), battle, BATTLE_TACTICS[tactic], names, ROUNDS)


def _begin_anywhere(rules: Ruleset, names: tuple[str, str], members: list[Placed], apart: int, grounds: tuple[str, ...]) -> Battle:
    """The battle on the first of some terrains on which both machines can be."""
    refused = None
    for terrain in grounds:
        ground = Ground(grid="hexes", cell=50, size=(apart + 2 * MARGIN, 2 * MARGIN + 1), terrain=terrain)
        title, sides = f"{names[0]} against {names[1]}", {name: [Member(name)] for name in names}
        scenario = Scenario("silhouette", "scenario", title, sides, scene="battle", map=ground, rounds=ROUNDS)
        try:
            return begin(rules, scenario, members)
        except UserError as error:
            refused = refused or error
    hint = 'no terrain suits both; --over "terrain=..." names one' if len(grounds) > 1 else "--over without a terrain chooses one"
    raise UserError(f"{refused} ({hint})")


def _whole_number(given: str, what: str, most: int) -> int:
    if not given.isdecimal() or not 0 <= int(given) <= most:
        raise UserError(f"{what} must be a whole number from 0 to {most}, not {given!r}")
    return int(given)
