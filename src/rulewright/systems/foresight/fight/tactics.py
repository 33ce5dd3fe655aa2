"""Tactics: named AI policies for scenario files and unassigned characters. A tactic sees the choice and its context."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from rulewright.field.destinations import covers_near, doors_to_try
from rulewright.play import Choice, Given, Range, Tactic, local
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.scenes.allowed_answers import keys_of, nearest, pick
from rulewright.systems.foresight.combat.attack_exchange import attack_weapons
from rulewright.systems.foresight.combat.fighters import Fight, Fighter
from rulewright.systems.foresight.combat.melee import attack_task, dodge_task, parry_task, still
from rulewright.systems.foresight.combat.reflexes import nearest_cover
from rulewright.systems.foresight.combat.shots import shot_task
from rulewright.systems.foresight.harm.body import HEAVY
from rulewright.systems.foresight.resolution.tests import chance_of

EASILY_BORNE = 1
"""Points of penalty that make no attack hopeless by themselves."""
USUAL_GUESS = -4
"""What a shot at an assumed position usually costs."""


def _at_hand(choice: Choice[Any]) -> tuple[Fighter, Fighter | None]:
    """The person who decides, and the enemy in focus or else the nearest."""
    fight = choice.about.fight
    me = fight.fighter(choice.about.name)
    watched = next((foe for foe in fight.enemies(me) if foe.name == me.focus), None)
    return me, watched or nearest(fight, me)


@cached(20_000)
def _best_guard(rules: Ruleset, fight: Fight, name: str, attacker: str, keys: tuple[str, ...]) -> str:
    """The defense with the best chance among those offered."""
    result, other = fight.fighter(name), fight.fighter(attacker)
    group = other.weapon.group
    worth: dict[str, float] = {"nothing": 0.0}
    for key in keys:
        if key == ("dodge back" if result.body.wounds >= HEAVY else "dodge"):
            worth[key] = chance_of(rules, dodge_task(rules, fight, result, other, ground="back" if "back" in key else "", group=group))
        elif key.startswith("parry:"):
            at = next(at for at, weapon in enumerate(result.profile.weapons) if f"parry:{weapon.name}" == key)
            worth[key] = chance_of(rules, parry_task(rules, fight, result, other, weapon=at, dc=other.profile.unarmed, group=group)) - (
                at == 0
            )
    return max(worth, key=lambda key: worth[key])


def _sensible(choice: Choice[Any]) -> Given:
    """Answers the smaller questions sensibly: watch the nearest enemy, defend as well as one can, stay on one's feet."""
    topic, options = choice.topic, choice.options
    if isinstance(options, Range):
        return (options.low + options.high) // 2
    if topic == "focus":
        me = choice.about.fight.fighter(choice.about.name)
        foe = nearest(choice.about.fight, me)
        return foe.name if foe is not None else options[-1].key
    if topic == "guard":
        about = choice.about
        return _best_guard(about.rules, about.fight, about.name, about.actor, choice.keys())
    if topic == "duck":
        return pick(choice, "step") or "nothing"
    if topic == "turn":
        return "act"
    return options[0].key


# --- what has a chance ---------------------------------------------------------------------------------------------------------


@cached(20_000)
def _shot_chance(rules: Ruleset, fight: Fight, name: str, target: str, aims: int = 0, prone: bool = False) -> float:
    """The success chance of a plain shot with the gun in hand: after so many further aims, or at the target lying down."""
    me, foe = fight.fighter(name), fight.fighter(target)
    if aims:
        me = replace(me, aim=(me.aim if me.aim_at == target else 0) + aims, aim_at=target)
    if prone:
        foe = replace(foe, stance="prone")
    return chance_of(rules, shot_task(rules, fight, me, foe, me.hand))


@cached(20_000)
def _hard_shot_chance(rules: Ruleset, fight: Fight, name: str, target: str, blindly: bool) -> float:
    """The success chance of a shot at the head, or blindly at where a person may be."""
    me, foe = fight.fighter(name), fight.fighter(target)
    if blindly:
        return chance_of(rules, shot_task(rules, fight, me, foe, me.hand, way="area", guess=USUAL_GUESS))
    return chance_of(rules, shot_task(rules, fight, me, foe, me.hand, aimed="head"))


