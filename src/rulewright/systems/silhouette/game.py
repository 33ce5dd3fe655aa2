"""Silhouette as a game system. Only dice and notation load at import; everything else on demand."""

from collections.abc import Mapping
from typing import Any

from rulewright.campaign.downtime_rules import DowntimeRules
from rulewright.campaign.generators import Generator
from rulewright.campaign.requests.rules import RequestRules
from rulewright.campaign.roll_request import Boost, Difficulty
from rulewright.dice.highest import Unskilled
from rulewright.dice.multiples import CountedPool
from rulewright.dice.notation import HELP
from rulewright.errors import UserError
from rulewright.highest_die.notation import explained, parse, show
from rulewright.play import Play, Rolled, Sub, sub
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason
from rulewright.system import Built, Crossing, Duel, Fought, Profile, Shown, Staging, Step, System
from rulewright.systems.silhouette.creatures.creatures import Creature
from rulewright.systems.silhouette.machines.vehicle import Vehicle
from rulewright.systems.silhouette.people.characters import Character
from rulewright.systems.silhouette.people.races import Race
from rulewright.systems.silhouette.resolution.dice_options import converted, sides_of_a_die
from rulewright.systems.silhouette.resolution.notation import written_test
from rulewright.systems.silhouette.resolution.tests import Pool, reading
from rulewright.systems.silhouette.settings import BOOK

_RULES = {
    "extra tops": "sil-6.4.1-rdf-dice",
    "two tops": "sil-6.4.1-rdf-dice",
    "paired tops": "sil-6.4.1-rdf-dice",
    "highest": "sil-a-opt-highest-multiples",
    "any": "sil-a-opt-any-multiples",
}


DRAFTED = (
    *("level", "role", "name", "sex", "stereotype", "trade", "twist", "motivation", "appearance", "behavior", "clothing", "age", "height"),
    *("weight", "hair", "eyes", "talent", "weakness", "leaning", "hobby", "kit"),
)
"""Properties of a random character that can be set in advance."""


