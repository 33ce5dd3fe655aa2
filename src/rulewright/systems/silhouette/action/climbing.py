"""Climbing: progress, losing the grip, and the fall when no roll can help (book lines 2107-2132, 2647-2651)."""

from math import ceil
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.reading import weights_of
from rulewright.errors import UserError
from rulewright.play import Event, Play, Tell, sub
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, divided, term, total
from rulewright.systems.silhouette.action.movement import Pace, speed_of
from rulewright.systems.silhouette.people.characters import Person, skill_test
from rulewright.systems.silhouette.resolution.dice_options import converted
from rulewright.systems.silhouette.resolution.modifiers import MOVEMENT, climbing_threshold
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, Test, action_test, most_emergency_dice, passes, reading, succeeds

How = Literal["action", "full round", "accelerated", "stay"]
"""With a standard action, for the whole round, in a hurry, or not at all."""
_ID, _OPTIONS = "sil-3.2.7-climbing", "sil-3.2.7-climbing-options"
HANDHOLDS = 5
"""Threshold of a surface with prepared handholds."""


class Climber(Struct, frozen=True, cache_hash=True):
    """A climber: the pool, the walking speed and the Emergency Dice."""

    name: str = "someone"
    athletics: Pool = Pool(1)
    walk: float = 20 / 3
    emergency_dice: int = 0

    @classmethod
    def of(cls, rules: Ruleset, person: Person, penalty: int = 0) -> "Climber":
        """Returns a person as a climber, with Fitness or Agility as the campaign decides (ruling)."""
        attribute = rules.word("climbing-attribute")
        wounds = (Mod("wounds", penalty),)
        pool = skill_test(rules, person, "athletics", attribute, used=("climbing",), when=("moving",), modifiers=wounds)
        return cls(person.name, pool, float(speed_of(rules, person, "walking")), person.emergency_dice)

    def pool(self, grip: int = 0, more: int = 0) -> Pool:
        """Returns the pool of a test with this grip penalty."""
        return self.athletics.plus(Mod("grip", -grip, _ID), Mod("haste", more, _OPTIONS))


class Wall(Struct, frozen=True, cache_hash=True):
    """A wall: its surface, circumstances, height, and whether the climber goes down."""

    surface: str = "rough rock or brick"
    circumstances: tuple[str, ...] = ()
    metres: float = 9
    down: bool = False
    handholds: bool = False
    """Whether handholds have been prepared."""
    slope: bool = False
    """A slope instead of a wall: a falling climber finds something to hold."""


class Climb(Struct, frozen=True, cache_hash=True):
    """State of a climb: metres done, whether the grip is slipping and its penalty, rounds without movement, and whether the climber has
    fallen."""

    metres: float = 0.0
    slipping: bool = False
    grip: int = 0
    still: int = 0
    fallen: bool = False


SOMEONE, BRICKS, AT_THE_START = Climber(), Wall(), Climb()


# --- the rules in numbers -----------------------------------------------------------------------------------------------------


@rule(_ID, _OPTIONS)
def threshold_on(rules: Ruleset, wall: Wall = BRICKS) -> int:
    """Returns the Threshold of the surface, or 5 with handholds, plus circumstances."""
    own = climbing_threshold(rules, wall.surface, wall.circumstances)
    return own - climbing_threshold(rules, wall.surface) + HANDHOLDS if wall.handholds else own


@rule(_ID, _OPTIONS)
def climbing_metres(walk: float = 20 / 3, how: How = "full round") -> Derived[float]:
    """Returns the metres for one passed test: a quarter of the walking speed for an action, half for a full round or one of two hasty
    tests."""
    share = {"action": 4, "full round": 2, "accelerated": 2, "stay": 0}[how]
    if not share:
        return total("metres climbed", term("staying put", 0), rule=_ID)
    return total("metres climbed", term("walking", walk), divided("fraction per test", share), rule=_ID)


@rule(_ID)
def best_total(rules: Ruleset, pool: Pool) -> int:
    """Returns the highest possible total of a roll."""
    totals: list[int] = [total.total for total in weights_of(reading(rules, pool))]
    return max(totals)