@cached(20_000)
def _blow_chance(rules: Ruleset, fight: Fight, name: str, target: str) -> float:
    """The success chance of a plain blow with what is in hand; 0 out of reach."""
    me, foe = fight.fighter(name), fight.fighter(target)
    weapons = attack_weapons(fight, me, foe)
    return chance_of(rules, attack_task(rules, fight, me, foe, weapon=weapons[0])) if weapons else 0.0


def _plain_going(fight: Fight, me: Fighter, foe: Fighter) -> bool:
    """Whether so little weighs on an attack that nobody needs to work out whether it can hit."""
    if not me.balanced or me.stance != "standing" or foe.stance != "standing" or foe.cover or fight.ground.light != "normal":
        return False
    if fight.map.covers or fight.map.lights or me.pins or me.body.stamina <= 0:
        return False
    weapon = me.weapon
    far = me.distance(foe) // weapon.increment if weapon.ranged and weapon.increment else 0
    used = weapon.recoil * me.shots if weapon.ranged else me.attacks[me.hand]
    return me.body.wounds + used + far <= EASILY_BORNE


def _steady(choice: Choice[Any], me: Fighter) -> Given | None:
    """Chooses an action that mends a hopeless attack: recover balance, or rise."""
    keys = [*(["recover"] if not me.balanced else []), *(["rise"] if me.stance != "standing" else [])]
    return pick(choice, *keys)


def _hopeless_shot(choice: Choice[Any], me: Fighter, foe: Fighter) -> Given | None:
    """Chooses an action instead of a shot that cannot hit: steady oneself, aim, or go nearer. None if it can hit."""
    about, kind = choice.about, "throw" if me.weapon.thrown else "fire"
    blindly = not pick(choice, f"{kind}:{foe.name}") and bool(pick(choice, f"{kind} how:{foe.name}"))
    if blindly and _hard_shot_chance(about.rules, about.fight, me.name, foe.name, blindly) > 0:
        return None
    if not blindly and (_plain_going(about.fight, me, foe) or _shot_chance(about.rules, about.fight, me.name, foe.name) > 0):
        return None
    left = about.rules.number("aim-actions") - (me.aim if me.aim_at == foe.name else 0)
    helps = left > 0 and _shot_chance(about.rules, about.fight, me.name, foe.name, left) > 0
    aims = [f"aim:{foe.name}"] if helps else []
    return (
        pick(choice, *(["recover"] if not me.balanced else []), *aims)
        or _steady(choice, me)
        or pick(choice, *(["move", "step"] if about.fight.cover_from(foe, me) is None else []), "done", "hold", "wait")
    )


def _hopeless_blow(choice: Choice[Any], me: Fighter, foe: Fighter) -> Given | None:
    """Chooses an action instead of a blow that cannot hit: steady oneself, or do nothing. None if it can hit."""
    about = choice.about
    if _plain_going(about.fight, me, foe) or _blow_chance(about.rules, about.fight, me.name, foe.name) > 0:
        return None
    return _steady(choice, me) or pick(choice, "done", "hold", "wait")


# --- with guns ----------------------------------------------------------------------------------------------------------------


def _gun(me: Fighter) -> int:
    """The best ranged weapon that is carried or lies at hand."""
    owned = [at for at, weapon in enumerate(me.profile.weapons) if weapon.ranged and me.gone[at] != "away"]
    return max(owned, default=0)


def _cover_at_hand(fight: Fight, me: Fighter, foe: Fighter | None) -> str:
    """Cover within a step for a person in the open against a gun; nothing if there is none or no need."""
    if foe is None or not foe.weapon.ranged or me.cover or me.stance != "standing" or not me.balanced:
        return ""
    if not (fight.ground.covers or fight.map.covers) or fight.cover_from(foe, me) is not None:
        return ""
    spot = nearest_cover(fight, me, foe)
    return spot.name if spot is not None else ""


