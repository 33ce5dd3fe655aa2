"""Drama Points and luck in a fight: before the roll, after it, and when hit (book lines 5481-5501)."""

from typing import NamedTuple

from msgspec.structs import replace

from rulewright.grammar import count
from rulewright.play import Choice, Happened, Option, Play, Roll, Tell, sub
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, rule
from rulewright.systems.ore.combat.fighters import Fight, Fighter, Pending, Plan, Situation
from rulewright.systems.ore.drama.determination import (
    Cast,
    Determined,
    Open,
    Timed,
    determine,
    dice_of,
    has_set,
    lowest_waste,
    plain_reading,
    speed_of,
    used,
    waste_counts,
)
from rulewright.systems.ore.drama.points import (
    NO_YES,
    YES_NO,
    Effect,
    Gain,
    can_spend,
    determined,
    fortunate_test,
    hell_bent,
    ignored,
    luck_wanted,
    slip_up,
    spend,
)
from rulewright.systems.ore.drama.rerolls import again
from rulewright.systems.ore.fight.events import Readied, TestRolled
from rulewright.systems.ore.fight.penalties import height_lost, hindering
from rulewright.systems.ore.fight.powers.active import mods_on
from rulewright.systems.ore.gear.weapons import Blow
from rulewright.systems.ore.harm.body import AnyBody, Dealt
from rulewright.systems.ore.log_phrases import action_name, action_phrase
from rulewright.systems.ore.people.feat_tests import dice_kept
from rulewright.systems.ore.resolution.contests import spoiled_at
from rulewright.systems.ore.resolution.outcomes import Outcome, outcome_of
from rulewright.systems.ore.resolution.readings import countered
from rulewright.systems.ore.resolution.tests import Pool, dice_in

_BEFORE: dict[str, Option[tuple[bool, Gain | None]]] = {
    "no": Option("no", "No Drama Points", (False, None)),
    "determined": Option("determined", "Determined: promote a die (1 point)", (True, None)),
    "hell-bent width": Option("hell-bent width", "Hell-Bent: +1 Width (2 points)", (False, "width")),
    "hell-bent height": Option("hell-bent height", "Hell-Bent: +2 Height (2 points)", (False, "height")),
    "both width": Option("both width", "Determined, and Hell-Bent for +1 Width (3 points)", (True, "width")),
    "both height": Option("both height", "Determined, and Hell-Bent for +2 Height (3 points)", (True, "height")),
}


def _can_spend(rules: Ruleset, fighter: Fighter, effect: Effect) -> bool:
    return fighter.drama > 0 and can_spend(rules, fighter.drama, effect)


def _pay(rules: Ruleset, fight: Fight, name: str, effect: Effect) -> Play[Fight]:
    fighter = fight.fighter(name)
    yield Tell(Happened(name, f"spends Drama Points on {effect.title() if effect != 'the hand of god' else 'The Hand of God'}"))
    return fight.put(replace(fighter, body=replace(fighter.body, drama=spend(rules, fighter.drama, effect))))


def _ask_to_spend(rules: Ruleset, fight: Fight, name: str, effect: Effect, ask: str, *, topic: str) -> Play[tuple[Fight, bool]]:
    """Asks whether to spend Drama Points, and pays."""
    if not _can_spend(rules, fight.fighter(name), effect) or not (
        yield from Choice(name, ask, NO_YES, Situation(fight, name, rules), f"drama {topic}")
    ):
        return fight, False
    return (yield from _pay(rules, fight, name, effect)), True


# --- before the roll ----------------------------------------------------------------------------------------------------------


def before_the_roll(rules: Ruleset, fight: Fight, plan: Plan, rolls: bool) -> Play[tuple[Fight, Plan]]:
    """Asks for Drama Points before the roll: a promoted die, a wider or higher set, or both."""
    name = plan.who
    fighter = fight.fighter(name)
    if not rolls or fighter.drama <= 0:
        return fight, plan
    options = _options_before(rules, fighter.drama)
    if len(options) == 1:
        return fight, plan
    promoted, gain = yield from Choice(name, "Spend Drama Points before the roll?", options, Situation(fight, name, rules), "drama before")
    if promoted:
        fight = yield from _pay(rules, fight, name, "determined")
    if gain is not None:
        fight = yield from _pay(rules, fight, name, "hell-bent")
    return fight, replace(plan, determined=promoted, gain=gain or "")


@cached(1_000)
def _options_before(rules: Ruleset, drama: int) -> tuple[Option[tuple[bool, Gain | None]], ...]:
    """The purchases possible with so many Drama Points before a roll."""
    promotes, bent = can_spend(rules, drama, "determined"), can_spend(rules, drama, "hell-bent")
    keys = ["no"]
    keys += ["determined"] if promotes else []
    keys += ["hell-bent width", "hell-bent height"] if bent else []
    if promotes and bent and can_spend(rules, spend(rules, drama, "determined"), "hell-bent"):
        keys += ["both width", "both height"]
    return tuple([_BEFORE[key] for key in keys])


