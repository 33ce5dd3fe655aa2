"""Declared speed: a unit that fires before its move declares its speed for the round first (book lines 4336-4340)."""

from rulewright.play import Choice, Option, Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.base import About
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.maneuver.speeds import combat_speed, half_speed, pace_of
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Pace, Unit

_WORDS: dict[Pace, str] = {
    "stationary": "Stand still: +2, no Movement Points",
    "half": "Half speed: +1, up to half the Movement Points",
    "combat": "Combat Speed: no modifier, all Movement Points",
}
_TOLD: dict[Pace, str] = {
    "stationary": "stands still this round",
    "half": "goes at half speed this round",
    "combat": "goes at Combat Speed this round",
}
_ORDER: tuple[Pace, ...] = ("stationary", "half", "combat")


def announce(rules: Ruleset, battle: Battle, unit: Unit, needs: int = 0) -> Play[Battle]:
    """Ask for a unit's speed for the whole round before its first attack; the answer is binding. A ram needs Movement Points, so that
    only speeds that allow it are offered."""
    unit = battle.bearer(unit)
    if unit.pace or unit.speed == "top" or unit.machine.build == "emplacement":
        return battle
    combat = combat_speed(unit, battle.place)
    now = pace_of(unit.spent + needs, combat)
    open_paces = [pace for pace in _ORDER[_ORDER.index(now) :] if pace != "half" or half_speed(combat).value > 0]
    spent_up = unit.points is not None and unit.spent >= unit.points
    if combat <= 0 or unit.shape.stretched or spent_up or len(open_paces) == 1 or unit.done:
        return battle.change(unit.name, pace=now)
    options = tuple([Option(pace, _WORDS[pace], pace) for pace in open_paces])
    pace = yield from Choice(unit.voice, "Which speed this round?", options, About(rules, battle, unit.name), "pace")
    yield from Tell(Announced(unit.name, _TOLD[pace]))
    return battle.change(unit.name, pace=pace)
