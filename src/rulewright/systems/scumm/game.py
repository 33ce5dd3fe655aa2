"""The S.C.U.M.M. game system: its registration and lazily loaded parts. Only dice and notation load at once."""

from collections.abc import Mapping
from typing import Any

from rulewright.campaign.downtime_rules import DowntimeRules
from rulewright.campaign.requests.rules import RequestRules
from rulewright.campaign.roll_request import Boost, Difficulty
from rulewright.dice.highest import Unskilled
from rulewright.dice.notation import HELP
from rulewright.highest_die.notation import explained, parse, show
from rulewright.play import Rolled, Sub, sub
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason
from rulewright.system import Built, Fought, Profile, Quality, Shown, Step, System
from rulewright.systems.scumm.glossary import GLOSSARY
from rulewright.systems.scumm.people.characters import Character
from rulewright.systems.scumm.resolution.notation import written_test
from rulewright.systems.scumm.resolution.tests import Pool, reading
from rulewright.systems.scumm.settings import BOOK


class Scumm(System):
    """The minimalist variant of Silhouette."""

    id = "scumm"
    name = "S.C.U.M.M."
    about = "Silhouette's dice with four attributes: keep the highest die, quick to build, deadly in a fight."
    profile = Profile("Fast gunplay and brawls in a city at night. Two bullets are often enough.", "d6, keep the highest", (10, 15), 2)
    notation = HELP
    book = BOOK
    glossary = GLOSSARY
    healing = ("scumm-recovery", "scumm-bruise-damage")
    steps: Mapping[str, tuple[Step, ...]] = {
        "character": (
            Step("Concept", "A name and a short description."),
            Step("Attributes", "Spread the points over the four attributes.", "Attributes", "Attribute points", "scumm-attributes"),
            Step(
                "Skills",
                "No skill starts above 4. Unspent points become Emergency Dice.",
                "Skills",
                "Skill points",
                "scumm-skills-creation",
            ),
            Step("Gear", "Weapons, armor and other things for Wealth Points.", "Gear", "Wealth Points", "scumm-wealth"),
        )
    }
    usual_target = "5"
    raised_by: Mapping[str, tuple[str, Mapping[str, str]]] = {
        "skills": ("purchase", {"buy": "skill"}),
        "attributes": ("purchase", {"buy": "attribute"}),
    }
    kinds: Mapping[str, type[Any]] = {"character": Character}
    built: Mapping[str, Built] = {"character": Built()}
    qualities = (
        Quality("green", "ready-made: the street tough, with a knife", "characters/street-tough"),
        Quality("trained", "ready-made: the security guard, with a pistol", "characters/security-guard"),
        Quality("veteran", "ready-made: the hired gun, with a heavy pistol", "characters/hired-gun"),
    )
    named_like: Mapping[str, str] = {
        "specializations.*": "skills.*",
    }
    portrayal_of = "build.portrait:PORTRAYAL"
    fought = Fought(scene="lab_view.scene:FightScene")

    def test(self, rules: Ruleset, notation: str) -> Sub[Any]:
        written = parse(notation, Pool)
        for pool in (written.pool, written.against):
            if isinstance(pool, Pool):
                reading(rules, pool)  # refuses here and now what cannot be rolled
        return sub(written_test, rules, written)

    def show(self, outcome: Any) -> Shown:
        return show(outcome)

    def difficulties(self, rules: Ruleset) -> tuple[Difficulty, ...]:
        from rulewright.systems.scumm.resolution.tests import DIFFICULTIES

        return tuple(Difficulty(row.name, str(row.threshold), rule="scumm-action-test") for row in DIFFICULTIES(rules).values())

    @property
    def requests(self) -> RequestRules:
        from rulewright.systems.scumm.downtime.requests import REQUESTS

        return REQUESTS

    @property
    def downtime(self) -> DowntimeRules[Any]:
        from rulewright.systems.scumm.downtime.rules import DOWNTIME

        return DOWNTIME

    def boost(self, rules: Ruleset, thing: Any) -> Boost | None:
        """Emergency Dice, as many as are left and may be rolled at once."""
        from rulewright.systems.scumm.people.characters import Person
        from rulewright.systems.scumm.resolution.tests import most_emergency_dice

        if not isinstance(thing, Character):
            return None
        left = int(thing.condition.get("emergency_dice", Person.of(rules, thing).emergency_dice))
        return Boost("Emergency Dice", "emergency_dice", left, most_emergency_dice(rules), "Emergency Die") if left > 0 else None

    def boosted(self, rules: Ruleset, notation: str, number: int) -> str:
        return f"{notation}+{number}ed"

    def explain(self, rolled: Rolled) -> tuple[Reason, ...]:
        return explained(rolled, "scumm-dice-roll", "scumm-unskilled-test" if isinstance(rolled.roll.reading, Unskilled) else "")