@rule(_ID)
def can_hold(rules: Ruleset, climber: Climber = SOMEONE, threshold: int = 7, grip: int = 0) -> bool:
    """Whether the best possible roll would still pass; Emergency Dice count if the campaign says so (ruling)."""
    pool = climber.pool(grip)
    if rules.word("last-hold") == "with Emergency Dice" and (pool.dice > 0 or rules.word("unskilled-emergency-dice") == "join"):
        pool = pool.with_emergency(min(climber.emergency_dice, most_emergency_dice(rules)))
    return passes(rules, best_total(rules, pool), converted(rules, threshold))


@rule(_ID)
def loses_grip(margin: int, fumble: bool = False) -> bool:
    """Whether a test loosens the grip: a failure by 4 or more, or a fumble."""
    return fumble or margin <= -4  # 2109


@rule(_ID)
def on_the_wall(rules: Ruleset, pace: Pace = "climbing") -> tuple[int, bool]:
    """Returns the defense modifier of a climber (-2) and whether a shield helps (no). By id only."""
    return MOVEMENT.get(rules, pace).defense_close, pace != "climbing"


@rule(_OPTIONS)
def handhold_minutes(metres: float = 9) -> int:
    """Returns the minutes to prepare handholds: one minute for each, one per metre. By id only."""
    if metres < 0:
        raise UserError(f"a wall is at least 0 metres high, not {metres}")
    return ceil(metres)


# --- a round ------------------------------------------------------------------------------------------------------------------


class Climbed(Event, frozen=True):
    """A test on the wall."""

    name: str
    total: int
    threshold: int
    before: Climb
    after: Climb

    def headline(self) -> str:
        if self.after.fallen:
            return f"{self.name} loses all grip and falls"
        if self.before.slipping:
            words = "finds a firm hold again" if not self.after.slipping else "is slipping"
            return f"{self.name} {words}{f' (grip -{self.after.grip})' if self.after.grip else ''}"
        if self.after.slipping:
            return f"{self.name} starts to lose their grip"
        gained = self.after.metres - self.before.metres
        return f"{self.name} climbs {gained:.1f} m" if gained else f"{self.name} makes no progress"

    def reasons(self) -> tuple[Reason, ...]:
        return (Reason("Athletics", self.total, "=", _ID), Reason("Threshold", self.threshold, "against"))

    def tone(self) -> str:
        return "bad" if self.after.fallen or self.after.slipping else "good"


@rule(_ID, _OPTIONS)
def climb_round(
    rules: Ruleset, climber: Climber = SOMEONE, wall: Wall = BRICKS, climb: Climb = AT_THE_START, how: How = "full round"
) -> Play[Climb]:
    """Plays one round on the wall.

    A climber with a slipping grip spends the round on regaining it. A climber who does not move tests every second round. Haste means
    two separate tests at -2.
    """
    if climb.fallen:
        raise UserError(f"{climber.name} has fallen and cannot climb on")
    if climb.slipping:
        return (yield from regain(rules, climber, wall, climb))
    if how == "stay":
        return (yield from hang_on(rules, climber, wall, climb))
    climb = replace(climb, still=0)
    for _ in range(2 if how == "accelerated" else 1):
        climb = yield from _make_progress(rules, climber, wall, climb, how)
        if climb.slipping or climb.fallen or climb.metres >= wall.metres:
            break
    return climb


def _make_progress(rules: Ruleset, climber: Climber, wall: Wall, climb: Climb, how: How) -> Play[Climb]:
    test = yield from _test(rules, climber, wall, climb, -2 if how == "accelerated" else 0)
    after = climb
    if succeeds(rules, test, 2109):
        after = replace(climb, metres=min(wall.metres, climb.metres + climbing_metres(climber.walk, how).value))
    elif loses_grip(test.margin, test.fumble):
        after = slip(rules, climber, wall, climb)
    yield from Tell(Climbed(climber.name, test.total, test.threshold, climb, after))
    return after


