"""Focus, waiting and responding in a pursuit (book lines 2966-2994, 3008-3018, 3434-3442)."""

from msgspec.structs import replace

from rulewright.play import Choice, Happened, Option, Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.foresight.fight.wait_actions import FIRST, NOW, comes
from rulewright.systems.foresight.pursuit.actions import About, Deed, act, pursuit_options
from rulewright.systems.foresight.pursuit.bonus_actions import bonus_options, free_of, payable, spendable, try_bonus
from rulewright.systems.foresight.pursuit.melee import disarmed, in_reach
from rulewright.systems.foresight.pursuit.pursuers import UNPREPARED, Chase, Place, Rider, Runner
from rulewright.systems.foresight.resolution.tests import BARELY, BOTCH

# --- initiative and focus -----------------------------------------------------------------------------------------------------


def rated(runner: Runner, seat: int, qr: int) -> Runner:
    """A rider after the initiative roll; a person who waits keeps the old rating, and fresh actions by it, until the own turn comes."""
    rider = runner.riders[seat]
    if not rider.held:
        return runner.with_rider(seat, qr=qr, rolled=0)
    steers = seat == 0 and not runner.autopilot
    actions = 0 if rider.qr == BOTCH else (2 if rider.qr <= BARELY else 1) - steers
    return runner.with_rider(seat, rolled=qr, held=max(0, actions))


def declare_focus(rules: Ruleset, chase: Chase, place: Place) -> Play[Chase]:
    """A person says which vehicle the attention goes to, if to any: only what those in it do can be waited for."""
    runner = chase.runners[place.runner]
    rider, body = runner.riders[place.seat], runner.body(place.seat)
    others = [other for other in chase.runners if other is not runner and not other.out]
    if (not place.actions and not rider.held) or runner.out or not others or _dazed(runner, place.seat):
        return chase
    options = [Option(other.name, other.craft.name, other.name) for other in others]
    about = About(rules, chase, place.runner, place.seat)
    question = "Who do you focus on?"
    focus: str = yield Choice(body.name, question, (Option("nothing", "Nobody in particular", ""), *options), about, "focus")
    if focus and focus != rider.focus:
        yield from Tell(Happened(rider.name, f"watches {focus}"))
    number = rider.held if focus else 0
    return chase.put(place.runner, runner.with_rider(place.seat, focus=focus, held=number))


def forgotten(chase: Chase) -> Chase:
    """The pursuit without the ratings that nobody will ask about: of people who neither watch anybody nor are watched."""
    watched = {rider.focus for runner in chase.runners for rider in runner.riders}
    for number, runner in enumerate(chase.runners):
        for seat, rider in enumerate(runner.riders):
            if not rider.focus and runner.name not in watched and rider.qr:
                chase = chase.put(number, chase.runners[number].with_rider(seat, qr=0, rolled=0))
    return chase


def rested(runner: Runner) -> Runner:
    """A vehicle at the end of a turn: of everybody who does not wait on, what counts for a turn is forgotten."""
    riders = tuple([_fresh(rider, _dazed(runner, seat)) for seat, rider in enumerate(runner.riders)])
    return disarmed(replace(runner, riders=riders))


def _fresh(rider: Rider, dazed: bool) -> Rider:
    fresh = replace(
        rider, spent=0, blows=0, dodges=0, parries=0, roused=False, tried=False, bonus="", bonuses=0, sighted=False, acted=False
    )
    fresh = replace(fresh, **UNPREPARED) if dazed else fresh
    return fresh if rider.held else replace(fresh, focus="", qr=0, rolled=0)


# --- acting upon what others do -----------------------------------------------------------------------------------------------


def _dazed(runner: Runner, seat: int) -> bool:
    body = runner.body(seat)
    return body.dead or body.unconscious or body.stunned


def waiting_for(chase: Chase, number: int) -> list[tuple[int, int]]:
    """People who wait for what the riders of a vehicle do and have an action left, the best initiative first."""
    name, entries = chase.runners[number].name, []
    for at, runner in enumerate(chase.runners):
        for seat, rider in enumerate(runner.riders):
            if (rider.held or spendable(rider)) and rider.focus == name and not runner.out and not _dazed(runner, seat):
                entries.append((rider.qr, -rider.profile.initiative.score, at, seat))
    return [(at, seat) for *_, at, seat in sorted(entries)]


def perform(rules: Ruleset, chase: Chase, number: int, seat: int, deed: Deed) -> Play[Chase]:
    """An action, with what those do who waited for it: before it with a strictly better initiative rating, else right after it."""
    if deed.kind in ("wait", "hold"):
        return chase
    mine = chase.runners[number].riders[seat].qr
    for at, other in waiting_for(chase, number):
        waits = chase.runners[at].riders[other]
        if comes(rules, waits.qr, mine, first=not waits.acted) == "before":
            chase = yield from _upon(rules, chase, at, other, number=number, seat=seat, deed=deed, when="first")
    if chase.over or not _still(rules, chase, number, seat, deed):
        return chase
    chase = yield from act(rules, chase, number, seat, deed)
    for at, other in waiting_for(chase, number):
        if not chase.over:
            chase = yield from _upon(rules, chase, at, other, number=number, seat=seat, deed=deed, when="now")
    return chase


def _still(rules: Ruleset, chase: Chase, number: int, seat: int, deed: Deed) -> bool:
    """Whether an action can still be done after others came first."""
    runner = chase.runners[number]
    if runner.out or _dazed(runner, seat):
        return False
    return any(option.value == deed for option in pursuit_options(About(rules, chase, number, seat)))


def _upon(rules: Ruleset, chase: Chase, at: int, other: int, *, number: int, seat: int, deed: Deed, when: str) -> Play[Chase]:
    """A person who waited is asked, and does one thing; others may have waited for that in turn."""
    rider = chase.runners[at].riders[other]
    if not (rider.held or spendable(rider)) or chase.runners[at].out or _dazed(chase.runners[at], other):
        return chase
    about = About(rules, chase, at, other)
    actor = chase.runners[number].riders[seat].name
    asked = f"{actor}: {deed.kind}. Do you act {when}?"
    if not (yield from Choice(rider.name, asked, FIRST if when == "first" else NOW, about, when)):
        return chase
    chase, own = yield from _one_action(rules, chase, at, other)
    return (yield from perform(rules, chase, at, other, own))


def _one_action(rules: Ruleset, chase: Chase, at: int, seat: int) -> Play[tuple[Chase, Deed]]:
    """Asks for the action of a person who waited, and pays for it; the first time in a turn a roll for bonus actions may come before it."""
    while True:
        about = About(rules, chase, at, seat)
        rider = about.rider
        plain = tuple([option for option in pursuit_options(about) if option.value.kind != "hold"])
        options = (*bonus_options(rules, rider, 0 < rider.qr <= BARELY, in_reach(chase, at)), *payable(rider, plain, rider.held))
        own: Deed = yield Choice(rider.name, "What do you do?", options, about)
        if own.kind != "bonus":
            break
        chase, lost = yield from try_bonus(rules, chase, at, seat, own)
        now = chase.runners[at].riders[seat]
        chase = chase.put(at, chase.runners[at].with_rider(seat, held=max(0, now.held - lost), spent=now.spent + lost))
    free = free_of(rider, own) or {"held": max(0, rider.held - 1), "spent": rider.spent + 1}
    return chase.put(at, chase.runners[at].with_rider(seat, **free, acted=True)), own
