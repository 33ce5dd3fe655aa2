"""The declaration phase: extra actions and evasive maneuvers, declared by all units at once (book lines 4326-4330, 4981)."""

from collections.abc import Iterator

from rulewright.grammar import count
from rulewright.play import Choice, Option, Play, Tell, Together
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.base import About, Deed
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.battle.forms.boosters import boosted, boosts
from rulewright.systems.silhouette.battle.sensors.sightings import names_of
from rulewright.systems.silhouette.units.crews import actions_left, actions_of, extra_actions
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

OFFERED = 2
"""Extra actions that are offered; the gamemaster may allow more."""


def options_for(rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
    """Lists what a unit may declare: nothing, extra actions at a penalty, or evasion, which takes the whole round."""
    yield Option("as usual", "Nothing special", Deed(kind="usual"))
    for extra in range(1, OFFERED + 1):
        deed = Deed(kind="extra", number=extra)
        yield Option(f"extra {extra}", f"{count(extra, 'extra action')}: all tests at {-extra}", deed)
    if unit.machine.build != "emplacement" and not unit.borne:
        yield Option("evade", "Evasive maneuvers: +3 to defense, no actions", Deed(kind="evade"))
    yield from boosts(unit)


def declare(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Let every able unit declare extra actions or evasion, all at once."""
    asked = [unit for unit in battle.units if unit.able and actions_left(rules, unit) > 0]
    if not asked:
        return battle
    questions = [
        Choice(
            unit.voice,
            f"What does {unit.name} declare?",
            tuple(options_for(rules, battle, unit)),
            About(rules, battle, unit.name),
            "declare",
        )
        for unit in asked
    ]
    for unit, deed in zip(asked, (yield from Together(tuple(questions))), strict=True):
        battle = yield from _apply_declaration(rules, battle, unit, deed)
    return battle


def _apply_declaration(rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
    known = names_of(battle, unit.side)
    if deed.kind == "extra":
        sums = (extra_actions(int(actions_of(rules, unit).value), deed.number).reason,)
        yield from Tell(Announced(unit.name, f"takes {count(deed.number, 'extra action')} this round", sums, known_to=known))
        return battle.change(unit.name, extra=deed.number)
    if deed.kind == "boost":
        return (yield from boosted(rules, battle, unit, deed))
    if deed.kind == "evade":
        yield from Tell(Announced(unit.name, "takes evasive maneuvers this round", known_to=known))
        return battle.change(unit.name, evading=True)
    return battle
