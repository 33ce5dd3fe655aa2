"""The One Roll Engine as a game system. Dice and notation load at once, everything else on demand."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from rulewright.campaign.downtime_rules import DowntimeRules
from rulewright.campaign.requests.rules import RequestRules
from rulewright.campaign.roll_request import Difficulty
from rulewright.errors import UserError
from rulewright.play import Played, Rolled, Sub, sub
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason
from rulewright.system import Built, Fought, Profile, Quality, Shown, Staging, Step, System
from rulewright.systems.ore.glossary import GLOSSARY
from rulewright.systems.ore.machines.vehicle import Vehicle
from rulewright.systems.ore.people.characters import Character
from rulewright.systems.ore.people.mook_file import Mook
from rulewright.systems.ore.resolution.joint_readings import Fronts
from rulewright.systems.ore.resolution.notation import HELP, parse, refuse_what_cannot_be_rolled, show, with_modifier, written_test
from rulewright.systems.ore.resolution.readings import BestFor, Thrown, Trades
from rulewright.systems.ore.resolution.tests import after_modifiers, ready_dice
from rulewright.systems.ore.settings import BOOK


class OneRollEngine(System):
    """The One Roll Engine: pools of matching dice, three Gears."""

    id = "ore"
    name = "One Roll Engine"
    about = "Roll a pool of ten-sided dice and look for matching sets: the number of dice shows how well, their face how easily."
    profile = Profile("One roll decides success, speed, quality and place. Quick and cruel.", "d10 pools, matching sets", (10, 20), 2)
    notation = HELP
    book = BOOK
    glossary = GLOSSARY
    healing = ("ore-4.09-recovery", "ore-4.09-medicine")
    steps: Mapping[str, tuple[Step, ...]] = {
        "character": (
            Step("Concept", "Name and concept."),
            Step("Statistics", "Raise the six statistics for 5 points each.", "Statistics", "Points", "ore-2.01-point-cost"),
            Step("Skills", "Buy skills with the same points.", "Skills", "Points", "ore-2.09-element-costs"),
            Step("Advantages", "Buy advantages with the same points.", "Advantages", "Points", "ore-2.09-element-costs"),
            Step("Powers", "Buy powers with the same points, if the campaign allows them.", "Powers", "Points", "ore-2.09-element-costs"),
            Step("Feats", "Buy feats with the same points, level by level.", "Feats", "Points", "ore-2.09-element-costs"),
            Step("Weapons, armour", "Choose what you carry and wear.", "Weapons"),
        )
    }
    raised_by: Mapping[str, tuple[str, Mapping[str, str]]] = {
        "skills": ("purchase", {"buy": "skill"}),
        "statistics": ("purchase", {"buy": "statistic"}),
        "feats": ("purchase", {"buy": "feat"}),
    }
    standing_of = "build.advancement:standing"
    kinds: Mapping[str, type[Any]] = {"character": Character, "mook": Mook, "vehicle": Vehicle}
    built: Mapping[str, Built] = {
        "character": Built(),
        "mook": Built("build.mook_sheet:plain_mook", "build.mook_sheet:audit", "build.mook_sheet:sheet"),
        "vehicle": Built("machines.starting_vehicle:plain_vehicle", "machines.audit:audit", "machines.sheet:sheet"),
    }
    together = ("mook",)
    qualities = (
        Quality("green", "mooks of Threat Rating 1"),
        Quality("trained", "mooks of Threat Rating 3"),
        Quality("veteran", "mooks of Threat Rating 5"),
    )
    named_like: Mapping[str, str] = {
        "focuses.*": "statistics.*",
        "special.*": "skills.*",
        "concentrations.*": "skills.*",
    }
    portrayal_of = "build.portrait:PORTRAYAL"
    fought = Fought(scene="lab_view.scene:FightScene")

    def of_quality(self, rules: Ruleset, quality: str) -> Mook:
        ratings = {"green": 1, "trained": 3, "veteran": 5}
        if quality not in ratings:
            return super().of_quality(rules, quality)  # type: ignore[no-any-return]  # refuses
        return Mook(f"{quality.capitalize()} mook", threat=ratings[quality])

    def test(self, rules: Ruleset, notation: str) -> Sub[Any]:
        written = parse(notation)
        refuse_what_cannot_be_rolled(rules, written)
        return sub(written_test, rules, written)

    def remark(self, rules: Ruleset, notation: str) -> str:
        """A note if a pool exceeds the limit."""
        try:
            sides = parse(notation).sides
        except UserError:
            return ""  # plain dice have no limit
        for side in sides:
            whole, rolled = after_modifiers(rules, side.pool).size, ready_dice(rules, side.pool).size
            if rolled < whole:
                return f"only {rolled} of {whole} dice are rolled, the limit of a pool"
        return ""

    def difficulties(self, rules: Ruleset) -> tuple[Difficulty, ...]:
        from rulewright.systems.ore.resolution.outcomes import DIFFICULTIES

        rows = DIFFICULTIES.numbered(rules).items()
        return tuple(Difficulty(rating, f"diff {number}", rule="ore-1.09-difficulty") for number, rating in rows)

    @property
    def requests(self) -> RequestRules:
        from rulewright.systems.ore.downtime.requests import REQUESTS

        return REQUESTS

    @property
    def downtime(self) -> DowntimeRules[Any]:
        from rulewright.systems.ore.downtime.rules import DOWNTIME

        return DOWNTIME

    def show(self, outcome: Any) -> Shown:
        return show(outcome)

    def compose(self, notation: str, modifier: int, against: str) -> str:
        """The notation of a test with its modifiers and opposition."""
        return with_modifier(notation, modifier, against)

    def beside(self, played: Played[Any]) -> Mapping[str, Any]:
        """All sets of a single roll, widest first; Special Dice count in the set that the test keeps."""
        if len(played.rolls) != 1:
            return {}
        rolled = played.rolls[0]
        reading = rolled.roll.reading
        if not isinstance(reading, BestFor):
            return {}
        thrown = reading.thrown
        width_by_height = {face: width for face, width in enumerate(thrown.counted(rolled.faces), thrown.difficulty) if width > 1}
        if rolled.result is not None:
            width, height = rolled.result
            if width > 1 and width == rolled.faces.count(height) + thrown.lent[height - 1]:
                width_by_height[height] = width
        sets = sorted([(width, height) for height, width in width_by_height.items()], reverse=True)
        return {"sets": [{"width": width, "height": height} for width, height in sets]}

    def explain(self, rolled: Rolled) -> tuple[Reason, ...]:
        """The terms of a result: matching dice, Special Dice and trades."""
        read, result = rolled.roll.reading, rolled.result
        if not isinstance(read, BestFor):
            return self._all_sets(read, result)
        if result is None:
            return ()
        width, height = result
        if read.thrown.trades.gains:
            return _explain_gain(read, rolled.faces, width, height)
        matching = sum(1 for face in rolled.faces if face == height)
        terms = [Reason(f"dice showing {height}", matching, "+", "ore-1.02-sets-width-height")]
        if width == 1 and matching <= 1:
            return (Reason(f"a Run up to {height}", 1, "+", "ore-1.07-opt-the-run"),)
        if width - matching:
            terms.append(Reason("Special Dice and trades", width - matching, "+", "ore-1.21-special-dice"))
        return tuple(terms)

    def _all_sets(self, read: Any, result: Any) -> tuple[Reason, ...]:
        """The terms of a roll that keeps all its sets."""
        from rulewright.systems.ore.drama.round_readings import EverySet
        from rulewright.systems.ore.resolution.dice_assignment import OnTable
        from rulewright.systems.ore.resolution.salvos import Several

        if not isinstance(read, Fronts | EverySet | Several | OnTable):
            return ()
        sets = [each_set for each_set in result if each_set[0] > 1 or not isinstance(read, OnTable)]
        return tuple([Reason(f"dice showing {height}", width, "+", "ore-1.02-sets-width-height") for width, height in sets])

    @property
    def scenes(self) -> Mapping[str, Staging]:
        """A fight, a battle of vehicles, and a pursuit."""
        from rulewright.systems.ore.scenes import STAGINGS

        return {**super().scenes, **STAGINGS}


def _explain_gain(read: BestFor, faces: tuple[int, ...], width: int, height: int) -> tuple[Reason, ...]:
    """The terms of a set changed by feats or trades: the dice behind it and the difference."""
    plain = replace(read.thrown, trades=Trades())
    behind = [offer for offer in plain.all_offers(plain.counted(faces)) if (width, height) in _sets_from(read.thrown, faces, offer)]
    many, face = max(behind, default=(0, height))
    terms = [Reason(f"dice showing {face}", many, "+", "ore-1.02-sets-width-height")] if many else []
    more = Reason(f"feats, Special Dice and trades, as {width}x{height}", width - many, "+", "ore-3.10-feat-reading-rules")
    return (*terms, more) if width != many or face != height else tuple(terms)


def _sets_from(thrown: Thrown, faces: tuple[int, ...], pair: tuple[int, int]) -> list[tuple[int, int]]:
    """Every set that the dice of one face can count as."""
    return thrown.offers(pair[1], pair[0] - thrown.lent[pair[1] - 1], set_below=True)