def _shoot(choice: Choice[Any], aims: int = 0) -> Given:
    """See to the gun, aim so often, and fire; with nothing to fire, close in and strike."""
    me, foe = _at_hand(choice)
    idle = pick(choice, "done", "hold") or choice.options[0].key  # type: ignore[index]
    if foe is None:
        return _seek(choice, me) or idle
    if not me.weapon.ranged:
        at = _gun(me)
        number = pick(choice, f"draw:{me.profile.weapons[at].name}") if at else None
        return number or _strike(choice)
    seen_to = pick(choice, "clear", "shoulder", "struggle free")
    if seen_to is not None:
        return seen_to
    if not me.ammo[me.hand]:
        return pick(choice, "reload") or _strike(choice)
    if me.side_of(foe) == "behind":
        return pick(choice, f"turn:{foe.name}") or idle
    ready = pick(choice, "ready")
    if ready is not None:
        return ready
    calm = me.acts > 1 or (me.bonus == "aim" and me.bonuses > 0) or (me.weapon.bonus_aim > 0 and not me.sighted)
    if foe.body.stunned or me.weapon.recoil * me.shots > 1:
        aims = max(aims, 1)
    sheltered = pick(choice, "step") if _cover_at_hand(choice.about.fight, me, foe) else None
    if sheltered is not None:
        return sheltered
    hopeless = _hopeless_shot(choice, me, foe)
    if hopeless is not None:
        return hopeless
    aims = min(aims, choice.about.rules.number("aim-actions"))
    enough = me.aim >= aims and me.aim_at == foe.name
    aim = pick(choice, f"aim:{foe.name}") if not enough and calm else None
    if aim is not None and aims:
        return aim
    kind = "throw" if me.weapon.thrown else "fire"
    spot, about = choice.about.fight.cover_of(foe), choice.about
    bare = spot is not None and "head" in spot.bare
    if bare and _hard_shot_chance(about.rules, about.fight, me.name, foe.name, blindly=False) > 0:
        part = pick(choice, f"{kind} how:{foe.name}")
        if part is not None:
            return part
    return pick(choice, f"{kind}:{foe.name}", f"fire how:{foe.name}") or _strike(choice)


@local
def shooter(choice: Choice[Any]) -> Given:
    """Draw and shoot the nearest enemy; aim once where there is time."""
    if choice.topic == "act":
        return _shoot(choice, 1)
    if choice.topic == "where":
        return _toward(choice)
    if choice.topic == "way":
        return _way(choice)
    if choice.topic in ("first", "now"):
        return "first" if choice.topic == "first" else "now"
    return _sensible(choice)


def _way(choice: Choice[Any]) -> Given:
    """How to fire: at what cover leaves bare, in a burst where the gun has it, blindly where nobody is seen."""
    about = choice.about
    spot = about.fight.cover_of(about.fight.fighter(about.action.target))
    bare: list[str] = []
    if spot is not None and "head" in spot.bare and about.fight.fighter(about.name).weapon.ranged:
        hits = _hard_shot_chance(about.rules, about.fight, about.name, about.action.target, blindly=False) > 0
        bare = ["burst head", "head"] if hits else []
    return pick(choice, *bare, "burst", "plain", "area burst", "area") or choice.options[0].key  # type: ignore[index]


def _draws(me: Fighter) -> bool:
    return not me.weapon.ranged and _gun(me) > 0


@local
def gunslinger(choice: Choice[Any]) -> Given:
    """Wait for the other to draw, unless one's own initiative is at least as good; then draw as fast as can be and fire."""
    topic = choice.topic
    if topic == "turn":
        me, foe = _at_hand(choice)
        begun = foe is not None and (foe.weapon.ranged or foe.drawn > 0 or me.weapon.ranged)
        if foe is not None and not begun and me.qr > (foe.rolled or foe.qr):
            return "wait"
        return pick(choice, "bonus:draw" if _draws(me) else "bonus:fire") or "act"
    if topic == "bonus":
        me, _ = _at_hand(choice)
        return pick(choice, "draw" if _draws(me) else "fire") or "none"
    if topic == "act":
        return _shoot(choice)
    return shooter(choice)


