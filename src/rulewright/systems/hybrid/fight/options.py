"""What somebody may do on their count, in which manner, and what it leads to."""

from functools import lru_cache, partial
from math import hypot

from msgspec.structs import replace

from rulewright.field.field import NOTHING
from rulewright.field.goals import Goal, doors_at_hand, goals, what_it_means
from rulewright.field.known import known_field
from rulewright.field.places import Anywhere, Going, Pace
from rulewright.play import Option
from rulewright.rules import Ruleset
from rulewright.systems.hybrid.combat.arms import Arm, range_modifier
from rulewright.systems.hybrid.combat.attacks import lob_range, may_advance
from rulewright.systems.hybrid.combat.fighters import REACH, Fight, Fighter
from rulewright.systems.hybrid.harm.damage import CALLED_SHOTS
from rulewright.systems.hybrid.harm.energy import affords
from rulewright.systems.hybrid.people.movement import Mode, distance

TOO_FAR = -20
"""Nothing is thrown, shot or cast where range costs this much."""
TOGETHER = {"weave": "evade", "give way": "retreat"}
"""What can be done together with any other deed, and the deed that it is by itself."""
SHORT = 50
"""Centimetres up to which a weapon can be used on somebody who holds one."""


def open_to(rules: Ruleset, fight: Fight, me: Fighter) -> tuple[str, ...]:
    """The keys of everything somebody may do."""
    foes = fight.enemies(rules, me)
    holder = fight.holder(me.name)
    arm = me.arm
    near = [foe for foe in foes if me.distance(foe) <= REACH]
    if holder is not None:
        keys = ["struggle"]
        if holder in near and arm.use == "melee" and arm.length <= SHORT and not me.bound_with and fight.able(rules, me):
            keys.append(f"attack:{holder.name}")
        return (*keys, "pass")
    keys = []
    for foe in foes:
        keys += _against(rules, me, foe, foe in near)
    if not fight.bare:
        keys += _on_the_ground(rules, fight, me, foes)
    keys += _helping(rules, fight, me)
    if me.holding:
        keys += ["tighten", "let go"]
    if me.bound_with:
        keys.append("free")
    for place, other in enumerate(me.profile.arms):
        if place != me.in_hand and place not in me.lost and not other.natural and not other.shield:
            keys += [f"draw:{other.name}", f"fast draw:{other.name}"]
    keys += ["drop weapon"] if not arm.natural else [f"pick up:{name}" for name in at_hand(me)]
    keys += ["skill"] if me.profile.skills else []
    tied = bool(me.holding or me.bound_with)  # who holds somebody, or is bound, goes nowhere before letting go (ruling)
    keys += ["rise"] if me.body.prone else ["evade", *TOGETHER] if tied else ["evade", "dodge", "retreat", *TOGETHER]
    keys += ["rest"] if me.body.energy.fatigue < me.body.energy.most_fatigue or me.body.mind.fatigue < me.body.mind.most_fatigue else []
    keys += ["drop prone"] if not me.body.prone and not fight.ground.weightless else []
    return tuple(dict.fromkeys((*keys, "wait", "wait draw", "pass")))


def at_hand(me: Fighter) -> tuple[str, ...]:
    """The weapons of one's own that lie within reach."""
    names = [me.profile.arms[place].name for place, x, y in me.lies if hypot(x - me.x, y - me.y) <= REACH]
    return tuple(dict.fromkeys(names))


def lying(me: Fighter, name: str) -> int | None:
    """The place among somebody's arms of one that lies within reach."""
    near = (place for place, x, y in me.lies if hypot(x - me.x, y - me.y) <= REACH)
    return next((place for place in near if me.profile.arms[place].name == name), None)


def _against(rules: Ruleset, me: Fighter, foe: Fighter, near: bool) -> list[str]:
    """What can be done to one enemy."""
    arm, keys = me.arm, []
    moves: list[str] = []
    if (near if arm.use == "melee" else _reaches(me, arm, foe)) and not me.bound_with:
        keys += [f"attack:{foe.name}", f"attack how:{foe.name}"]
    if arm.thrown is not None and not me.bound_with and _reaches(me, arm.hurled(), foe):
        keys += [f"hurl:{foe.name}", f"hurl how:{foe.name}"]
    for spell in me.profile.arms:
        if spell.use == "spell" and not spell.helps and _reaches(me, spell, foe) and affords(rules, me.body.mind, spell.cost):
            keys += [f"cast {spell.name}:{foe.name}", f"cast how {spell.name}:{foe.name}"]
    if not near and not me.body.prone and not me.holding:
        keys += [f"approach:{foe.name}", f"dash:{foe.name}"]
    if near and arm.use == "melee" and not me.bound_with:
        moves = ["feint"] if foe.arm.natural else ["feint", "disarm"]
    if near and arm.natural and not me.body.prone and me.holding in ("", foe.name):
        moves += ["overbear", "throw"] if me.holding else ["overbear", "throw", "grapple"]
    return keys + [f"{move}{how}:{foe.name}" for move in moves for how in ("", " how")]


