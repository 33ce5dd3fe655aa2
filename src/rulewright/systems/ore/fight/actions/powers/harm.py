"""Powers that deal damage in a fight: damage, after-effects and resistance (book lines 6478-7657)."""

from typing import NamedTuple

from msgspec.structs import replace

from rulewright.grammar import count
from rulewright.play import GAMEMASTER, Choice, Happened, Option, Play, Tell, came_to, sub
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.attacks import Landed, land
from rulewright.systems.ore.combat.cover import OPEN
from rulewright.systems.ore.combat.fighters import Fight, Group, Pending, Situation
from rulewright.systems.ore.combat.mooks import hit_mook
from rulewright.systems.ore.fight.actions.powers.events import PowerCame, PowerStrikes
from rulewright.systems.ore.fight.drama_points import counters, when_hit
from rulewright.systems.ore.fight.events import BLOWS
from rulewright.systems.ore.fight.powers.active import DAZED, begun_on, warded
from rulewright.systems.ore.fight.resolution.gunfire import ready
from rulewright.systems.ore.gear.armour import Protection
from rulewright.systems.ore.gear.weapons import Blow, Class
from rulewright.systems.ore.harm.body import Abstract, AnyBody, dealt
from rulewright.systems.ore.powers.catalogue import EffectRow
from rulewright.systems.ore.powers.repertoire import Known, Working
from rulewright.systems.ore.powers.timed_effects import drained_shock
from rulewright.systems.ore.powers.usage import Ruled

CLASSES: dict[str, Class] = {"electricity": "E", "light": "E", "microwave": "E", "heat": "E", "cold": "E", "force": "I"}
"""Damage classes of powers; nerves, flesh and mind are special."""


class Use(NamedTuple):
    """A successful power: user, power and set."""

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
        """The target, or the user without one."""
        return self.each.act.target or self.each.who

    def at(self, on: str, **changes: object) -> Working:
        """The active power on a target."""
        kept = Working(self.row.effect, self.who, on, self.width, self.each.height, kept=self.row.kept)
        return replace(kept, **changes)

    def strikes(self) -> Tell:
        """The use for the log; the damage follows."""
        return Tell(PowerStrikes(self.who, self.row.effect, self.on, self.width, self.each.height))

    def came(self, text: str = "works", what: str = "", on: str | None = None, harm: bool = False) -> Tell:
        """The result for the log."""
        target = self.on if on is None else on
        return Tell(PowerCame(self.who, self.row.effect, target, self.width, self.each.height, text, what, harm))


Done = Play[tuple[Fight, int]]


# --- harm ---------------------------------------------------------------------------------------------------------------------


def opposed(rules: Ruleset, fight: Fight, use: Use) -> Play[tuple[Fight, int]]:
    """The Width left after resistance with Psyche and Focus or Body and Physique. Mooks have neither."""
    if not use.row.resist or fight.group(use.on) is not None or use.on == use.who:
        return fight, use.width
    profile = fight.fighter(use.on).profile
    pool = profile.nerve if use.row.resist == "nerve" else profile.endurance
    fight, left = yield from counters(rules, fight, use.on, pool, width=use.width, height=use.each.height)
    return fight, left.width if left.success else 0


