"""Effects of powers in a fight, one function per mechanism (book lines 6236-7734)."""

from collections.abc import Callable

from msgspec.structs import replace

from rulewright.field.field import spot_at
from rulewright.grammar import count, join, the
from rulewright.play import GAMEMASTER, Choice, Option, Range, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.fighters import REACH, Dropped, Fight, Fighter, Situation, apart
from rulewright.systems.ore.fight.actions.powers.harm import Done, Use, dazed, drain, fire, force, harm, hinder, inflame, scorch
from rulewright.systems.ore.fight.drama_points import counters
from rulewright.systems.ore.fight.powers.active import CALM, COMMANDED, PASSION, begun_on, ended
from rulewright.systems.ore.fight.resolution.movement import goes, steps_from
from rulewright.systems.ore.fight.resolution.parley import morale_attack_on
from rulewright.systems.ore.harm.body import hindered
from rulewright.systems.ore.harm.over_time import remedied
from rulewright.systems.ore.log_phrases import verb
from rulewright.systems.ore.powers.timed_effects import doused, fed, hands_pool, purged, split_hands
from rulewright.systems.ore.powers.usage import MOST_MOOD, Ruled, asked, measure_of
from rulewright.systems.ore.powers.wards import bands
from rulewright.systems.ore.recovery.psychic import heals, soothed_dice
from rulewright.systems.ore.resolution.outcomes import Outcome
from rulewright.systems.ore.resolution.tests import Pool

FEELINGS = ("peace", "rage", "fear", "sorrow")


# --- minds --------------------------------------------------------------------------------------------------------------------