FAR = 40.0
"""Metres within which somebody looks for a way to something."""


def goals_of(rules: Ruleset, fight: Fight, me: Fighter) -> tuple[Goal, ...]:
    """The places that mean something to somebody on ground with something on it."""
    foes = tuple([(foe.name, foe.x, foe.y) for foe in fight.known_enemies(rules, me)])
    return goals(fight.field, (me.x, me.y), foes, FAR)


def _on_the_ground(rules: Ruleset, fight: Fight, me: Fighter, foes: tuple[Fighter, ...]) -> list[str]:
    """Doors at hand, enemies whom only others see, and places to head for."""
    keys = [door.key.replace(" ", ":", 1) for door in doors_at_hand(fight.field, (me.x, me.y))]
    if me.body.prone or me.holding or me.bound_with:
        return keys
    for foe in fight.known_enemies(rules, me):
        if foe not in foes:
            keys += [f"approach:{foe.name}", f"dash:{foe.name}"]
    people = {f"to {one.name}" for one in fight.fighters}
    return keys + [f"head for:{goal.key.removeprefix('to ')}" for goal in goals_of(rules, fight, me) if goal.key not in people]


def anywhere(rules: Ruleset, fight: Fight, me: Fighter) -> Anywhere[str] | None:
    """Any place that somebody may set out for, at every pace; how far they get by their next initiative is another matter."""
    if me.holding or me.bound_with or fight.holder(me.name) is not None:
        return None
    bare = fight.bare
    return Anywhere(
        NOTHING if bare else fight.field,
        (me.x, me.y),
        _paces(rules, me.profile.pmv, me.body.prone),
        _set_out,
        "crawl" if me.body.prone else "walk",
        partial(_means, rules, fight, me),
        None if bare else known_field(fight.map, fight.changes),
    )


AHEAD = 5
"""Seconds that somebody plans a way for."""
_GOING: dict[Mode, str] = {"crawl": "crawling", "walk": "walking", "jog": "jogging", "run": "running", "dash": "dashing"}


@lru_cache(maxsize=2_000)
def _paces(rules: Ruleset, pmv: float, prone: bool) -> tuple[Pace, ...]:
    modes: tuple[Mode, ...] = ("crawl",) if prone else ("walk", "jog", "run", "dash")
    return tuple([Pace(mode, _GOING[mode], distance(rules, pmv, mode, AHEAD).value) for mode in modes])


def _set_out(going: Going) -> str:
    return f"go:{going.pace}@{'>'.join([f'{x:g},{y:g}' for x, y in going.bends[1:]])}"


def _means(rules: Ruleset, fight: Fight, me: Fighter, going: Going) -> tuple[str, ...]:
    """How near the nearest enemy would be, and who would not see one there."""
    there = replace(me, x=going.spot[0], y=going.spot[1])
    foes = fight.known_enemies(rules, me)
    return what_it_means(there, foes, [(foe.name, "" if fight.sees(foe, there) else None) for foe in foes])


def _reaches(me: Fighter, arm: Arm, foe: Fighter) -> bool:
    return range_modifier(arm, me.distance(foe)) > TOO_FAR


def _helping(rules: Ruleset, fight: Fight, me: Fighter) -> list[str]:
    """What harms nobody: stopping the blood of oneself and of friends within reach, spells for them, and light for everybody."""
    keys = [
        f"treat:{one.name}"
        for one in fight.fighters
        if one.body.bleeding and one.side == me.side and not one.body.dead and me.distance(one) <= REACH
    ]
    for spell in me.profile.arms:
        if not spell.helps or not affords(rules, me.body.mind, spell.cost):
            continue
        if spell.helps == "light":
            keys += _cast(spell, me) if dark(fight) else []
            continue
        friends = [one for one in fight.fighters if one.side == me.side and not one.body.dead and me.distance(one) <= REACH]
        hurt = [one for one in friends if spell.helps != "mend" or one.body.pbd < one.body.pbd_full or one.body.bleeding]
        keys += [key for one in hurt for key in _cast(spell, one)]
    return keys