@local
def sniper(choice: Choice[Any]) -> Given:
    """Unseen: aim three times and wait until the one in focus is about to hurt a person or has done so. Seen: aim and fire."""
    topic = choice.topic
    me, foe = _at_hand(choice)
    unseen = foe is not None and me.name in foe.unaware_of
    trained = foe is not None and me.aim >= 3 and me.aim_at == foe.name
    hostile = choice.about.action is not None and choice.about.action.kind in ("fire", "throw", "attack", "draw", "aim")
    if topic == "turn":
        if unseen and trained:
            return "wait"
        return pick(choice, "bonus:aim") or "act"
    if topic == "act":
        if unseen and trained and "wait" in keys_of(choice.options):
            return "wait"
        return _shoot(choice, 3 if "wait" in keys_of(choice.options) else 0)
    if topic == "bonus":
        return "fire"
    if topic in ("first", "now"):
        return ("first" if topic == "first" else "now") if hostile else choice.options[0].key  # type: ignore[index]
    return shooter(choice)


def _in_the_open(fight: Fight, me: Fighter) -> bool:
    """Whether an enemy sees a person who might shelter behind something within reach."""
    foe = nearest(fight, me)
    return foe is not None and fight.cover_from(foe, me) is None and me.balanced


def _drop_pays(choice: Choice[Any]) -> bool:
    """Whether a shot at a person hits less easily if they drop."""
    about = choice.about
    if not about.actor or not about.fight.fighter(about.actor).weapon.ranged:
        return False
    standing = _shot_chance(about.rules, about.fight, about.actor, about.name)
    return _shot_chance(about.rules, about.fight, about.actor, about.name, prone=True) < standing


@local
def careful(choice: Choice[Any]) -> Given:
    """Get into cover before anything else, then shoot; drop when shot at in the open, where that makes one harder to hit."""
    fight = choice.about.fight
    me = fight.fighter(choice.about.name)
    if choice.topic == "act" and (_in_the_open(fight, me) if fight.map.covers else not me.cover and fight.ground.covers):
        result = pick(choice, "move")
        if result is not None:
            return result
    if choice.topic == "where":
        spots = sorted(fight.ground.covers, key=lambda spot: (spot.x - me.x) ** 2 + (spot.y - me.y) ** 2)
        near = covers_near(fight.field, (me.x, me.y)) if fight.map.covers and nearest(fight, me) is not None else ()
        return pick(choice, *[f"cover:{spot.name}" for spot in spots], *[f"cover:{name}" for name in near]) or _toward(choice)
    if choice.topic == "duck" and not me.cover:
        return pick(choice, "step", *(["drop"] if _drop_pays(choice) else [])) or "nothing"
    return shooter(choice)


@local
def waiter(choice: Choice[Any]) -> Given:
    """Stand ready and let them come: draw first, then wait and act upon whatever the one in focus does."""
    me, _ = _at_hand(choice)
    if choice.topic == "turn":
        return "act" if _draws(me) else "wait"
    if choice.topic == "act" and not _draws(me):
        return pick(choice, "wait") or _shoot(choice)
    return shooter(choice)


# --- at close quarters --------------------------------------------------------------------------------------------------------


def _seek(choice: Choice[Any], me: Fighter) -> Given | None:
    """Nobody is in sight: get up, open a door that is shut, or go where a person may be."""
    fight = choice.about.fight
    if fight.bare:
        return None
    doors = doors_to_try(fight.field, (me.x, me.y))
    return pick(choice, *[f"open {door}" for door in doors], *(["rise"] if me.stance != "standing" else []), "move")


def _where_to_seek(choice: Choice[Any], me: Fighter) -> Given:
    """To whom one's side knows of, else to the nearest door that is shut, else to one that stands open."""
    fight = choice.about.fight
    known = sorted(fight.known_enemies(me), key=me.distance)
    doors = doors_to_try(fight.field, (me.x, me.y)) if not fight.bare else ()
    number = pick(choice, *[f"to:{foe.name}" for foe in known], *[f"door:{door}" for door in doors])
    return number or choice.options[0].key  # type: ignore[index]


