"""After a battle: who of the casualties is dead, and what lasts (book line 5013)."""

from collections.abc import Mapping

from msgspec.structs import replace

from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import divided, rounded_down, term, total
from rulewright.scenes.scenarios import Lasts
from rulewright.systems.silhouette.breakage.crews import fate_of_casualty
from rulewright.systems.silhouette.breakage.events import Broken
from rulewright.systems.silhouette.fight.aftermath import body_after
from rulewright.systems.silhouette.harm.damage import stay_out
from rulewright.systems.silhouette.units.combined import joined
from rulewright.systems.silhouette.units.forms import at_home
from rulewright.systems.silhouette.units.people import is_person
from rulewright.systems.silhouette.units.setup import bodies_after, unit_after
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

ONE_BY_ONE = 6
"""Up to this number of casualties each is rolled for; of more, half are dead (ruling on "large crews")."""


def settle(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Roll for every casualty whose fate is open, and for how long the unconscious stay so."""
    for unit in battle.units:
        battle = battle.put((yield from _settle_unit(rules, at_home(unit))))
    return replace(battle, phase="over")


def _settle_unit(rules: Ruleset, unit: Unit) -> Play[Unit]:
    crew = unit.crew
    hurt = crew.lost + crew.lost_passengers - crew.dead
    if hurt > ONE_BY_ONE:
        dead = total("dead", term("casualties", hurt), divided("half", 2), rounded_down(), rule="sil-5.5.1-systems-damage")
        yield from Tell(Broken(unit.name, f"{dead.value} of {hurt} casualties are dead", (dead.reason,)))
        crew = replace(crew, dead=crew.dead + int(dead.value))
    else:
        died = 0
        for _ in range(hurt):
            died += yield from fate_of_casualty(rules, unit.voice, unit.name)
        if hurt > 1:
            yield from Tell(Broken(unit.name, f"{died or 'none'} of {hurt} casualties {'is' if died < 2 else 'are'} dead"))
        crew = replace(crew, dead=crew.dead + died)
    riders = []
    for rider in unit.riders:
        riders.append(replace(rider, body=(yield from stay_out(rules, rider.body))))
    return replace(unit, crew=crew, riders=tuple(riders))


def lasting(battle: Battle, who: str) -> Mapping[str, Lasts]:
    """Returns the lasting state of a unit or a character after a battle."""
    unit = battle.asked(who)
    if unit.part is not None and unit.name == who:
        return {}  # it is in the file of the whole machine
    if unit.name == who and not is_person(unit):
        bodies = [candidate for candidate in battle.units if candidate.part is not None and candidate.part.of == unit.name]
        if unit.split:
            unit, bodies = joined(unit, bodies)  # the file knows who is aboard the combined machine
        return unit_after(unit) | bodies_after(unit, "sections" if unit.machine.sections else "components", bodies)
    return body_after(next(rider for rider in unit.riders if rider.name == who).body)