def harm(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """Damage by Width plus the row; armour and wards help if they apply."""
    more = use.known.psi if use.row.psi else 0
    shock = None if use.row.shock is None else use.row.shock + more
    return (yield from strikes(rules, fight, use, use.row.kill, shock))


def strikes(rules: Ruleset, fight: Fight, use: Use, kill: int | None, shock: int | None) -> Done:
    """Applies damage of a power to a target."""
    points = dealt(use.width, kill, shock)
    nature = use.row.nature[0] if use.row.nature else ""
    parts = ((use.row.effect, points.kill - use.width, points.shock - use.width),)
    struck = Blow(use.width, points.kill, points.shock, damage_class=CLASSES.get(nature, "S"), parts=parts)
    group = fight.group(use.on)
    if group is not None:
        return (yield from _mooks(rules, fight, use, struck, group)), 1
    yield use.strikes()
    fight, struck = yield from when_hit(rules, fight, use.on, struck)
    victim = fight.fighter(use.on)
    worn = ready(victim) if use.row.armour else Protection(natural=victim.worn.natural)
    worn = warded(rules, fight, victim.name, worn, code=struck.damage_class, against=nature)
    whole = (rules, struck, use.each.height, victim.body, worn, None, OPEN, False, use.who, victim.name)
    landed: Landed = yield from (sub(land, *whole) if isinstance(victim.body, Abstract) else land(*whole))
    fight = fight.change(victim.name, body=landed.body, worn=landed.left_of(victim.worn, worn) if use.row.armour else victim.worn)
    yield from came_to(state_of(victim.body, landed.body), BLOWS, use.who, use.on if use.on != use.who else "")
    fight = yield from _aftermath(rules, fight, use, landed)
    return (yield from _for_good(rules, fight, use, victim.body, landed.body)), 1


def state_of(before: AnyBody, after: AnyBody) -> str:
    """The state after a blow, in a word."""
    if after is before or (after.record(), after.wounds) == (before.record(), before.wounds):
        return "no harm"
    return "dead" if after.dead else "unconscious" if after.unconscious else "down" if after.down else "hurt"


def _mooks(rules: Ruleset, fight: Fight, use: Use, struck: Blow, group: Group) -> Play[Fight]:
    """Applies damage to a mook: one it takes out, else the weakest; armour counts if it applies."""
    mob = group.mob
    if mob.out:
        return fight
    seen = mob if use.row.armour else replace(mob, armour=0)
    tries = [hit_mook(rules, seen, struck.hit, use.each.height, which) for which in range(mob.number)]
    after = min(tries, key=lambda item: (item.number, sum(item.ratings)))
    text = "down" if after.number < mob.number else "hurt" if after != seen else "no harm"
    yield use.came(text, "takes one of them out" if text == "down" else "", harm=True)
    return fight.put_group(replace(group, mob=replace(after, armour=mob.armour)))


def _aftermath(rules: Ruleset, fight: Fight, use: Use, landed: Landed) -> Play[Fight]:
    """After-effects: a twitch for a round, cold per point of Shock, disabling pain."""
    if use.row.after == "twitch":
        return begun_on(fight, use.at(use.on, dice=-1, rounds=2, kept=0))
    if use.row.after == "cold" and landed.shock:
        yield Tell(Happened(use.on, f"has -1d from the cold for {count(landed.shock, 'round')}", "bad"))
        return begun_on(fight, use.at(use.on, dice=-1, rounds=landed.shock + 1, kept=0))
    if use.row.after == "pain" and landed.kill:
        return (yield from dazed(fight, use, use.width, "is in too much pain to act"))
    return fight


_FOR_GOOD: tuple[Option[str], ...] = (Option("no", "No", "no"), Option("yes", "Yes", "yes, something stays"))


def _for_good(rules: Ruleset, fight: Fight, use: Use, before: AnyBody, after: AnyBody) -> Play[Fight]:
    """Asks the Game Master about permanent harm to a target who goes down."""
    if use.row.lasting and not after.able and before.able and not after.dead:
        ask = f"{use.on} goes down from {use.row.effect} by {use.who}. Is there permanent harm?"
        answer = yield from Choice(GAMEMASTER, ask, _FOR_GOOD, Situation(fight, use.who, rules), "power answer")
        yield Tell(Ruled(use.who, use.row.effect, "Is there permanent harm?", answer))
    return fight


def hinder(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """-1d for the next round or the scene."""
    rounds = use.row.rounds + 1 if use.row.rounds else -1
    yield use.came(what="-1d" + (" next round" if use.row.rounds else ""))
    return begun_on(fight, use.at(use.on, dice=-1, rounds=rounds)), 0


def inflame(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """An injured target has -1d per point of Width; others feel nothing."""
    victim = fight.fighter(use.on)
    if victim.body.record() == "unhurt" and not victim.body.wounds:
        yield use.came("nothing", "no injury to make worse")
        return fight, 0
    yield use.came(what=f"-{use.width}d from pain")
    return begun_on(fight, use.at(use.on, dice=-use.width)), 0


def scorch(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """One Kill by touch, and again while the touch lasts."""
    fight, dice = yield from strikes(rules, fight, use, 1 - use.width, None)
    return (begun_on(fight, use.at(use.on, rounds=use.width, word="hot")) if fight.group(use.on) is None else fight), dice


def drain(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """Asks for a power source; its energy deals Shock to a grounded target."""
    options = (Option("none", "No power source", ""), *[Option(size, f"A {size} source", size) for size in use.row.steps])
    ask = f"{use.who} drains power into {use.on}. What power source is near?"
    source = yield from Choice(GAMEMASTER, ask, options, Situation(fight, use.who, rules), "power answer")
    yield Tell(Ruled(use.who, use.row.effect, "What power source is near?", source or "none"))
    if not source:
        yield use.came("nothing", "nothing to drain")
        return fight, 0
    return (yield from strikes(rules, fight, use, None, drained_shock(rules, source, use.width).value - use.width))


def fire(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """Sets clothes on fire for Height rounds; mooks suffer once (ruling)."""
    group = fight.group(use.on)
    if group is not None:
        return (yield from strikes(rules, fight, use, 0, None))
    yield use.came(what=f"sets them on fire with Area Rating {use.width}")
    return begun_on(fight, use.at(use.on, rounds=use.each.height, word="alight")), 0


def force(rules: Ruleset, fight: Fight, use: Use) -> Done:
    """Lifts and smashes a target: Width in Kill, plus Body in Shock."""
    body = 0 if fight.group(use.on) is not None else fight.fighter(use.on).profile.body
    fight = begun_on(fight, use.at(use.who))
    return (yield from strikes(rules, fight, use, 0, body))


def dazed(fight: Fight, use: Use, width: int, what: str) -> Play[Fight]:
    """The target loses waiting sets and cannot act for some rounds, including this one if they had yet to act."""
    waits = any(candidate.who == use.on for candidate in fight.pending)
    yield Tell(Happened(use.on, f"{what} for {count(width, 'round')}", "bad"))
    fight = replace(fight, pending=tuple([candidate for candidate in fight.pending if candidate.who != use.on]))
    return begun_on(fight, use.at(use.on, rounds=width if waits else width + 1, word=DAZED, kept=0))