@rule(_ID)
def regain(rules: Ruleset, climber: Climber = SOMEONE, wall: Wall = BRICKS, climb: Climb = AT_THE_START) -> Play[Climb]:
    """Spends a round on the grip: a success lowers the penalty by 1, and at 0 the grip is firm again; a failure raises it by 1, and a
    fumble whose total would do changes nothing."""
    test = yield from _test(rules, climber, wall, climb)
    if succeeds(rules, test):
        left = climb.grip if test.fumble else max(0, climb.grip - 1)  # 2109: a fumble loses the grip again
        after = replace(climb, grip=left, slipping=test.fumble or left > 0)  # 2109
    else:
        after = _check_fall(rules, climber, wall, replace(climb, grip=climb.grip + 1))
    yield from Tell(Climbed(climber.name, test.total, test.threshold, climb, after))
    return after


def slip(rules: Ruleset, climber: Climber, wall: Wall, climb: Climb) -> Climb:
    """Loosens the grip: it costs 1 at once, or only after the next failure (ruling "grip-penalty")."""
    return _check_fall(
        rules, climber, wall, replace(climb, slipping=True, grip=1 if rules.word("grip-penalty") == "at once" else 0, still=0)
    )


def _check_fall(rules: Ruleset, climber: Climber, wall: Wall, climb: Climb) -> Climb:
    flag = can_hold(rules, climber, threshold_on(rules, wall), climb.grip)
    return climb if flag else replace(climb, fallen=True)


@rule(_ID)
def hang_on(rules: Ruleset, climber: Climber = SOMEONE, wall: Wall = BRICKS, climb: Climb = AT_THE_START) -> Play[Climb]:
    """Plays a round without movement: every second one needs a test, and a failure loosens the grip."""
    climb = replace(climb, still=climb.still + 1)
    if climb.still < 2:
        return climb
    test = yield from _test(rules, climber, wall, climb)
    firm = succeeds(rules, test, 2109)
    after = replace(climb, still=0) if firm else slip(rules, climber, wall, climb)
    yield from Tell(Climbed(climber.name, test.total, test.threshold, climb, after))
    return after


@rule(_ID)
def wounded_on_the_wall(rules: Ruleset, climber: Climber = SOMEONE, wall: Wall = BRICKS, climb: Climb = AT_THE_START) -> Play[Climb]:
    """Tests Athletics for a climber who is wounded; a failure is a fall. By id only."""
    test = yield from _test(rules, climber, wall, climb)
    after = climb if passes(rules, test.total, test.threshold) else replace(climb, fallen=True)
    yield from Tell(Climbed(climber.name, test.total, test.threshold, climb, after))
    return after


def _test(rules: Ruleset, climber: Climber, wall: Wall, climb: Climb, more: int = 0) -> Play[Test]:
    return (yield from action_test(rules, climber.pool(climb.grip, more), threshold_on(rules, wall), climber.name, "climbing"))


@rule(_OPTIONS)
def catch_oneself(rules: Ruleset, climber: Climber = SOMEONE, wall: Wall = BRICKS) -> Play[bool]:
    """Lets a falling climber grab the wall, at its Threshold + 5, or a slope, at +2; a success ends the fall.

    By id only.
    """
    harder = 2 if wall.slope else 5
    test = yield from action_test(rules, climber.athletics, threshold_on(rules, wall) + harder, climber.name, "catching hold")
    return passes(rules, test.total, test.threshold)


@rule(_ID)
def climb_wall(rules: Ruleset, climber: Climber = SOMEONE, wall: Wall = BRICKS, how: How = "full round", rounds: int = 20) -> Play[Climb]:
    """Plays a whole climb until it is done, the climber falls, or the rounds run out. By id only."""
    if how == "stay":
        raise UserError("a climber who stays put never arrives: choose another way to climb")
    if not 1 <= rounds <= 50:
        raise UserError(f"a climb lasts 1 to 50 rounds, not {rounds}")
    return (yield from sub(_climb_on, rules, climber, wall, how, rounds, AT_THE_START))


def _climb_on(rules: Ruleset, climber: Climber, wall: Wall, how: How, rounds: int, climb: Climb) -> Play[Climb]:
    """Continues a climb; depends only on its state and the rounds left, so exact odds solve each state once."""
    climb = yield from climb_round(rules, climber, wall, climb, how)
    if climb.fallen or climb.metres >= wall.metres or rounds == 1:
        return climb
    return (yield from sub(_climb_on, rules, climber, wall, how, rounds - 1, climb))
