"""The ForeSight game system: its registration and lazily loaded parts. Only dice and notation load at once."""

from collections.abc import Mapping
from typing import Any

from rulewright.campaign.downtime_rules import DowntimeRules
from rulewright.campaign.generators import Generator
from rulewright.campaign.requests.rules import RequestRules
from rulewright.campaign.roll_request import Difficulty
from rulewright.play import Rolled, Sub, sub
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason, row, total
from rulewright.system import Built, Fought, Profile, Quality, Shown, Staging, Step, System
from rulewright.systems.foresight.people.characters import Character
from rulewright.systems.foresight.resolution.notation import HELP, check, parse, show, written_test
from rulewright.systems.foresight.resolution.tests import QualityRoll
from rulewright.systems.foresight.settings import BOOK


class ForeSight(System):
    """Score times ease factor on a d100, with quality ratings."""

    id = "foresight"
    name = "ForeSight"
    about = "Score times ease factor on a d100: one rule for everything, with six quality ratings of how it went."
    profile = Profile("Careful science fiction. Skills in percent, wounds you remember for weeks.", "d100, six qualities", (15, 30), 4)
    notation = HELP
    book = BOOK
    healing = ("fs-recovery-deterioration", "fs-medical-care")
    steps: Mapping[str, tuple[Step, ...]] = {
        "character": (
            Step("Concept", "A name, an age and a short description.", rule="fs-creation-process"),
            Step("Creation", "What the gamemaster has set: the free package, species, wealth.", "Creation", "", "fs-creation-process"),
            Step("Attributes", "Spread the points over the nine attributes.", "Attributes", "Attribute points", "fs-creation-process"),
            Step("Background", "Choose the background factors.", "Background", "Background factors", "fs-creation-process"),
            Step("Skills", "Spend what the background gave.", "Skills", "General points", "fs-creation-process"),
            Step(
                "Fields",
                "What education gave goes into fields of knowledge.",
                "Fields of knowledge",
                "Education points",
                "fs-creation-process",
            ),
            Step("Gear", "What you own.", "Gear", "Wealth, svu"),
        )
    }
    raised_by: Mapping[str, tuple[str, Mapping[str, str]]] = {
        "skills": ("purchase", {"buy": "skill"}),
        "trained": ("purchase", {"buy": "attribute"}),
        "environments": ("purchase", {"buy": "environment"}),
        "gravities": ("purchase", {"buy": "gravity"}),
    }
    kinds: Mapping[str, type[Any]] = {"character": Character}
    built: Mapping[str, Built] = {"character": Built()}
    qualities = (
        Quality("green", "a Green Thug of the instant characters, with a revolver"),
        Quality("trained", "a Competent Thug of the instant characters, with a revolver"),
        Quality("veteran", "a Veteran Thug of the instant characters, with a revolver"),
        Quality("expert", "an Expert Thug of the instant characters, with a revolver"),
    )
    named_like: Mapping[str, str] = {
        "insights": "skills.*",
        "traits.skills": "skills.*",
        "traits.skill": "skills.*",
        "own_species.traits": "traits.modifier",
    }
    portrayal_of = "build.portrait:PORTRAYAL"
    fought = Fought(scene="lab_view.scene:FightScene")

    @property
    def glossary(self) -> Mapping[str, str]:  # type: ignore[override]
        """Short words, explained."""
        from rulewright.systems.foresight.glossary import glossary

        return glossary()

    def of_quality(self, rules: Ruleset, quality: str) -> Character:
        from rulewright.systems.foresight.build.opponents import opponent

        return opponent(rules, quality)

    def test(self, rules: Ruleset, notation: str) -> Sub[Any]:
        written = parse(notation)
        check(rules, written)
        return sub(written_test, rules, written)

    def show(self, outcome: Any) -> Shown:
        return show(outcome)

    def difficulties(self, rules: Ruleset) -> tuple[Difficulty, ...]:
        from rulewright.systems.foresight.resolution.tests import DIFFICULTIES

        return tuple(Difficulty(word, modifier=ease, rule="fs-rule-of-thumb-modifiers") for word, ease in DIFFICULTIES.every(rules).items())

    def explain(self, rolled: Rolled) -> tuple[Reason, ...]:
        """The limits that a roll was read against."""
        dice = rolled.roll.reading
        if not isinstance(dice, QualityRoll):
            return super().explain(rolled)
        limits = [Reason(f"QR{qr} up to", limit, "≤", "fs-quality-rating") for qr, limit in zip((1, 2, 3, 4), dice.limits, strict=True)]
        looked_up = (Reason("d100", rolled.faces[0], "=", "fs-d100"), *limits)
        rating = total("quality rating", row("the roll against the chance", rolled.result.qr, *looked_up), rule="fs-quality-rating")
        return (rating.reason, *([dice.of.why().reason] if dice.of is not None else []))

    @property
    def requests(self) -> RequestRules:
        from rulewright.systems.foresight.downtime.requests import REQUESTS

        return REQUESTS

    @property
    def downtime(self) -> DowntimeRules[Any]:
        from rulewright.systems.foresight.downtime.rules import DOWNTIME

        return DOWNTIME

    @property
    def generators(self) -> tuple[Generator, ...]:
        from rulewright.systems.foresight.downtime.generators import GENERATORS

        return GENERATORS

    @property
    def scenes(self) -> Mapping[str, Staging]:
        """Fights, pursuits, and wounds over weeks."""
        from rulewright.systems.foresight.pursuit import pursuers
        from rulewright.systems.foresight.pursuit import scene as pursuit_scene
        from rulewright.systems.foresight.pursuit import tactics as pursuit_tactics
        from rulewright.systems.foresight.ward import scene as convalescence

        return {
            **super().scenes,
            "pursuit": Staging(pursuit_scene.PursuitScene, pursuers.begin, pursuit_tactics.TACTICS),
            "convalescence": Staging(convalescence.ConvalescenceScene, convalescence.begin, convalescence.TACTICS),
        }