def heroic_cast(rules: Ruleset, fight: Fight, cast: Cast, plan: Plan) -> Cast:
    """A roll with a promoted die, open to a reroll if there are points for it."""
    if plan.determined and cast.pool.expert + cast.pool.dice:
        cast = replace(cast, pool=determined(cast.pool))
    return replace(cast, blessed=True) if _can_spend(rules, fight.fighter(cast.who), "blessed") else cast


# --- after the roll -----------------------------------------------------------------------------------------------------------


class Fell(NamedTuple):
    """The result of a roll: sets, lowest waste die for bullets, and unsettled parts."""

    sets: tuple[Timed | None, ...]
    waste: int = 0
    open: Open | None = None


def after_the_roll(rules: Ruleset, fight: Fight, cast: Cast, plan: Plan, fell: Fell) -> Play[tuple[Fight, Fell]]:
    """Rerolls without a set, Blessed rerolls, and the gain from Hell-Bent."""
    if not _has_set(rules, cast, fell) and fight.fighter(cast.who).luck:
        fight, fell = yield from lucky(rules, fight, cast, fell)
    if cast.again and not _has_set(rules, cast, fell) and _had_dice(rules, cast):
        ask = "No set. Use your feat to roll again?"
        if (yield from Choice(cast.who, ask, YES_NO, Situation(fight, cast.who, rules), "again")):
            yield Tell(Happened(cast.who, "rolls again with a feat"))
            fell = yield from _reroll(rules, fight, cast, fell)
    if not _has_set(rules, cast, fell) and _had_dice(rules, cast):
        fight, once_more = yield from _ask_to_spend(
            rules, fight, cast.who, "lucky", "No set. Spend a Drama Point on Lucky to roll again?", topic="lucky"
        )
        if once_more:
            fell = yield from _roll_once_more(rules, fight, cast)
    if fell.open is not None and cast.again and not cast.blessed:
        sets = yield from used(rules, cast, fell.open.fell)
        fell = Fell(sets, lowest_waste(rules, cast, fell.open.fell, sets))
    if fell.open is not None:
        fight, fell = yield from _ask_blessed(rules, fight, cast, fell.open)
    place = next((place for place, timed in enumerate(fell.sets) if timed is not None), None)
    if place is not None and plan.gain:
        first = fell.sets[place]
        assert first is not None
        best = hell_bent(rules, first.width, first.height, plan.gain)
        speed = first.speed if waste_counts(rules) else speed_of(rules, best.width, best.height)
        fell = fell._replace(sets=(*fell.sets[:place], Timed(best.width, best.height, speed), *fell.sets[place + 1 :]))
    return fight, fell


def _has_set(rules: Ruleset, cast: Cast, fell: Fell) -> bool:
    return any(fell.sets) if fell.open is None else has_set(rules, cast, fell.open.fell)


def _had_dice(rules: Ruleset, cast: Cast) -> bool:
    """Whether dice were rolled; a Luck die is not part of the pool (ruling)."""
    dice = dice_of(rules, cast)
    return dice is not None and dice.dice > 0


@rule("ore-2.31-lucky")
def lucky(rules: Ruleset, fight: Fight, cast: Cast, fell: Fell) -> Play[tuple[Fight, Fell]]:
    """Once per session Lucky rerolls all dice of a roll without a set.

    Sets that do not count (below the Difficulty, or beside the number of a called shot) are none (ruling).
    """
    if not _had_dice(rules, cast) or not (yield from luck_wanted(cast.who, Situation(fight, cast.who, rules))):
        return fight, fell
    yield Tell(Happened(cast.who, "is Lucky and rolls again"))
    body = fight.fighter(cast.who).body
    fight = fight.change(cast.who, body=replace(body, luck=body.luck - 1))
    return fight, (yield from _roll_once_more(rules, fight, cast))


def _roll_once_more(rules: Ruleset, fight: Fight, cast: Cast) -> Play[Fell]:
    """Rolls the same dice again."""
    result: Determined = yield from sub(determine, rules, (cast,), fight.plain)
    return Fell(result.sets[0], result.waste[0], result.lying[0])


