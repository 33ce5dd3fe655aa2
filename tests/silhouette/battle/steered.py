"""Battles of few units whose turn it is, for the tests of what flies, dives and drifts."""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from rulewright import library
from rulewright.play import Given, Played, Seeded, play, script
from rulewright.systems.silhouette.battle.actions.registry import options_of
from rulewright.systems.silhouette.battle.rounds import act, end_round
from rulewright.systems.silhouette.settings import BOOK
from rulewright.systems.silhouette.units.state import Battle

RULES = BOOK.ruleset()


def battle_of(scenario: str, active: str, *only: str, **fields: Any) -> Battle:
    """A ready-made battle in its first round, with one unit active; only these units where any are named. The others have done
    what they would, and fly on."""
    battle = library.stage(f"silhouette/{scenario}").state
    kept = [unit for unit in battle.units if not only or unit.name in only]
    units = tuple([unit if unit.name == active else replace(unit, used=99, spent=20, moved=True, done=True) for unit in kept])
    battle = replace(battle, units=units, phase="activation", round=1, active=active, turn=battle.unit(active).side)
    return battle.put(replace(battle.unit(active), **fields)) if fields else battle


def do(battle: Battle, *choices: Given, faces: Iterable[Sequence[int]] = ()) -> Played[Battle]:
    """One thing that the active unit does."""
    return script(act(RULES, battle), faces, choices)


def over(battle: Battle, *choices: Given, faces: Iterable[Sequence[int]] = ()) -> Played[Battle]:
    """The end of the round, for the active unit alone: the others fly on."""
    others = tuple([unit if unit.name == battle.active else replace(unit, spent=20) for unit in battle.units])
    active = battle.active
    played = script(end_round(RULES, replace(battle, units=others)), faces, choices)
    return replace(played, outcome=replace(played.outcome, active=active))


def keys(battle: Battle, name: str) -> set[str]:
    """What a unit may do now."""
    return {option.key for option in options_of(RULES, battle, battle.unit(name))}


def told(played: Played[Any]) -> list[str]:
    """What the log says."""
    return [event.headline() for event in played.events if event.logged]


def over_by_chance(battle: Battle, seed: int = 1) -> Played[Battle]:
    """The end of the round with dice that do not matter: who escapes a wreck, and what of it."""
    return play(end_round(RULES, battle), dice=Seeded(seed))