def _cast(spell: Arm, one: Fighter) -> list[str]:
    return [f"cast {spell.name}:{one.name}", f"cast how {spell.name}:{one.name}"]


def dark(fight: Fight) -> tuple[str, ...]:
    """What of the surroundings light would lift."""
    return tuple(name for name in fight.ground.surroundings if name.startswith("visibility"))


def ways(rules: Ruleset, me: Fighter, foe: Fighter, arm: Arm) -> tuple[str, ...]:
    """The manners in which a weapon or a spell can be used on somebody."""
    if arm.helps:
        return ("plain", "set up", *(["rushed"] if arm.speed > 1 else []))
    keys = ["plain", *([] if me.evading else ["all out"]), "set up"]
    keys += [way for way, taken in (("retreating", me.retreating), ("evading", me.evading)) if not taken]
    keys += ["rushed"] if arm.speed > 1 else []
    keys += ["spinning", "jumping"] if arm.use != "spell" else []
    if arm.use == "melee":
        keys += ["advance"] if may_advance(rules, arm.length, foe.arm.length) and not me.retreating else []
        keys += ["both hands"] if other_hand(me) is not None else []
    if arm.use == "thrown" and me.distance(foe) <= lob_range(rules, me.body.pst).value:
        keys.append("lob")
    if not arm.mental:
        keys += [f"called {target}" for target in CALLED_SHOTS(rules)]
    return tuple(keys)


def moves_in(rules: Ruleset, me: Fighter, foe: Fighter, arm: Arm, move: str) -> tuple[str, ...]:
    """The manners in which something other than a blow can be tried; what does no harm is not spun, jumped or aimed."""
    harms, found = move in ("overbear", "throw"), ways(rules, me, foe, arm)
    left = ("both hands", *(() if harms else ("spinning", "jumping")), *(("all out",) if move == "feint" else ()))
    return tuple(way for way in found if way not in left and (harms or not way.startswith("called ")))


APART = (frozenset(("advance", "retreating")), frozenset(("all out", "evading")))
"""Manners that do not go together: nobody presses and gives way, or evades who makes no attempt to defend."""


def combines(key: str, chosen: tuple[str, ...]) -> bool:
    """Whether a manner can be added to those chosen: none twice, one place to aim at, and nothing that contradicts another."""
    if key in chosen or any(frozenset((key, other)) in APART for other in chosen):
        return False
    return not (key.startswith("called ") and any(other.startswith("called ") for other in chosen))


def other_hand(me: Fighter) -> int | None:
    """A second hand weapon, for those who have one."""
    for place, arm in enumerate(me.profile.arms):
        if place != me.in_hand and place not in me.lost and arm.use == "melee" and not arm.natural and not arm.shield:
            return place
    return None


LABELS = {
    "evade": "evade: twice the defense until the next decision",
    "dodge": "dodge: twenty counts, and a fall",
    "drop prone": "drop prone: five counts",
    "wait": "wait to be attacked (preset)",
    "wait draw": "wait for a weapon to be drawn (preset)",
    "rise": "get up: thirty counts",
    "free": "free the bound weapon",
    "retreat": "fall back",
    "weave": "evade while doing something else: twice the defense, two things at once",
    "give way": "give way while doing something else: 6 more to defend, 6 less to attack",
    "rest": "rest: a second, for a point of fatigue",
    "pass": "do nothing for a second",
    "skill": "use a skill, as hard as the gamemaster says",
    "plain": "plainly",
    "enough": "in no other way",
}


def _label(key: str) -> str:
    what, _, target = key.partition(":")
    if what in ("hurl", "hurl how"):
        return f"throw the weapon at {target}{', and how' if what == 'hurl how' else ''}"
    if what in ("approach", "dash"):
        return f"{'run' if what == 'approach' else 'dash'} up to {target}"
    if what in ("open", "shut"):
        return f"{what} the {target.removeprefix('the ')}"
    if what == "head for":
        return f"run {target}" if target in ("away", "out of sight") else f"run to the {target.removeprefix('the ')}"
    if what == "treat":
        return f"stop the blood of {target}"
    return LABELS.get(key, key.replace(":", " "))


@lru_cache(maxsize=20_000)
def options(keys: tuple[str, ...]) -> tuple[Option[str], ...]:
    """Keys as options."""
    return tuple(Option(key, _label(key), key) for key in keys)