def _reroll(rules: Ruleset, fight: Fight, cast: Cast, fell: Fell) -> Play[Fell]:
    """Rerolls a roll without a set: all dice, or some while others stay that the player chooses. A roll repeated by a feat is not
    Blessed as well (ruling)."""
    dice, reading = dice_of(rules, cast), plain_reading(rules, cast)
    assert dice is not None
    keeps = dice.dice - cast.again
    if reading is None or keeps <= 0 or fell.open is None:
        return (yield from _roll_once_more(rules, fight, replace(cast, again=0, blessed=False)))
    faces = tuple([face for _, face in fell.open.sets])
    if fight.edition:
        kept = yield from dice_kept(cast.who, faces, keeps, Situation(fight, cast.who, rules))
    else:
        kept = tuple(sorted(faces, reverse=True)[:keeps])
    lying = tuple([(1, face) for face in kept])
    result = yield from Roll(again(reading, lying), cast.who, f"{action_phrase(cast.what)}, some dice again")
    settled = replace(cast, again=0, blessed=False)
    sets = yield from used(rules, settled, result)
    return Fell(sets, lowest_waste(rules, settled, result, sets))


def _ask_blessed(rules: Ruleset, fight: Fight, cast: Cast, lies: Open) -> Play[tuple[Fight, Fell]]:
    """Asks to reroll dice outside of sets; then the dice are assigned."""
    dice, reading, fell = dice_of(rules, cast), plain_reading(rules, cast), lies.fell
    assert dice is not None
    assert reading is not None
    stands = lies.sets if not cast.again or has_set(rules, cast, fell) else ()
    loose = dice.dice - sum([width for width, _ in stands])
    if loose:
        ask = f"Spend Drama Points on Blessed to reroll {count(loose, 'die', 'dice')} outside of sets?"
        fight, blessed = yield from _ask_to_spend(rules, fight, cast.who, "blessed", ask, topic="blessed")
        if blessed:
            fell = yield from Roll(again(reading, stands), cast.who, f"{action_phrase(cast.what)}, Blessed")
    sets = yield from used(rules, cast, fell)
    return fight, Fell(sets, lowest_waste(rules, cast, fell, sets))


# --- tests beside what was declared -------------------------------------------------------------------------------------------


def rolls_for(
    rules: Ruleset, fight: Fight, name: str, pool: Pool, *, difficulty: int = 1, what: str = "test"
) -> Play[tuple[Fight, Outcome]]:
    """A test that was not declared, with all penalties, luck and Drama Points."""
    reaction = yield from _reacting(rules, fight, name, pool, difficulty=difficulty, what=what)
    body, outcome = yield from fortunate_test(rules, *reaction)
    yield _told(reaction, outcome)
    return _with_body(fight, name, body), outcome


def counters(rules: Ruleset, fight: Fight, name: str, pool: Pool, *, width: int, height: int) -> Play[tuple[Fight, Outcome]]:
    """Rolls counter dice against a set on the table, as in `contests.beat`: what is left of it."""
    reaction = yield from _reacting(rules, fight, name, pool, difficulty=1, what="opposition", at_least=height)
    body, left = yield from sub(_countering, rules, reaction, (width, height))
    return _with_body(fight, name, body), left


class Reaction(NamedTuple):
    """The arguments of a reaction roll for `fortunate_test`."""

    body: AnyBody
    pool: Pool
    difficulty: int
    by: str
    what: str
    at_least: int
    height: int


def _reacting(rules: Ruleset, fight: Fight, name: str, pool: Pool, *, difficulty: int, what: str, at_least: int = 1) -> Play[Reaction]:
    """A reaction roll with all penalties."""
    fighter = fight.fighter(name)
    hindered, lost = pool.plus(*hindering(rules, fighter)), height_lost(rules, fighter)
    if fight.powers:
        hindered = hindered.plus(*mods_on(rules, fight, name))
    yield Tell(Readied(name, what, hindered, dice_in(rules, hindered), difficulty, lost))
    return Reaction(fighter.body, hindered, difficulty, name, what, at_least, lost)


def _countering(rules: Ruleset, reaction: Reaction, against: tuple[int, int]) -> Play[tuple[AnyBody, Outcome]]:
    """The rest of a set after a reaction roll."""
    body, outcome = yield from fortunate_test(rules, *reaction)
    yield _told(reaction, outcome)
    if not outcome.success:
        return body, Outcome(*against)
    return body, outcome_of(countered(against, (outcome.width, outcome.height), spoiled_at(rules)))


def _told(reaction: Reaction, outcome: Outcome) -> Tell:
    return Tell(TestRolled(reaction.by, reaction.what, outcome.width, outcome.height, reaction.height))


def _with_body(fight: Fight, name: str, body: AnyBody) -> Fight:
    return fight if body is fight.fighter(name).body else fight.change(name, body=body)


