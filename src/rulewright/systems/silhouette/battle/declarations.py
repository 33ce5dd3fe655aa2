"""The declaration phase: extra actions and evasive maneuvers, said by everybody at once (book lines 4326-4330, 4981)."""

from collections.abc import Iterator

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
"""Extra actions that are offered; more can be asked of the gamemaster."""


def options_for(rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
    """What a unit may declare: nothing, extra actions at a price, or evasion, which takes the whole round."""
    yield Option("as usual", "As usual", Deed(kind="usual"))
    for extra in range(1, OFFERED + 1):
        deed = Deed(kind="extra", number=extra)
        yield Option(f"extra {extra}", f"{extra} extra action{'' if extra == 1 else 's'}: every test at {-extra}", deed)
    if unit.machine.build != "emplacement" and not unit.borne:
        yield Option("evade", "Evasive maneuvers: +3 on the defense, and no actions", Deed(kind="evade"))
    yield from boosts(unit)


def declare(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Every unit that can act says what it will do out of the ordinary; all of them at once."""
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
        battle = yield from _declared(rules, battle, unit, deed)
    return battle


def _declared(rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
    known = names_of(battle, unit.side)
    if deed.kind == "extra":
        sums = (extra_actions(int(actions_of(rules, unit).value), deed.number).reason,)
        yield from Tell(
            Announced(unit.name, f"takes {deed.number} extra action{'' if deed.number == 1 else 's'} this round", sums, known_to=known)
        )
        return battle.change(unit.name, extra=deed.number)
    if deed.kind == "boost":
        return (yield from boosted(rules, battle, unit, deed))
    if deed.kind == "evade":
        yield from Tell(Announced(unit.name, "evades this round", known_to=known))
        return battle.change(unit.name, evading=True)
    return battle
