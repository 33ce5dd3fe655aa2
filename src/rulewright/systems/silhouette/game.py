"""Silhouette as the rest of the project sees it. Only dice and notation are loaded at once; everything else when it is asked for."""

from collections.abc import Iterable, Mapping
from typing import Any

from rulewright.build.audit import Audit
from rulewright.build.pieces import Sheet
from rulewright.dice.highest import Unskilled
from rulewright.dice.multiples import CountedPool
from rulewright.dice.written import HELP
from rulewright.play import Rolled, Sub, Tactic, sub
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason, at_least
from rulewright.scenes.scenarios import Placed, Scenario
from rulewright.scenes.scene import Scene
from rulewright.system import Shown, Staging, System
from rulewright.systems.silhouette.people.characters import Character
from rulewright.systems.silhouette.resolution.notation import parse, show, written_test
from rulewright.systems.silhouette.resolution.tests import Pool, reading
from rulewright.systems.silhouette.settings import BOOK

_RULES = {
    "extra tops": "sil-6.4.1-rdf-dice",
    "two tops": "sil-6.4.1-rdf-dice",
    "paired tops": "sil-6.4.1-rdf-dice",
    "highest": "sil-a-opt-highest-multiples",
    "any": "sil-a-opt-any-multiples",
}


class Silhouette(System):
    """Silhouette CORE: ten attributes, broad skills, three levels of reality."""

    id = "silhouette"
    name = "Silhouette CORE"
    about = "Keep the highest die of your skill: ten attributes, Complexity, Perks and Flaws, from gritty to cinematic."
    notation = HELP
    book = BOOK
    healing = ("sil-3.5.4-stabilizing", "sil-3.5.6-recovery", "sil-3.5.2-bruise")
    kinds: Mapping[str, type[Any]] = {"character": Character}

    def test(self, rules: Ruleset, notation: str) -> Sub[Any]:
        written = parse(notation)
        for pool in (written.pool, written.against):
            if isinstance(pool, Pool):
                reading(rules, pool)  # refuses here and now what cannot be rolled
        return sub(written_test, rules, written)

    def show(self, outcome: Any) -> Shown:
        return show(outcome)

    def explain(self, rolled: Rolled) -> tuple[Reason, ...]:
        """The sum behind a roll: what the dice gave, and what was added to them."""
        dice: Any = rolled.roll.reading
        unskilled = isinstance(dice, Unskilled) or (isinstance(dice, CountedPool) and dice.dice == 0)
        rule = "sil-1.2.4-unskilled-test" if unskilled else "sil-1.2.3-reading-dice"
        given = dice.explain(rolled.faces)
        terms = [Reason(label, value, "+", rule) for label, value in given[:1]]
        terms += [Reason(label, value, "+", _RULES.get(getattr(dice, "adds", ""), "sil-1.2.3-reading-dice")) for label, value in given[1:]]
        modifier = getattr(dice, "modifier", 0)
        if unskilled and rolled.result.fumble and modifier:
            terms.append(Reason("modifiers do not count on an unskilled fumble", 0, "+", rule))
        elif modifier:
            terms.append(Reason("modifier", modifier, "+", "sil-1.2.3-reading-dice"))
            if sum(int(each.value) for each in terms) < 0:
                terms.append(at_least(0, "no total is below", rule="sil-1.2.3-reading-dice"))
        return tuple(terms)

    def all_rounder(self, rules: Ruleset, kind: str) -> Any:
        from rulewright.systems.silhouette.build.archetypes import all_rounder

        return all_rounder(rules)

    def audit(self, rules: Ruleset, thing: Any) -> Audit:
        from rulewright.systems.silhouette.build.audit import audit

        return audit(rules, thing)

    def sheet(self, rules: Ruleset, thing: Any) -> Sheet:
        from rulewright.systems.silhouette.build.sheet import sheet

        return sheet(rules, thing)

    @property
    def tactics(self) -> Mapping[str, Tactic]:
        """How people decide in a fight who are not asked."""
        from rulewright.systems.silhouette.fight.scene import TACTICS

        return TACTICS

    def scene(self, rules: Ruleset) -> Scene[Any]:
        from rulewright.systems.silhouette.fight.scene import FightScene

        return FightScene(rules)

    def begin(self, rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> Any:
        from rulewright.systems.silhouette.fight.scene import begin

        return begin(rules, scenario, members)

    @property
    def scenes(self) -> Mapping[str, Staging]:
        """A fight, a chase, a contest of words, and days of somebody hurt."""
        from rulewright.systems.silhouette.scenes import STAGINGS

        return {**super().scenes, **STAGINGS}