def daze(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """The target cannot act; a mook's dice are missing meanwhile. It costs the user two dice next round."""
    group = fight.group(use.on)
    yield use.came(what="confuses the target")
    if group is not None:
        missing = group.mob.ratings[0] if group.mob.ratings else 0
        fight = begun_on(fight, use.at(use.on, rounds=use.width + 1, dice=-missing))
    else:
        fight = yield from dazed(fight, use, use.width, "cannot act")
    return begun_on(fight, use.at(use.who, rounds=2, dice=-2)), 0


def calm(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """The target harms nobody while it is sustained; a mook leaves the fight for as long."""
    group = fight.group(use.on)
    yield use.came(what="calms the target")
    if group is not None:
        return begun_on(fight, use.at(use.on, dice=-(group.mob.ratings[0] if group.mob.ratings else 0))), 0
    harmful = [candidate for candidate in fight.pending if candidate.who == use.on and not candidate.counters and candidate.act.target]
    fight = replace(fight, pending=tuple([candidate for candidate in fight.pending if candidate not in harmful]))
    return begun_on(fight, use.at(use.on, word=CALM)), 0


def command(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """The target obeys at the next declaration: once, or while it is sustained."""
    group = fight.group(use.on)
    if group is not None:
        return (yield from calm(rules, fight, use))
    yield use.came(what=f"the target obeys: {measure_of(use.row, use.width, use.each.height)}")
    rounds = -1 if use.row.kept else 2
    return begun_on(fight, use.at(use.on, word=COMMANDED, rounds=rounds)), 0


def passion(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """One feeling controls the target for minutes, longer than any fight."""
    options = tuple([Option(feeling, feeling.capitalize(), feeling) for feeling in FEELINGS])
    feeling = yield from Choice(use.who, f"Which feeling do you cause in {use.on}?", options, Situation(fight, use.who, rules), "feeling")
    yield use.came(what=f"{feeling} for {count(use.each.height, 'minute')}")
    if fight.group(use.on) is not None:
        return (yield from morale_attack_on(rules, fight, use.on, use.width, use.each.height)), 0
    word = f"{PASSION}:{feeling}" if feeling in ("rage", "fear") else CALM
    return begun_on(fight, use.at(use.on, word=word)), 0


def mood(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """Asks the Game Master how many dice the changed feelings give or take."""
    words = measure_of(use.row, use.width, use.each.height)
    ask = f"{use.who} uses {use.row.effect}: the strongest feeling of {use.on} becomes {words} as strong. {use.row.asks}"
    about = Situation(fight, use.who, rules)
    dice = yield from Choice[int](GAMEMASTER, ask, Range(-MOST_MOOD, MOST_MOOD), about, "power dice")
    yield Tell(Ruled(use.who, use.row.effect, use.row.asks, f"{dice:+d}"))
    yield use.came(what=f"{words} as strong, {dice:+d}d")
    return begun_on(fight, use.at(use.on, dice=dice)), 0


def morale(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """A Morale Attack with the set."""
    yield use.came(what="frightens the target")
    fight = begun_on(fight, use.at(use.who))
    return (yield from morale_attack_on(rules, fight, use.on, use.width, use.each.height)), 0


def unseen(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """The user changes what the target perceives: at Width 4 the user can be invisible; less is up to the Game Master."""
    words = measure_of(use.row, use.width, use.each.height)
    fight = begun_on(fight, use.at(use.on, word="unseen" if use.width >= 4 and fight.group(use.on) is None else "deceived"))
    yield use.came(what=words)
    if use.width < 4:
        yield from asked(use.row, use.who, Outcome(use.width, use.each.height), words)
    return fight, 0


def ask(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """Asks the Game Master for the result."""
    words = measure_of(use.row, use.width, use.each.height)
    yield use.came(what=words or use.row.does)
    if use.row.asks:
        yield from asked(use.row, use.who, Outcome(use.width, use.each.height), words)
    return (begun_on(fight, use.at(use.on)) if use.row.kept else fight), 0


# --- oneself and what is around -----------------------------------------------------------------------------------------------


def ward(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """Raises a ward; an active one is turned and keeps its first Width."""
    word = ""
    if use.row.band:
        options = tuple([Option(band, band.capitalize(), band) for band in bands()])
        word = yield from Choice(use.who, "Which band does the shield stop?", options, Situation(fight, use.who, rules), "band")
    up = next((power for power in fight.powers if (power.effect, power.on) == (use.row.effect, use.who)), None)
    if up is not None:
        yield use.came(what=f"turned to {word}" if word else "turned in another direction")
        return begun_on(fight, replace(up, word=word)), 0
    yield use.came(what=f"raised with Width {use.width}" + (f" against {word}" if word else ""))
    return begun_on(fight, use.at(use.who, word=word)), 0


def upon_oneself(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """Works on the user while sustained, or for the scene."""
    yield use.came(what=measure_of(use.row, use.width, use.each.height) or use.row.does)
    return begun_on(fight, use.at(use.who)), 0


def light(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """Everybody within Psi metres, including the user, has -1d in glaring or murky light."""
    options = (Option("dim", "Dim the light", "murky"), Option("glare", "Make it glare", "glaring"))
    word = yield from Choice(use.who, "Dim or glaring light?", options, Situation(fight, use.who, rules), "light")
    far = use.row.radius * use.known.psi
    near = [name for name in _everybody(fight) if _within(fight, use.who, name, far)]
    yield use.came(what=f"{word} light within {far} m affects {join(near)}")
    for name in near:
        fight = begun_on(fight, use.at(name, dice=-1, rounds=use.width + 1, word=word))
    return fight, 0


def fetch(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """Moves an item on the floor up to Height metres nearer."""
    place = use.each.act.steps
    if not 0 <= place < len(fight.floor):
        yield use.came("nothing", "the object is gone")
        return fight, 0
    lies = fight.floor[place]
    moved = _nearer(lies, fight.fighter(use.who), use.each.height)
    name = fight.fighter(lies.owner).profile.weapons[lies.place].name
    yield use.came(what=f"{the(name)} moves {apart(lies, moved)} m nearer")
    return replace(fight, floor=tuple([moved if dropped is lies else dropped for dropped in fight.floor])), 0


def _nearer(lies: Dropped, fighter: Fighter, metres: int) -> Dropped:
    """An item moved nearer to the user."""
    if lies.at is None or fighter.at is None:
        return replace(lies, metres=lies.metres + max(-metres, min(metres, fighter.metres - lies.metres)))
    share = min(1.0, metres / max(1, apart(lies, fighter)))
    (x, y), (to_x, to_y) = lies.at, fighter.at
    return replace(lies, at=spot_at(x + (to_x - x) * share, y + (to_y - y) * share))


def hands(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """Hands of force: the user splits the Height into Body and Coordination; the Game Master decides the result."""
    height = use.each.height
    body = 0
    if height > 1:
        ask_for = f"How many of {height} points are Body? The rest is Coordination."
        body = yield from Choice[int](use.who, ask_for, Range(1, height - 1), Situation(fight, use.who, rules), "hands")
    made = split_hands(height, body)
    pool: Pool = hands_pool(made.body, made.coordination, 0)
    yield use.came(what=f"makes hands with Body {made.body} and Coordination {made.coordination}")
    answer = yield from asked(
        replace(use.row, asks=f"What do the hands do, with {pool.dice} dice and a skill?"), use.who, Outcome(use.width, height), ""
    )
    word = f"Body {made.body}, Coordination {made.coordination}: {answer}"
    return begun_on(fight, use.at(use.who, word=word)), 0


def douse(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """Reduces fires within Height metres by the Width, or puts them out."""
    gone, far = 0, use.each.height
    for working in [power for power in fight.powers if power.word == "alight" and _within(fight, use.who, power.on, far)]:
        left = doused(working.width, use.width, use.each.height).rating
        fight = begun_on(fight, replace(working, width=left)) if left else ended(fight, (working,))
        gone += not left
    for fighter in [candidate for candidate in fight.fighters if candidate.body.burning and _within(fight, use.who, candidate.name, far)]:
        fight, gone = fight.change(fighter.name, body=remedied(fighter.body)), gone + 1
    yield use.came("works" if gone else "nothing", f"puts out {count(gone, 'fire')}")
    return fight, 0


def _everybody(fight: Fight) -> list[str]:
    """Everybody who can act, people before mooks."""
    people = [fighter.name for fighter in fight.fighters if fighter.able]
    return people + [group.name for group in fight.groups if group.able]


def _within(fight: Fight, who: str, name: str, metres: int) -> bool:
    """Whether a person is within range, or the user."""
    return name == who or fight.distance(who, name) <= metres


def feed(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """Increases a fire on a target by the Width; without one the Game Master decides what the flame does."""
    alight = next((power for power in fight.powers if power.word == "alight" and fight.side_of(power.on) != fight.side_of(use.who)), None)
    if alight is not None:
        rating, _ = fed(alight.width, 0, use.width, use.width)
        yield use.came(what=f"the fire on {alight.on} now has Area Rating {rating}")
        return begun_on(begun_on(fight, replace(alight, width=rating)), use.at(use.who)), 0
    shape = measure_of(use.row, 0, use.each.height)
    yield use.came(what=f"shapes a flame: {shape}")
    yield from asked(
        replace(use.row, asks="Is there a flame, and what happens to it?"), use.who, Outcome(use.width, use.each.height), shape
    )
    return begun_on(fight, use.at(use.who)), 0


def wave(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """A wave pushes everybody within Psi metres back by 1 metre per point of Width left after Body and Physique."""
    near = [name for name in _everybody(fight) if name != use.who and _within(fight, use.who, name, use.known.psi)]
    yield use.came(what=f"sends out a wave of {use.known.psi} m")
    for name in near:
        if fight.group(name) is not None:
            fight = yield from goes(
                fight, name, steps_from(fight, name, use.who, use.width), verb(name, "is thrown back", "are thrown back")
            )
            continue
        pool = fight.fighter(name).profile.endurance
        fight, left = yield from counters(rules, fight, name, pool, width=use.width, height=use.each.height)
        if left.success:
            fight = yield from goes(fight, name, steps_from(fight, name, use.who, left.width), "is thrown back")
    return begun_on(fight, use.at(use.who)), 0


def heal(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """Heals a patient in reach; what Mending has left over reduces injury penalties."""
    patient = fight.fighter(use.on)
    if fight.distance(use.who, use.on) > REACH:
        yield use.came("nothing", f"cannot reach {use.on}")
        return fight, 0
    after = yield from heals(rules, patient.body, use.width, use.row.heals or "kill", use.who)
    healed = use.width - after.left
    fight = fight.change(use.on, body=after.body)
    user = fight.fighter(use.who)
    fight = fight.change(use.who, reserve=replace(user.reserve, treated=(*user.reserve.treated, use.on)))
    yield use.came("works" if healed or after.left else "nothing", f"heals {count(healed, 'point')}")
    if after.left and use.row.heals == "shock":
        soothed = soothed_dice(after.left, hindered(rules, after.body).dice).dice
        fight = begun_on(fight, use.at(use.on, dice=soothed))
    return fight, 0


def cure(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """Asks the Game Master for the virulence and reduces it by the Width."""
    ask_for = f"{use.who} uses {use.row.effect}. How virulent is the illness of {use.on}? 0 for none."
    about = Situation(fight, use.who, rules)
    virulence = yield from Choice[int](GAMEMASTER, ask_for, Range(0, len(use.row.virulence)), about, "power in the way")
    left = purged(virulence, use.width).value
    yield Tell(Ruled(use.who, use.row.effect, "How virulent is it?", str(virulence)))
    yield use.came("works" if virulence else "nothing", "cured" if not left else f"Virulence {left} is left")
    return fight, 0


DOES: dict[str, Callable[[Ruleset, Fight, Use], Done]] = {
    "harm": harm,
    "hinder": hinder,
    "inflame": inflame,
    "scorch": scorch,
    "drain": drain,
    "fire": fire,
    "ward": ward,
    "bend": upon_oneself,
    "senses": upon_oneself,
    "outside": upon_oneself,
    "fly": upon_oneself,
    "light": light,
    "fetch": fetch,
    "hands": hands,
    "douse": douse,
    "feed": feed,
    "force": force,
    "heal": heal,
    "cure": cure,
    "daze": daze,
    "calm": calm,
    "command": command,
    "passion": passion,
    "mood": mood,
    "morale": morale,
    "unseen": unseen,
    "ask": ask,
}
"""The function of each mechanism that works in a fight."""
