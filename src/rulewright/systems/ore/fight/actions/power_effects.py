"""What powers do in a fight, a function for each mechanism that effects name in their rows (book lines 6236-7734)."""

from collections.abc import Callable
from typing import NamedTuple

from msgspec.structs import replace

from rulewright.play import GAMEMASTER, Choice, Happened, Option, Play, Range, Tell, sub
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.attacks import Landed, land
from rulewright.systems.ore.combat.cover import OPEN
from rulewright.systems.ore.combat.fighters import REACH, Dropped, Fight, Fighter, Group, Pending, Situation, apart
from rulewright.systems.ore.combat.mooks import hit_mook
from rulewright.systems.ore.fight.actions.power_events import PowerCame
from rulewright.systems.ore.fight.at_work import CALM, COMMANDED, DAZED, PASSION, begun_on, ended, warded
from rulewright.systems.ore.fight.gunfire import ready
from rulewright.systems.ore.fight.heroics import counters, when_hit
from rulewright.systems.ore.fight.moving import goes, steps_from
from rulewright.systems.ore.fight.parley import morale_attack_on
from rulewright.systems.ore.gear.armour import Protection
from rulewright.systems.ore.gear.weapons import Blow, Class
from rulewright.systems.ore.harm.body import Abstract, AnyBody, dealt, hindered
from rulewright.systems.ore.harm.lasting import remedied
from rulewright.systems.ore.powers.catalogue import EffectRow
from rulewright.systems.ore.powers.known import Known, Working
from rulewright.systems.ore.powers.over_time import doused, drained_shock, fed, hands_pool, purged, split_hands
from rulewright.systems.ore.powers.using import MOST_MOOD, Ruled, asked, measure_of
from rulewright.systems.ore.powers.wards import bands
from rulewright.systems.ore.recovery.psychic import heals, soothed_dice
from rulewright.systems.ore.resolution.tests import Outcome, Pool

CLASSES: dict[str, Class] = {"electricity": "E", "light": "E", "microwave": "E", "heat": "E", "cold": "E", "force": "I"}
"""The class of damage that a power does; what goes for nerves, flesh and mind is special."""
FEELINGS = ("peace", "rage", "fear", "sorrow")


class Use(NamedTuple):
    """A power that has come off: who used it, which it is, and the set."""

    each: Pending
    known: Known
    row: EffectRow
    width: int

    @property
    def who(self) -> str:
        """Its user."""
        return self.each.who

    @property
    def on(self) -> str:
        """Whom it is aimed at; its user where at nobody."""
        return self.each.act.target or self.each.who

    def at(self, on: str, **changes: object) -> Working:
        """It at work on somebody."""
        kept = Working(self.row.effect, self.who, on, self.width, self.each.height, kept=self.row.kept)
        return replace(kept, **changes)

    def came(self, came: str = "works", what: str = "", on: str | None = None, harm: bool = False) -> Tell:
        """What came of it, for the log."""
        target = self.on if on is None else on
        return Tell(PowerCame(self.who, self.row.effect, target, self.width, self.each.height, came, what, harm))


Done = Play[tuple[Fight, int]]


# --- harm ---------------------------------------------------------------------------------------------------------------------


def opposed(rules: Ruleset, fight: Fight, use: Use) -> Play[tuple[Fight, int]]:
    """What is left of a power's Width once whoever can resist it has: with Psyche and Focus, or Body and Physique. Mooks have neither."""
    if not use.row.resist or fight.group(use.on) is not None or use.on == use.who:
        return fight, use.width
    profile = fight.fighter(use.on).profile
    pool = profile.nerve if use.row.resist == "nerve" else profile.endurance
    fight, left = yield from counters(rules, fight, use.on, pool, use.width, use.each.height)
    return fight, left.width if left.success else 0


