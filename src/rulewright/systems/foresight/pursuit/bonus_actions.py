"""Bonus actions in a pursuit, and the cost of actions (book lines 3004-3008, 3055-3088, 3458, 3794)."""

from rulewright.play import Option, Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.foresight.combat.fighters import UNJAMMED
from rulewright.systems.foresight.fight.bonus_actions import KINDS, bonus_task, covers, roll_bonus
from rulewright.systems.foresight.harm.events import Attempted
from rulewright.systems.foresight.pursuit.actions import Deed
from rulewright.systems.foresight.pursuit.pursuers import Chase, Rider, Runner
from rulewright.systems.foresight.resolution.tests import weighed

OFFERED = ("fire", "aim", "concentrate", "draw", "dodge", "parry", "feint", "wind-up")
"""What riders have a use for: shots and reloading, aims, work on a jam, drawing, reflexes against blows, and what helps with them."""
REFLEXES = ("dodge", "parry")
"""Bonus actions that are spent on reflexes, until the end of the whole turn."""
COUNTS_AS = {"ready": "fire", "clear": "concentrate"}
"""What some doings count as in the table of actions."""


def bonus_options(rules: Ruleset, rider: Rider, fresh: bool, beside: bool = False) -> tuple[Option[Deed], ...]:
    """The kinds of bonus actions that a person may try for: once a turn, before anything else, and not after a failed initiative roll.

    Dodges, parries, feints and wind-ups are only to be had where blows can be struck at a person beside.
    """
    if not fresh or rider.tried or not rules.on("bonus-actions"):
        return ()
    weapon, kinds = rider.weapon, []
    if weapon is not None and weapon.ranged:
        kinds = ["fire", "aim"] if rider.jam == UNJAMMED else ["concentrate"]
    kinds += ["draw"] if rider.drawable else []
    kinds += (*REFLEXES, "feint", "wind-up") if beside else ()
    return tuple(
        [Option(f"bonus:{kind}", f"try for bonus actions: {KINDS[kind].label}", Deed("bonus", OFFERED.index(kind))) for kind in kinds]
    )


def try_bonus(rules: Ruleset, chase: Chase, number: int, seat: int, deed: Deed) -> Play[tuple[Chase, int]]:
    """The roll for bonus actions, and how many of the ordinary ones a botch costs."""
    runner, kind = chase.runners[number], OFFERED[deed.target]
    rider = runner.riders[seat]
    profile = rider.profile
    task = bonus_task(rules, profile, runner.body(seat), profile.weapons[rider.hand], kind)
    won = yield from roll_bonus(rules, profile.attribute(KINDS[kind].attribute), task, rider.name, kind)
    yield from Tell(Attempted(rider.name, won.told(kind), of=((rider.name, weighed(rules, task)),)))
    left = max(0, won.actions)
    runner = runner.with_rider(seat, tried=True, bonus=kind if left else "", bonuses=left)
    return chase.put(number, runner), int(won.actions < 0)


def spendable(rider: Rider) -> bool:
    """Whether there are bonus actions left that the own turn can spend."""
    return bool(rider.bonuses and KINDS[rider.bonus].actions)


def turn_over(runner: Runner, seat: int) -> Runner:
    """A rider after the own turn: bonus actions are gone, but for dodges and parries, which last until all have had theirs."""
    if runner.riders[seat].bonus in REFLEXES:
        return runner.with_rider(seat, sighted=False)
    return runner.with_rider(seat, tried=False, bonus="", bonuses=0, sighted=False)


def free_of(rider: Rider, deed: Deed) -> dict[str, object] | None:
    """The changes that pay for an action with a bonus action of its kind or the laser sight's own aim; None for neither."""
    kind = COUNTS_AS.get(deed.kind, deed.kind)
    if rider.bonuses and covers(rider.bonus, kind):
        return {"bonuses": rider.bonuses - 1}
    if kind == "aim" and rider.weapon is not None and rider.weapon.bonus_aim and not rider.sighted:
        return {"sighted": True}
    return None


def payable(rider: Rider, options: tuple[Option[Deed], ...], ordinary: int) -> tuple[Option[Deed], ...]:
    """The options that a person still has the actions for; doing nothing takes none."""
    return tuple([option for option in options if ordinary or option.value.kind == "wait" or free_of(rider, option.value) is not None])