def _toward(choice: Choice[Any]) -> Given:
    """Where a movement goes: behind cover at hand with a gun, else to the enemy, as near as the weapon asks for."""
    me, foe = _at_hand(choice)
    if foe is None:
        return _where_to_seek(choice, me)
    shelter = _cover_at_hand(choice.about.fight, me, foe) if me.weapon.ranged else ""
    sheltered = pick(choice, f"cover:{shelter}") if shelter else None
    if sheltered is not None:
        return sheltered
    how = "to" if me.weapon.normal is not None or me.weapon.ranged else "close"
    return pick(choice, f"{how}:{foe.name}", f"to:{foe.name}") or choice.options[0].key  # type: ignore[index]


def _strike(choice: Choice[Any]) -> Given:
    """Attack the enemy, or get there: up from the ground, around, and near."""
    me, foe = _at_hand(choice)
    idle = pick(choice, "done", "hold") or choice.options[0].key  # type: ignore[index]
    if foe is None:
        return _seek(choice, me) or idle
    if pick(choice, f"attack:{foe.name}") and not pick(choice, "struggle free"):
        hopeless = _hopeless_blow(choice, me, foe)
        if hopeless is not None:
            return hopeless
    down = foe.body.stunned or still(choice.about.fight, foe)
    result = pick(choice, "struggle free", *([f"attack how:{foe.name}"] if down else []), f"attack:{foe.name}")
    if result is not None:
        return result
    blades = [at for at, weapon in enumerate(me.profile.weapons) if at and not weapon.ranged and me.gone[at] != "away"]
    if not me.hand and blades:
        drawn = pick(choice, *[f"draw:{me.profile.weapons[at].name}" for at in blades])
        if drawn is not None:
            return drawn
    if me.side_of(foe) == "behind":
        turn = pick(choice, f"turn:{foe.name}")
        if turn is not None:
            return turn
    return pick(choice, "rise", "move", "step") or idle if me.at(foe) is None or me.flat else pick(choice, "step", "move") or idle


@local
def brawler(choice: Choice[Any]) -> Given:
    """Close in and strike with whatever is in hand; knock out a stunned enemy."""
    if choice.topic == "act":
        return _strike(choice)
    if choice.topic == "where":
        return _toward(choice)
    if choice.topic == "turn":
        return "act"
    if choice.topic == "way":
        return min([key for key in keys_of(choice.options) if key.endswith(": knockout")], default="") or choice.options[0].key  # type: ignore[index]
    return shooter(choice)


@local
def wrestler(choice: Choice[Any]) -> Given:
    """Get hold of the enemy, keep hold, and cuff."""
    if choice.topic == "act":
        me, foe = _at_hand(choice)
        kept = [key for key in keys_of(choice.options) if key.startswith(("cuff:", "maintain:"))]
        if kept:
            return min(kept)
        if me.pins:
            return pick(choice, "done", "hold") or choice.options[0].key  # type: ignore[index]
        if foe is not None:
            result = pick(choice, f"pin:{foe.name}")
            if result is not None:
                return result
            if me.free_hand() and me.at(foe) != "close" and not me.flat:
                return pick(choice, "step", "move") or _strike(choice)
        return _strike(choice)
    if choice.topic == "where":
        _, foe = _at_hand(choice)
        return (pick(choice, f"close:{foe.name}") if foe is not None else None) or _toward(choice)
    if choice.topic == "way" and "right arm" in keys_of(choice.options):
        return "right arm"
    if choice.topic == "footing":
        return "ground"
    return brawler(choice)


@local
def swordsman(choice: Choice[Any]) -> Given:
    """A brawler who feints before striking, and disarms where the enemy parries."""
    if choice.topic == "act":
        me, foe = _at_hand(choice)
        if foe is not None and me.acts > 1 and not me.feints:
            result = pick(choice, f"feint:{foe.name}")
            if result is not None:
                return result
    return brawler(choice)


TACTICS: Mapping[str, Tactic] = {
    "shooter": shooter,
    "gunslinger": gunslinger,
    "sniper": sniper,
    "careful": careful,
    "waiter": waiter,
    "brawler": brawler,
    "swordsman": swordsman,
    "wrestler": wrestler,
}
"""The first is what anybody does who was given no tactic."""
