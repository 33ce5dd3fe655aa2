"""The Hybrid game system: its registration and lazily loaded parts. Only dice and notation load at once."""

from collections.abc import Mapping
from typing import Any

from rulewright.campaign.downtime_rules import DowntimeRules
from rulewright.campaign.requests.rules import RequestRules
from rulewright.campaign.roll_request import Difficulty
from rulewright.errors import UserError
from rulewright.play import Rolled, Sub, sub
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason
from rulewright.system import Built, Fought, Profile, Quality, Shown, Step, System
from rulewright.systems.hybrid.combat.notation import HELP, Reaction, Written, parse, show, spell_test, written_test
from rulewright.systems.hybrid.people.characters import Character
from rulewright.systems.hybrid.resolution.tests import Check, Degree, MeasuredPercentile
from rulewright.systems.hybrid.settings import BOOK


class Hybrid(System):
    """Percentile checks with ten degrees, and fights on a timeline of counts."""

    id = "hybrid"
    name = "Hybrid"
    about = "d100 checks with ten degrees from a difficulty factor; body and mind side by side; fights counted in tenths of a second."
    profile = Profile("Blades counted in tenths of a second: every cut, parry and step costs time.", "d100, ten degrees", (15, 30), 5)
    notation = HELP
    book = BOOK
    healing = ("hyb-x-healing", "hyb-5-restoring")
    steps: Mapping[str, tuple[Step, ...]] = {
        "character": (
            Step(
                "Statistics", "Spread the points over the ten statistics.", "Primary statistics", "Points for statistics", "hyb-9-process"
            ),
            Step("Gifts and limitations", "Special abilities and handicaps.", "Gifts and limitations", "", "hyb-9-process"),
            Step("Origin", "Race, gender and culture.", "Origin", "", "hyb-9-process"),
            Step("Calculated", "These follow from the other statistics. Check them.", "Calculated statistics", "", "hyb-9-process"),
            Step("Skills", "Buy skills.", "Skills", "Skill points", "hyb-9-process"),
            Step("Friends", "Friends, reputation and income.", "Friends, reputation, income", "Community points"),
            Step("Gear", "What you own.", "Gear", "Wealth points"),
            Step("Concept", "A name and a short description.", rule="hyb-9-process"),
        )
    }
    raised_by: Mapping[str, tuple[str, Mapping[str, str]]] = {"skills": ("raised", {}), "primary": ("raised", {})}
    kinds: Mapping[str, type[Any]] = {"character": Character}
    built: Mapping[str, Built] = {"character": Built()}
    qualities = (
        Quality("green", "ready-made: the horse trader, with a dagger", "characters/horse-trader"),
        Quality("trained", "ready-made: the duelist, with a sabre", "characters/duelist"),
        Quality("veteran", "ready-made: the smith, with a hammer", "characters/smith"),
    )
    named_like: Mapping[str, str] = {
        "heritage.mods.*": "bought.*",
        "heritage.times.*": "bought.*",
        "heritage.skills": "skills.*",
        "related.*": "skills.*",
        "related.skill": "skills.*",
        "skill_pools": "skills.*",
        "unfamiliar.*": "gear.weapons",
        "stat_base": "bought.*",
        "skills.of": "skills.*",
    }
    portrayal_of = "build.portrait:PORTRAYAL"
    fought = Fought(scene="lab_view.scene:FightScene")

    @property
    def glossary(self) -> Mapping[str, str]:  # type: ignore[override]
        """Short words, explained."""
        from rulewright.systems.hybrid.glossary import glossary

        return glossary()

    def test(self, rules: Ruleset, notation: str) -> Sub[Any]:
        return sub(written_test, rules, parse(notation))

    def compose(self, notation: str, modifier: int, against: str) -> str:
        """A check with the chips that are on: they join the Difficulty Factor, or the counts of an initiative roll."""
        written = parse(notation)
        if isinstance(written.check, Reaction):
            changed: Check | Reaction = Reaction(written.check.speed, written.check.modifier + modifier)
        else:
            changed = written.check.plus(modifier)
        other = parse(against).check if against.strip() else written.against
        if isinstance(other, Reaction):
            raise UserError(f"a check can only be opposed by another check, not by {against!r}")
        return spell_test(Written(changed, other))

    def show(self, outcome: Any) -> Shown:
        return show(outcome)

    def difficulties(self, rules: Ruleset) -> tuple[Difficulty, ...]:
        from rulewright.systems.hybrid.resolution.tests import SUBJECTIVE

        return tuple(Difficulty(word, modifier=df, rule="hyb-2-subjective-difficulty") for word, df in SUBJECTIVE.every(rules).items())

    @property
    def requests(self) -> RequestRules:
        from rulewright.systems.hybrid.downtime.requests import REQUESTS

        return REQUESTS

    @property
    def downtime(self) -> DowntimeRules[Any]:
        from rulewright.systems.hybrid.downtime.rules import DOWNTIME

        return DOWNTIME

    def explain(self, rolled: Rolled) -> tuple[Reason, ...]:
        """The sum behind a roll: what the dice gave, and what they were held against."""
        dice: Any = rolled.roll.reading
        initiative = getattr(dice, "of", None) == (6, 6)
        rule = "hyb-7-initiative" if initiative else "hyb-1-skill-check"
        terms = [Reason(label, value, "+", rule) for label, value in dice.explain(rolled.faces)]
        if initiative:
            terms.append(Reason("8 less reaction speed, and modifiers", dice.modifier, "+", rule))
        else:
            banded = dice.degrees if isinstance(dice, MeasuredPercentile) else dice
            succeeds = {degree: limit for limit, degree in getattr(banded, "limits", ())}.get(Degree.SUCCESS)
            terms += [Reason("succeeds up to", succeeds, "against", "hyb-2-success-table")] if succeeds is not None else []
        return tuple(terms)
