"""The One Roll Engine as the rest of the project sees it. Dice and notation are loaded at once, everything else when it is asked for."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Played, Rolled, Sub, sub
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason
from rulewright.system import Built, Fought, Quality, Shown, Staging, Step, System
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
    """A tool kit of matching dice in three Gears."""

    id = "ore"
    name = "One Roll Engine"
    about = "Pools of ten-sided dice, read for matching sets: how many match is how well, what they show is how easily."
    notation = HELP
    book = BOOK
    glossary = GLOSSARY
    healing = ("ore-4.09-recovery", "ore-4.09-medicine")
    steps: Mapping[str, tuple[Step, ...]] = {
        "character": (
            Step("Who", "A name, and who that is in a few words."),
            Step("Statistics", "Raise the six statistics, for 5 points a point.", "Statistics", "Points", "ore-2.01-point-cost"),
            Step("Skills", "Buy skills from the same points.", "Skills", "", "ore-2.09-element-costs"),
            Step("Advantages", "From the same points.", "Advantages", "", "ore-2.09-element-costs"),
            Step("Powers", "From the same points, where the campaign has them.", "Powers", "", "ore-2.09-element-costs"),
            Step("Feats", "From the same points, level by level.", "Feats", "", "ore-2.09-element-costs"),
            Step("Weapons, armour", "What you carry and wear.", "Weapons"),
        )
    }
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
    fought = Fought(scene="lab_view.scene:FightScene")

    def of_quality(self, rules: Ruleset, quality: str) -> Mook:
        ratings = {"green": 1, "trained": 3, "veteran": 5}
        if quality not in ratings:
            return super().of_quality(rules, quality)  # type: ignore[no-any-return]  # refuses
        return Mook(f"{quality.capitalize()} foe", threat=ratings[quality])

    def test(self, rules: Ruleset, notation: str) -> Sub[Any]:
        written = parse(notation)
        refuse_what_cannot_be_rolled(rules, written)
        return sub(written_test, rules, written)

    def remark(self, rules: Ruleset, notation: str) -> str:
        """How many dice are rolled of a pool that is larger than the limit."""
        try:
            sides = parse(notation).sides
        except UserError:
            return ""  # plain dice have no limit
        for side in sides:
            whole, rolled = after_modifiers(rules, side.pool).size, ready_dice(rules, side.pool).size
            if rolled < whole:
                return f"of {whole} dice {rolled} are rolled: no pool has more"
        return ""

    def show(self, outcome: Any) -> Shown:
        return show(outcome)

    def compose(self, notation: str, modifier: int, against: str) -> str:
        """A test of a sheet with the modifiers that apply, and what stands against it."""
        return with_modifier(notation, modifier, against)

    def beside(self, played: Played[Any]) -> Mapping[str, Any]:
        """All sets of a single roll as the dice lie, from the widest: the test itself keeps one of them, and Special Dice lie in that."""
        if len(played.rolls) != 1:
            return {}
        rolled = played.rolls[0]
        reading = rolled.roll.reading
        if not isinstance(reading, BestFor):
            return {}
        thrown = reading.thrown
        number_by_number = {face: width for face, width in enumerate(thrown.counted(rolled.faces), thrown.difficulty) if width > 1}
        if rolled.result is not None:
            width, height = rolled.result
            if width > 1 and width == rolled.faces.count(height) + thrown.lent[height - 1]:
                number_by_number[height] = width
        sets = sorted([(width, height) for height, width in number_by_number.items()], reverse=True)
        return {"sets": [{"width": width, "height": height} for width, height in sets]}

    def explain(self, rolled: Rolled) -> tuple[Reason, ...]:
        """What a roll came to: the dice that match, and those that were not rolled."""
        read, result = rolled.roll.reading, rolled.result
        if not isinstance(read, BestFor):
            return self._all_sets(read, result)
        if result is None:
            return ()
        width, height = result
        if read.thrown.trades.gains:
            return _gained(read, rolled.faces, width, height)
        matching = sum(1 for face in rolled.faces if face == height)
        terms = [Reason(f"dice that show {height}", matching, "+", "ore-1.02-sets-width-height")]
        if width == 1 and matching <= 1:
            return (Reason(f"a Run up to {height}", 1, "+", "ore-1.07-opt-the-run"),)
        if width - matching:
            terms.append(Reason("Special Dice and trades", width - matching, "+", "ore-1.21-special-dice"))
        return tuple(terms)

    def _all_sets(self, read: Any, result: Any) -> tuple[Reason, ...]:
        """The sets of a roll that is read for all of them."""
        from rulewright.systems.ore.drama.round_readings import EverySet
        from rulewright.systems.ore.resolution.dice_assignment import OnTable
        from rulewright.systems.ore.resolution.salvos import Several

        if not isinstance(read, Fronts | EverySet | Several | OnTable):
            return ()
        sets = [candidate for candidate in result if candidate[0] > 1 or not isinstance(read, OnTable)]
        return tuple([Reason(f"dice that show {height}", width, "+", "ore-1.02-sets-width-height") for width, height in sets])

    @property
    def scenes(self) -> Mapping[str, Staging]:
        """A fight, a battle of vehicles, and a pursuit."""
        from rulewright.systems.ore.scenes import STAGINGS

        return {**super().scenes, **STAGINGS}


def _gained(read: BestFor, faces: tuple[int, ...], width: int, height: int) -> tuple[Reason, ...]:
    """The Width of a set that counts for other than the dice that lie there: the dice behind it, and what feats and trades add."""
    plain = replace(read.thrown, trades=Trades())
    behind = [
        all_offer for all_offer in plain.all_offers(plain.counted(faces)) if (width, height) in _all_of(read.thrown, faces, all_offer)
    ]
    many, face = max(behind, default=(0, height))
    terms = [Reason(f"dice that show {face}", many, "+", "ore-1.02-sets-width-height")] if many else []
    more = Reason(f"feats, Special Dice and trades, as {width}x{height}", width - many, "+", "ore-3.10-feat-reading-rules")
    return (*terms, more) if width != many or face != height else tuple(terms)


def _all_of(thrown: Thrown, faces: tuple[int, ...], pair: tuple[int, int]) -> list[tuple[int, int]]:
    """Every set that the dice of one face can be made to count for."""
    return thrown.offers(pair[1], pair[0] - thrown.lent[pair[1] - 1], set_below=True)