class Silhouette(System):
    """Silhouette CORE: ten attributes, broad skills, three levels of reality."""

    id = "silhouette"
    name = "Silhouette CORE"
    about = "Roll your skill and keep the highest die: ten attributes, Complexity, Perks and Flaws, from gritty to cinematic."
    profile = Profile("Gritty to cinematic. Walkers and tanks on the same map as people with rifles.", "d6, keep the highest", (10, 25), 3)
    notation = HELP
    book = BOOK
    healing = ("sil-3.5.4-stabilizing", "sil-3.5.6-recovery", "sil-3.5.2-bruise")
    steps: Mapping[str, tuple[Step, ...]] = {
        "character": (
            Step("Concept", "A name and a short concept.", rule="sil-2.0-creation-sequence"),
            Step("Attributes", "Buy the ten attributes.", "Attributes", "Character Points", "sil-2.0-creation-sequence"),
            Step("Skills", "Spend all Skill Points.", "Skills", "Skill Points", "sil-2.0-creation-sequence"),
            Step(
                "Perks and Flaws",
                "Optional: Perks cost Skill Points, Flaws add some.",
                "Perks and Flaws",
                "Skill Points",
                "sil-a-perks-flaws-step",
            ),
            Step(
                "Secondary values",
                "These follow from your attributes and skills. Check the results.",
                "Derived",
                "",
                "sil-2.0-creation-sequence",
                ("Tests",),
            ),
            Step("Gear", "What you carry. The chance is your own with each weapon.", "Gear", rule="sil-a-melee-weapons"),
        )
    }
    usual_target = "5"
    raised_by: Mapping[str, tuple[str, Mapping[str, str]]] = {
        "skills": ("purchase", {"buy": "skill"}),
        "complexity": ("purchase", {"buy": "complexity"}),
        "attributes": ("purchase", {"buy": "attribute"}),
    }
    kinds: Mapping[str, type[Any]] = {"character": Character, "vehicle": Vehicle, "creature": Creature, "race": Race}
    built: Mapping[str, Built] = {
        "character": Built(),
        "vehicle": Built("machines.starting_machine:plain_vehicle", "machines.audit.audit:audit", "machines.sheet.sheet:sheet"),
        "creature": Built("creatures.starting_points:plain_creature", "creatures.audit:audit_creature", "creatures.sheet:creature_sheet"),
        "race": Built("creatures.starting_points:plain_race", "creatures.audit:audit_race", "creatures.sheet:race_sheet"),
    }
    named_like: Mapping[str, str] = {
        "specializations.*": "skills.*",
        "covers.*": "skills.*",
        "favored.*": "skills.*",
        "complexity.*": "skills.*",
        "shifts.*": "attributes.*",
    }
    portrayal_of = "build.portrait:PORTRAYAL"
    fought = Fought(scene="lab_view.scene:FightScene")

    @property
    def glossary(self) -> Mapping[str, str]:  # type: ignore[override]
        """Returns abbreviations with explanations."""
        from rulewright.systems.silhouette.glossary import glossary

        return glossary()

    def test(self, rules: Ruleset, notation: str) -> Sub[Any]:
        written = parse(notation, Pool)
        for pool in (written.pool, written.against):
            if isinstance(pool, Pool):
                reading(rules, pool)  # refuses here and now what cannot be rolled
        return sub(written_test, rules, written)

    def remark(self, rules: Ruleset, notation: str) -> str:
        try:
            against = parse(notation, Pool).against
        except UserError:  # plain dice
            return ""
        if not isinstance(against, int):
            return ""
        counted = converted(rules, against)
        return f"Threshold {against} is {counted} with {sides_of_a_die(rules)}-sided dice." if counted != against else ""

    def show(self, outcome: Any) -> Shown:
        return show(outcome)

    def difficulties(self, rules: Ruleset) -> tuple[Difficulty, ...]:
        from rulewright.systems.silhouette.resolution.tests import DIFFICULTIES

        return tuple(Difficulty(row.name, str(row.threshold), rule="sil-1.2.4-thresholds") for row in DIFFICULTIES(rules).values())

    @property
    def requests(self) -> RequestRules:
        from rulewright.systems.silhouette.downtime.requests import REQUESTS

        return REQUESTS

    @property
    def generators(self) -> tuple[Generator, ...]:
        from rulewright.systems.silhouette.story.generators import GENERATORS

        return GENERATORS

    @property
    def downtime(self) -> DowntimeRules[Any]:
        from rulewright.systems.silhouette.downtime.rules import DOWNTIME

        return DOWNTIME

    def boost(self, rules: Ruleset, thing: Any) -> Boost | None:
        """Emergency Dice, as many as are left and may be rolled at once."""
        from rulewright.systems.silhouette.people.characters import Person
        from rulewright.systems.silhouette.resolution.tests import most_emergency_dice

        if not isinstance(thing, Character):
            return None
        left = int(thing.condition.get("emergency_dice", Person.of(rules, thing).emergency_dice))
        return Boost("Emergency Dice", "emergency_dice", left, most_emergency_dice(rules), "Emergency Die") if left > 0 else None

    def boosted(self, rules: Ruleset, notation: str, number: int) -> str:
        return f"{notation}+{number}ed"

    def explain(self, rolled: Rolled) -> tuple[Reason, ...]:
        dice: Any = rolled.roll.reading
        unskilled = isinstance(dice, Unskilled) or (isinstance(dice, CountedPool) and dice.dice == 0)
        rule = "sil-1.2.3-reading-dice"
        return explained(rolled, rule, "sil-1.2.4-unskilled-test" if unskilled else "", _RULES.get(getattr(dice, "adds", ""), rule))

    bridges = ("d20",)

    def cross(self, rules: Ruleset, thing: Any, to: str, said: Mapping[str, str]) -> Crossing:
        from rulewright.systems.silhouette.conversion.characters import to_d20

        if to not in self.bridges or not isinstance(thing, Character | Creature):
            return super().cross(rules, thing, to, said)
        return to_d20(rules, thing, said.get("class"))

    def cross_back(self, rules: Ruleset, data: Any, other: str) -> Crossing:
        from rulewright.systems.silhouette.conversion.characters import from_d20, read_d20

        return from_d20(rules, read_d20(data)) if other in self.bridges else super().cross_back(rules, data, other)

    drafted = DRAFTED

    def draft(self, rules: Ruleset, said: Mapping[str, str]) -> Play[Any]:
        from rulewright.systems.silhouette.story.people import drafted

        return drafted(rules, dict(said))

    draft_together: Mapping[str, tuple[str, ...]] = {"stereotype": ("trade", "twist"), "sex": ("name", "height", "weight")}

    def draft_choices(self, rules: Ruleset) -> Mapping[str, tuple[str, ...]]:
        from rulewright.systems.silhouette.story.people import choices

        return choices(rules)

    def draft_parts(self, rules: Ruleset, said: Mapping[str, str]) -> Play[Mapping[str, str]]:
        from rulewright.systems.silhouette.story.people import parts

        return parts(rules, dict(said))

    def in_short(self, rules: Ruleset, thing: Any) -> str:
        from rulewright.systems.silhouette.story.stat_blocks import stat_block

        return stat_block(rules, thing) if isinstance(thing, Character | Creature) else super().in_short(rules, thing)

    duelled: Mapping[str, str] = {
        "range": "starting distance in hexes (default 8)",
        "terrain": "terrain (default clear)",
        "tactic": "tactic of both sides (default advance)",
        "level": "skill level of both crews (default as in their files)",
    }

    def duel(self, rules: Ruleset, item: Any, other: Any, said: Mapping[str, str]) -> Duel:
        from rulewright.systems.silhouette.lab_view.duel_setup import duel

        return duel(rules, item, other, said)

    def worth(self, rules: Ruleset, thing: Any) -> tuple[str, int | float] | None:
        from rulewright.systems.silhouette.machines.design.costs import threat_value

        return ("Threat Value", threat_value(rules, thing).value) if isinstance(thing, Vehicle) else super().worth(rules, thing)

    @property
    def scenes(self) -> Mapping[str, Staging]:
        """Returns the kinds of scenes: fight, chase, debate, wilderness and so on."""
        from rulewright.systems.silhouette.scenes import STAGINGS

        return {**super().scenes, **STAGINGS}