def harm(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """Damage by the Width of the set and what the row adds; armour helps where the row says so, wards where they are made for it."""
    more = use.known.psi if use.row.psi else 0
    shock = None if use.row.shock is None else use.row.shock + more
    return (yield from strikes(rules, fight, use, use.row.kill, shock))


def strikes(rules: Ruleset, fight: Fight, use: Use, kill: int | None, shock: int | None) -> Done:
    """A power hurts somebody."""
    points = dealt(use.width, kill, shock)
    nature = use.row.nature[0] if use.row.nature else ""
    struck = Blow(use.width, points.kill, points.shock, damage_class=CLASSES.get(nature, "S"))
    group = fight.group(use.on)
    if group is not None:
        return (yield from _mooks(rules, fight, use, struck, group)), 1
    fight, struck = yield from when_hit(rules, fight, use.on, struck)
    victim = fight.fighter(use.on)
    worn = ready(victim) if use.row.armour else Protection(natural=victim.worn.natural)
    worn = warded(rules, fight, victim.name, worn, struck.damage_class, nature)
    whole = (rules, struck, use.each.height, victim.body, worn, None, OPEN, False, use.who, victim.name)
    landed: Landed = yield from (sub(land, *whole) if isinstance(victim.body, Abstract) else land(*whole))
    fight = fight.change(victim.name, body=landed.body)
    if use.row.armour and landed.worn.pieces != worn.pieces:
        fight = fight.change(victim.name, worn=replace(victim.worn, pieces=landed.worn.pieces))
    yield use.came(state_of(victim.body, landed.body), harm=True)
    fight = yield from _aftermath(rules, fight, use, landed)
    return (yield from _for_good(rules, fight, use, victim.body, landed.body)), 1


def state_of(before: AnyBody, after: AnyBody) -> str:
    """How somebody stands after a blow, in a word."""
    if (after.record(), after.wounds) == (before.record(), before.wounds):
        return "no harm"
    return "dead" if after.dead else "unconscious" if after.unconscious else "down" if after.down else "hurt"


def _mooks(rules: Ruleset, fight: Fight, use: Use, struck: Blow, group: Group) -> Play[Fight]:
    """A power hits the mook whom it takes out, or else the weakest; their armour counts where armour does."""
    mob = group.mob
    if mob.out:
        return fight
    seen = mob if use.row.armour else replace(mob, armour=0)
    tries = [hit_mook(rules, seen, struck.hit, use.each.height, which) for which in range(mob.number)]
    after = min(tries, key=lambda one: (one.number, sum(one.ratings)))
    came = "down" if after.number < mob.number else "hurt" if after != seen else "no harm"
    yield use.came(came, "takes one of them out" if came == "down" else "", harm=True)
    return fight.put_group(replace(group, mob=replace(after, armour=mob.armour)))


def _aftermath(rules: Ruleset, fight: Fight, use: Use, landed: Landed) -> Play[Fight]:
    """What a blow of the mind leaves behind: a twitch for a round, cold for as many as points of Shock were taken, pain beyond acting."""
    if use.row.after == "twitch":
        return begun_on(fight, use.at(use.on, dice=-1, rounds=2, kept=0))
    if use.row.after == "cold" and landed.shock:
        yield Tell(Happened(use.on, f"freezes for {landed.shock} rounds", "bad"))
        return begun_on(fight, use.at(use.on, dice=-1, rounds=landed.shock + 1, kept=0))
    if use.row.after == "pain" and landed.kill:
        return (yield from dazed(fight, use, use.width, "cannot act for pain"))
    return fight


_FOR_GOOD: tuple[Option[str], ...] = (Option("no", "No", "no"), Option("yes", "Yes, something stays", "yes, something stays"))


def _for_good(rules: Ruleset, fight: Fight, use: Use, before: AnyBody, after: AnyBody) -> Play[Fight]:
    """Whoever goes down by what may leave harm for good: the Game Master says whether it does."""
    if use.row.lasting and not after.able and before.able and not after.dead:
        ask = f"{use.on} went down by {use.row.effect} of {use.who}. Does something of it stay for good?"
        answer = yield from Choice(GAMEMASTER, ask, _FOR_GOOD, Situation(fight, use.who, rules), "power answer")
        yield Tell(Ruled(use.who, use.row.effect, "Does something stay for good?", answer))
    return fight


def hinder(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """A die less: for the round after this, or for as long as the scene lasts."""
    rounds = use.row.rounds + 1 if use.row.rounds else -1
    yield use.came(what="a die less" + (" next round" if use.row.rounds else ""))
    return begun_on(fight, use.at(use.on, dice=-1, rounds=rounds)), 0


def inflame(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """Whoever is hurt already has as many dice less as the set is wide; nobody else minds."""
    victim = fight.fighter(use.on)
    if victim.body.record() == "unhurt" and not victim.body.wounds:
        yield use.came("nothing", "there is no injury to make worse")
        return fight, 0
    yield use.came(what=f"{use.width} dice less for pain")
    return begun_on(fight, use.at(use.on, dice=-use.width)), 0


def scorch(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """One Kill at the touch; it stays hot, and burns again while the touch is kept."""
    fight, dice = yield from strikes(rules, fight, use, 1 - use.width, None)
    return (begun_on(fight, use.at(use.on, rounds=use.width, word="hot")) if fight.group(use.on) is None else fight), dice


def drain(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """The Game Master says what source is at hand; its energy goes through somebody grounded."""
    options = (Option("none", "No source at hand", ""), *[Option(size, f"A {size} one", size) for size in use.row.steps])
    ask = f"{use.who} drains power into {use.on}. What source is at hand?"
    source = yield from Choice(GAMEMASTER, ask, options, Situation(fight, use.who, rules), "power answer")
    yield Tell(Ruled(use.who, use.row.effect, "What source is at hand?", source or "none"))
    if not source:
        yield use.came("nothing", "there is nothing to drain")
        return fight, 0
    return (yield from strikes(rules, fight, use, None, drained_shock(rules, source, use.width).value - use.width))


def fire(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """What somebody wears burns for as many rounds as the set is high; mooks feel it once, each of them (ruling)."""
    group = fight.group(use.on)
    if group is not None:
        return (yield from strikes(rules, fight, use, 0, None))
    yield use.came(what=f"burns, Area Rating {use.width}")
    return begun_on(fight, use.at(use.on, rounds=use.each.height, word="alight")), 0


def force(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """Somebody who struggles is lifted and smashed against something: Width in Kill, his Body more in Shock."""
    body = 0 if fight.group(use.on) is not None else fight.fighter(use.on).profile.body
    fight = begun_on(fight, use.at(use.who))
    return (yield from strikes(rules, fight, use, 0, body))


# --- minds --------------------------------------------------------------------------------------------------------------------


def dazed(fight: Fight, use: Use, width: int, what: str) -> Play[Fight]:
    """Somebody loses what waits, and cannot act for so many rounds: this one, where he had yet to act, and those after it."""
    waits = any(each.who == use.on for each in fight.pending)
    yield Tell(Happened(use.on, f"{what}: {width} rounds", "bad"))
    fight = replace(fight, pending=tuple([each for each in fight.pending if each.who != use.on]))
    return begun_on(fight, use.at(use.on, rounds=width if waits else width + 1, word=DAZED, kept=0))


def daze(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """Nobody acts who is so confused; a mook's dice are missing while it lasts. It costs its user two dice in the next round."""
    group = fight.group(use.on)
    yield use.came(what="is lost in confusion")
    if group is not None:
        missing = group.mob.ratings[0] if group.mob.ratings else 0
        fight = begun_on(fight, use.at(use.on, rounds=use.width + 1, dice=-missing))
    else:
        fight = yield from dazed(fight, use, use.width, "cannot act")
    return begun_on(fight, use.at(use.who, rounds=2, dice=-2)), 0


def calm(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """Somebody does nobody harm while it is kept up; a mook leaves the fight for as long."""
    group = fight.group(use.on)
    yield use.came(what="is calm, and does nobody harm")
    if group is not None:
        return begun_on(fight, use.at(use.on, dice=-(group.mob.ratings[0] if group.mob.ratings else 0))), 0
    harmful = [each for each in fight.pending if each.who == use.on and not each.counters and each.act.target]
    fight = replace(fight, pending=tuple([each for each in fight.pending if each not in harmful]))
    return begun_on(fight, use.at(use.on, word=CALM)), 0


def command(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """Somebody does what he is told the next time that he declares: once, or for as long as he is held."""
    group = fight.group(use.on)
    if group is not None:
        return (yield from calm(rules, fight, use))
    yield use.came(what=f"obeys: {measure_of(use.row, use.width, use.each.height)}")
    rounds = -1 if use.row.kept else 2
    return begun_on(fight, use.at(use.on, word=COMMANDED, rounds=rounds)), 0


def passion(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """One feeling rules somebody for minutes, which is longer than any fight."""
    options = tuple([Option(feeling, feeling.capitalize(), feeling) for feeling in FEELINGS])
    feeling = yield from Choice(use.who, f"What does {use.on} feel?", options, Situation(fight, use.who, rules), "feeling")
    yield use.came(what=f"{feeling}, for {use.each.height} minutes")
    if fight.group(use.on) is not None:
        return (yield from morale_attack_on(rules, fight, use.on, use.width, use.each.height)), 0
    word = f"{PASSION}:{feeling}" if feeling in ("rage", "fear") else CALM
    return begun_on(fight, use.at(use.on, word=word)), 0


def mood(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """The Game Master says how many dice somebody's feelings give or take, now that they are so much stronger."""
    words = measure_of(use.row, use.width, use.each.height)
    ask = f"{use.row.effect} of {use.who}: what {use.on} feels most is {words} as strong. {use.row.asks}"
    about = Situation(fight, use.who, rules)
    dice = yield from Choice[int](GAMEMASTER, ask, Range(-MOST_MOOD, MOST_MOOD), about, "power dice")
    yield Tell(Ruled(use.who, use.row.effect, use.row.asks, f"{dice:+d}"))
    yield use.came(what=f"{words} as strong, {dice:+d}d")
    return begun_on(fight, use.at(use.on, dice=dice)), 0


def morale(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """The set is a Morale Attack."""
    yield use.came(what="fear takes hold")
    fight = begun_on(fight, use.at(use.who))
    return (yield from morale_attack_on(rules, fight, use.on, use.width, use.each.height)), 0


def unseen(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """Somebody's senses show what another wants: at a Width of 4 he can be invisible to them; less is for the Game Master."""
    words = measure_of(use.row, use.width, use.each.height)
    fight = begun_on(fight, use.at(use.on, word="unseen" if use.width >= 4 and fight.group(use.on) is None else "deceived"))
    yield use.came(what=words)
    if use.width < 4:
        yield from asked(use.row, use.who, Outcome(use.width, use.each.height), words)
    return fight, 0


def ask(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """What it comes to is the Game Master's to say."""
    words = measure_of(use.row, use.width, use.each.height)
    yield use.came(what=words or use.row.does)
    if use.row.asks:
        yield from asked(use.row, use.who, Outcome(use.width, use.each.height), words)
    return (begun_on(fight, use.at(use.on)) if use.row.kept else fight), 0


# --- oneself and what is around -----------------------------------------------------------------------------------------------


def ward(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """A ward goes up; whoever has it up already turns it another way, and its first Width stays."""
    word = ""
    if use.row.band:
        options = tuple([Option(band, band.capitalize(), band) for band in bands()])
        word = yield from Choice(use.who, "Which band does the shield stop?", options, Situation(fight, use.who, rules), "band")
    up = next((each for each in fight.powers if (each.effect, each.on) == (use.row.effect, use.who)), None)
    if up is not None:
        yield use.came(what=f"turned to {word}" if word else "turned another way")
        return begun_on(fight, replace(up, word=word)), 0
    yield use.came(what=f"up, {use.width}" + (f", against {word}" if word else ""))
    return begun_on(fight, use.at(use.who, word=word)), 0


def upon_oneself(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """It works on its user for as long as he keeps it up, or the scene lasts."""
    yield use.came(what=measure_of(use.row, use.width, use.each.height) or use.row.does)
    return begun_on(fight, use.at(use.who)), 0


def light(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """Everybody within as many metres as Psi, its user too, has a die less while it is glaring or murky."""
    options = (Option("dim", "Dim the light", "murky"), Option("glare", "Make it glare", "glaring"))
    word = yield from Choice(use.who, "More light or less?", options, Situation(fight, use.who, rules), "light")
    far = use.row.radius * use.known.psi
    near = [name for name in _everybody(fight) if _within(fight, use.who, name, far)]
    yield use.came(what=f"{word} within {far} m: {', '.join(near)}")
    for name in near:
        fight = begun_on(fight, use.at(name, dice=-1, rounds=use.width + 1, word=word))
    return fight, 0


def fetch(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """What lies on the floor comes as many metres nearer as the set is high."""
    place = use.each.act.steps
    if not 0 <= place < len(fight.floor):
        yield use.came("nothing", "what was meant is gone")
        return fight, 0
    lies = fight.floor[place]
    moved = _nearer(lies, fight.fighter(use.who), use.each.height)
    name = fight.fighter(lies.owner).profile.weapons[lies.place].name
    yield use.came(what=f"the {name} comes {apart(lies, moved)} m nearer")
    return replace(fight, floor=tuple([moved if each is lies else each for each in fight.floor])), 0


def _nearer(lies: Dropped, fighter: Fighter, metres: int) -> Dropped:
    """What lies somewhere, so many metres nearer to somebody, and no nearer than his feet."""
    if lies.at is None or fighter.at is None:
        return replace(lies, metres=lies.metres + max(-metres, min(metres, fighter.metres - lies.metres)))
    share = min(1.0, metres / max(1, apart(lies, fighter)))
    (x, y), (to_x, to_y) = lies.at, fighter.at
    return replace(lies, at=(round(x + (to_x - x) * share, 2), round(y + (to_y - y) * share, 2)))


def hands(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """Hands of force: their owner splits the Height into Body and Coordination; what they do with that is the Game Master's to judge."""
    height = use.each.height
    body = 0
    if height > 1:
        ask_for = f"How much of {height} is Body? The rest is Coordination."
        body = yield from Choice[int](use.who, ask_for, Range(1, height - 1), Situation(fight, use.who, rules), "hands")
    made = split_hands(height, body)
    pool: Pool = hands_pool(made.body, made.coordination, 0)
    yield use.came(what=f"hands of Body {made.body} and Coordination {made.coordination}")
    answer = yield from asked(
        replace(use.row, asks=f"What do they do, with {pool.dice} dice and a skill?"), use.who, Outcome(use.width, height), ""
    )
    word = f"Body {made.body}, Coordination {made.coordination}: {answer}"
    return begun_on(fight, use.at(use.who, word=word)), 0


def douse(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """Fires within as many metres as the set is high are weaker by its Width, or out."""
    gone, far = 0, use.each.height
    for each in [one for one in fight.powers if one.word == "alight" and _within(fight, use.who, one.on, far)]:
        left = doused(each.width, use.width, use.each.height).rating
        fight = begun_on(fight, replace(each, width=left)) if left else ended(fight, (each,))
        gone += not left
    for fighter in [one for one in fight.fighters if one.body.burning and _within(fight, use.who, one.name, far)]:
        fight, gone = fight.change(fighter.name, body=remedied(fighter.body)), gone + 1
    yield use.came("works" if gone else "nothing", f"{gone} fires go out" if gone != 1 else "a fire goes out")
    return fight, 0


def _everybody(fight: Fight) -> list[str]:
    """All who can act, people before mooks."""
    people = [each.name for each in fight.fighters if each.able]
    return people + [group.name for group in fight.groups if group.able]


def _within(fight: Fight, who: str, name: str, metres: int) -> bool:
    """Whether somebody is so near, or oneself."""
    return name == who or fight.distance(who, name) <= metres


def feed(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """A fire that burns on somebody grows by the Width; where none does, the Game Master says what the flame is made into."""
    alight = next((each for each in fight.powers if each.word == "alight" and fight.side_of(each.on) != fight.side_of(use.who)), None)
    if alight is not None:
        rating, _ = fed(alight.width, 0, use.width, use.width)
        yield use.came(what=f"the fire on {alight.on} has an Area Rating of {rating}")
        return begun_on(begun_on(fight, replace(alight, width=rating)), use.at(use.who)), 0
    shape = measure_of(use.row, 0, use.each.height)
    yield use.came(what=f"shapes a flame: {shape}")
    yield from asked(
        replace(use.row, asks="Is there a flame, and what becomes of it?"), use.who, Outcome(use.width, use.each.height), shape
    )
    return begun_on(fight, use.at(use.who)), 0


def wave(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """A wave of force throws everybody within Psi metres back, a metre for each point of Width that Body and Physique leave of it."""
    near = [name for name in _everybody(fight) if name != use.who and _within(fight, use.who, name, use.known.psi)]
    yield use.came(what=f"a wave of {use.known.psi} m")
    for name in near:
        if fight.group(name) is not None:
            fight = yield from goes(fight, name, steps_from(fight, name, use.who, use.width), "are thrown back")
            continue
        pool = fight.fighter(name).profile.endurance
        fight, left = yield from counters(rules, fight, name, pool, use.width, use.each.height)
        if left.success:
            fight = yield from goes(fight, name, steps_from(fight, name, use.who, left.width), "is thrown back")
    return begun_on(fight, use.at(use.who)), 0


def heal(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """Somebody at hand, or oneself, is healed; what Mending has left over takes away dice that injuries cost."""
    patient = fight.fighter(use.on)
    if fight.distance(use.who, use.on) > REACH:
        yield use.came("nothing", f"cannot reach {use.on}")
        return fight, 0
    after = yield from heals(rules, patient.body, use.width, use.row.heals or "kill", use.who)
    healed = use.width - after.left
    fight = fight.change(use.on, body=after.body)
    user = fight.fighter(use.who)
    fight = fight.change(use.who, reserve=replace(user.reserve, treated=(*user.reserve.treated, use.on)))
    yield use.came("works" if healed or after.left else "nothing", f"{healed} points healed")
    if after.left and use.row.heals == "shock":
        fight = begun_on(fight, use.at(use.on, dice=_soothed(rules, fight.fighter(use.on), after.left)))
    return fight, 0


def _soothed(rules: Ruleset, patient: Fighter, left: int) -> int:
    return soothed_dice(left, hindered(rules, patient.body).dice).dice


def cure(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """The Game Master says how virulent it is; the Width takes that down."""
    ask_for = f"{use.row.effect} of {use.who}. How virulent is what {use.on} suffers from, 0 for nothing?"
    about = Situation(fight, use.who, rules)
    virulence = yield from Choice[int](GAMEMASTER, ask_for, Range(0, len(use.row.virulence)), about, "power in the way")
    left = purged(virulence, use.width).value
    yield Tell(Ruled(use.who, use.row.effect, "How virulent is it?", str(virulence)))
    yield use.came("works" if virulence else "nothing", "cured" if not left else f"virulence {left} is left")
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
"""What carries out each mechanism that can be used in a fight."""