def slips(rules: Ruleset, fight: Fight, pending: tuple[Pending, ...]) -> Play[tuple[Fight, tuple[Pending, ...]]]:
    """Asks everybody with Drama Points about Slip Up: -1 Width or -2 Height for an opponent's set."""
    for name in [fighter.name for fighter in fight.fighters if fighter.drama > 0 and fighter.able]:
        if not _can_spend(rules, fight.fighter(name), "slip up"):
            continue
        side = fight.side_of(name)
        coming = [candidate for candidate in pending if fight.side_of(candidate.who) != side and not candidate.lying]
        coming.sort(key=lambda item: (item.act.target != name, item.counters))  # first what is aimed at oneself
        if not coming:
            continue
        options = _slip_options(tuple([(candidate.who, candidate.width, candidate.height, candidate.act.kind) for candidate in coming]))
        about = Situation(replace(fight, pending=pending), name, rules)
        chosen = yield from Choice(name, "Spend a Drama Point on Slip Up?", options, about, "drama slip")
        if chosen is not None:
            fight = yield from _pay(rules, fight, name, "slip up")
            slipped = coming[chosen[0]]
            before, pending = pending, _apply_slip(rules, pending, slipped, chosen[1])
            left = next((candidate for candidate in pending if candidate not in before), None)
            what = f"becomes a {left.width}x{left.height}" if left is not None else "is spoiled"
            yield Tell(
                Happened(
                    slipped.who, f"slips up: the {slipped.width}x{slipped.height} for the {action_name(slipped.act.kind)} {what}", "bad"
                )
            )
    return fight, pending


@cached(2_000)
def _slip_options(coming: tuple[tuple[str, int, int, str], ...]) -> tuple[Option[tuple[int, Gain] | None], ...]:
    """The sets that can slip, cached by owner, Width, Height and kind."""
    options: list[Option[tuple[int, Gain] | None]] = [Option("no", "No", None)]
    for place, (who, width, height, kind) in enumerate(coming):
        words = f"{who}'s {width}x{height} for the {action_name(kind)}"
        options.append(Option(f"{place + 1} width", f"{words}: -1 Width", (place, "width")))
        options.append(Option(f"{place + 1} height", f"{words}: -2 Height", (place, "height")))
    return tuple(options)


def _apply_slip(rules: Ruleset, pending: tuple[Pending, ...], item: Pending, loss: Gain) -> tuple[Pending, ...]:
    left = slip_up(rules, item.width, item.height, loss, item.need)
    if not left.success:
        return tuple([candidate for candidate in pending if candidate is not item])
    speed = item.speed if waste_counts(rules) else speed_of(rules, left.width, left.height)
    return tuple(
        [replace(candidate, width=left.width, height=left.height, speed=speed) if candidate is item else candidate for candidate in pending]
    )


# --- when hit -----------------------------------------------------------------------------------------------------------------


def when_hit(rules: Ruleset, fight: Fight, name: str, dealt: Blow) -> Play[tuple[Fight, Blow]]:
    """Asks a hit fighter whether to ignore all Shock or all Kill."""
    fight, left = yield from spared(rules, fight, name, dealt.kill, dealt.shock)
    if left == (dealt.kill, dealt.shock):
        return fight, dealt
    saved = (("The Hand of God", left.kill - dealt.kill, 0), ("Unwavering", 0, left.shock - dealt.shock))
    return fight, replace(dealt, kill=left.kill, shock=left.shock, parts=(*dealt.parts, *saved))


def spared(rules: Ruleset, fight: Fight, name: str, kill: int, shock: int) -> Play[tuple[Fight, Dealt]]:
    """The rest of any attack after Drama Points."""
    no_kill = no_shock = False
    if not fight.fighter(name).drama:
        return fight, Dealt(kill, shock)
    if kill:
        ask = f"You would take {kill} Kill. Spend Drama Points on The Hand of God to ignore it?"
        fight, no_kill = yield from _ask_to_spend(rules, fight, name, "the hand of god", ask, topic="kill")
    if shock:
        ask = f"You would take {shock} Shock. Spend Drama Points on Unwavering to ignore it?"
        fight, no_shock = yield from _ask_to_spend(rules, fight, name, "unwavering", ask, topic="shock")
    return fight, ignored(kill, shock, no_shock, no_kill)


def flinches(rules: Ruleset, fight: Fight, name: str) -> Play[tuple[Fight, bool]]:
    """Whether a hit costs a die of a waiting set; Unflinching keeps it."""
    waits = any(candidate.who == name for candidate in fight.pending)
    if fight.group(name) is not None or not waits or not fight.fighter(name).drama:
        return fight, True
    fight, kept = yield from _ask_to_spend(
        rules, fight, name, "unflinching", "You are hit. Spend Drama Points on Unflinching to lose no die?", topic="flinch"
    )
    return fight, not kept
