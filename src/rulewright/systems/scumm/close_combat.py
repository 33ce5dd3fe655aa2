"""Blows, Free Strikes and the four maneuvers (book lines 418-442)."""

from typing import Literal

import msgspec

from rulewright.play import Choice, Event, Option, Play, Range, Roll, Tell, Together, sub
from rulewright.rules import Ruleset, rule
from rulewright.systems.scumm.attacks import Exchange, Guard, Strike, close_strike, defenseless, exchange, guards, resist, wound
from rulewright.systems.scumm.fighters import REACH, Fight, Fighter, Weapon
from rulewright.systems.scumm.resolution import Mod, Pool, most_emergency_dice, reading

Maneuver = Literal["damage", "grapple", "disarm", "trip", "shove"]


class Happened(Event, frozen=True):
    """Something that needs no sum: who did what."""

    who: str
    what: str
    mood: str = "plain"
    secret: bool = False

    def headline(self) -> str:
        return f"{self.who} {self.what}"

    def tone(self) -> str:
        return self.mood

    def hidden_from(self, who: str | None) -> bool:
        return self.secret and who is not None and who != self.who


def spend_emergency_dice(rules: Ruleset, fight: Fight, name: str, what: str) -> Play[tuple[Fight, int]]:
    """Ask how many Emergency Dice go into a roll, where there are any; they are used up."""
    fighter = fight.fighter(name)
    owned = fighter.body.emergency_dice
    if owned <= 0:
        return fight, 0
    spent = yield from Choice[int](
        name, f"Emergency Dice for {what}?", Range(0, min(most_emergency_dice(rules), owned)), about=(fight, name), topic="emergency dice"
    )
    if not spent:
        return fight, 0
    yield from Tell(Happened(name, f"spends {spent} Emergency {'Die' if spent == 1 else 'Dice'} on {what}"))
    body = msgspec.structs.replace(fighter.body, emergency_dice=owned - spent)
    return fight.change(name, body=body), spent


_GUARDS: dict[Guard, Option[Guard]] = {
    "defense": Option("defense", "Defend (Defense)", "defense"),
    "parry": Option("parry", "Parry (Melee)", "parry"),
    "block": Option("block", "Block (Brawl)", "block"),
}


def choose_guard(rules: Ruleset, fight: Fight, attacker: Fighter, target: Fighter) -> Play[Guard]:
    """The target of a blow decides how to meet it."""
    if defenseless(attacker, target):
        return "defense"
    allowed = guards(rules, target)
    if len(allowed) == 1:
        return allowed[0]
    options = tuple(_GUARDS[guard] for guard in allowed)
    return (yield from Choice(target.name, f"{attacker.name} attacks. How do you meet it?", options, (fight, target.name), "guard"))


def close_attack(
    rules: Ruleset,
    fight: Fight,
    name: str,
    target_name: str,
    weapon: Weapon,
    bruise: bool,
    extra_actions: int = 0,
    free_strike: bool = False,
) -> Play[Fight]:
    """A blow from declaring it to what follows: defense, rolls, damage or a maneuver, fumbles and Free Strikes."""
    attacker, target = fight.fighter(name), fight.fighter(target_name)
    guard = yield from choose_guard(rules, fight, attacker, target)
    fight, emergency = yield from spend_emergency_dice(rules, fight, name, f"the attack on {target_name}")
    defended = not defenseless(attacker, target)
    fight, saved = (yield from spend_emergency_dice(rules, fight, target_name, "the defense")) if defended else (fight, 0)
    strike = close_strike(
        rules,
        fight,
        attacker,
        target,
        weapon,
        guard=guard,
        bruise=bruise,
        extra_actions=extra_actions,
        emergency=emergency,
        defense_emergency=saved,
        free_strike=free_strike,
    )
    came = yield from exchange(rules, strike)
    fight = note_attack(fight, name, target_name, free_strike)
    if came.margin > 0:
        fight = yield from follow_up(rules, fight, strike, weapon, came)
    if came.attack.fumble or (defended and came.defense.fumble):
        fight = yield from fumbles_in_close_combat(rules, fight, name, target_name, came.attack.fumble, defended and came.defense.fumble)
    return fight


def note_attack(fight: Fight, name: str, target_name: str, free_strike: bool = False) -> Fight:
    """The target is wary now, and has one opponent more this round."""
    target, attacker = fight.fighter(target_name), fight.fighter(name)
    if attacker.hidden:
        fight = fight.change(name, hidden=False)
    if target.unwary or (name not in target.attacked_by and not free_strike):
        seen = target.attacked_by if free_strike or name in target.attacked_by else (*target.attacked_by, name)
        fight = fight.change(target_name, unwary=False, attacked_by=seen)
    return fight


def follow_up(rules: Ruleset, fight: Fight, strike: Strike, weapon: Weapon, came: Exchange) -> Play[Fight]:
    """A hit does damage, or the attacker tries a maneuver instead."""
    options = maneuvers(rules, fight.fighter(strike.target), weapon, came.margin)
    chosen = yield from Choice(strike.attacker, f"You hit {strike.target}. What now?", options, (fight, strike.attacker), "maneuver")
    if chosen == "damage":
        body = yield from wound(rules, strike, came.margin, fight.fighter(strike.target).body)
        return fight.change(strike.target, body=body)
    if chosen == "grapple":
        return (yield from grapple(rules, fight, strike.attacker, strike.target))
    if chosen == "disarm":
        return (yield from disarm(rules, fight, strike.attacker, strike.target, weapon.skill == "brawl", came.attack.total))
    if chosen == "trip":
        return (yield from trip(rules, fight, strike.target, came.attack.total))
    return (yield from shove(rules, fight, strike.attacker, strike.target, came.attack.total))


_MANEUVERS: dict[Maneuver, Option[Maneuver]] = {
    "damage": Option("damage", "Do damage", "damage"),
    "grapple": Option("grapple", "Grapple", "grapple"),
    "disarm": Option("disarm", "Disarm", "disarm"),
    "trip": Option("trip", "Trip", "trip"),
    "shove": Option("shove", "Shove", "shove"),
}


def maneuvers(rules: Ruleset, target: Fighter, weapon: Weapon, margin: int) -> tuple[Option[Maneuver], ...]:
    """What a hit may be turned into: a grapple needs bare hands, disarming a margin of two and something to be taken."""
    found: list[Maneuver] = ["damage"]
    if weapon.skill == "brawl" and not target.grappling:
        found.append("grapple")
    if margin >= 2 and target.in_hand != 0:
        found.append("disarm")
    if target.mode not in ("prone", "crawling"):
        found.append("trip")
    found.append("shove")
    return tuple(_MANEUVERS[maneuver] for maneuver in found)


@rule("scumm-close-fumbles")
def fumbles_in_close_combat(
    rules: Ruleset, fight: Fight, attacker: str, target: str, attacker_fumbled: bool, target_fumbled: bool
) -> Play[Fight]:
    """Who fumbles lays himself open to a Free Strike; if both fumble nothing comes of it."""
    if attacker_fumbled and target_fumbled:
        yield from Tell(Happened(attacker, f"and {target} both fumble: nothing comes of it"))
        return fight
    striker, open_one = (target, attacker) if attacker_fumbled else (attacker, target)
    yield from Tell(Happened(open_one, "fumbles and is open to a Free Strike", "bad"))
    return (yield from free_strike(rules, fight, striker, open_one))


@rule("scumm-close-fumbles")
def free_strike(rules: Ruleset, fight: Fight, striker: str, target: str) -> Play[Fight]:
    """An immediate blow that is no action, at most once a round for each (ruling, from the parent game)."""
    one, other = fight.fighter(striker), fight.fighter(target)
    most = rules.number("free-strikes-a-round")
    if one.free_strikes >= most or not one.body.able or not other.body.able or one.distance(other) > REACH or one.unwary:
        return fight
    fight = fight.change(striker, free_strikes=one.free_strikes + 1)
    yield from Tell(Happened(striker, f"makes a Free Strike at {target}"))
    weapon = one.weapon if one.weapon.skill in ("melee", "brawl") else one.profile.weapons[0]
    bruise = weapon.skill == "brawl" and one.profile.brawl < 1
    return (yield from close_attack(rules, fight, striker, target, weapon, bruise, free_strike=True))


@rule("scumm-grapple")
def grapple(rules: Ruleset, fight: Fight, attacker: str, target: str) -> Play[Fight]:
    """Both are locked together: neither moves normally nor attacks others, and outsiders find them unaware."""
    yield from Tell(Happened(attacker, f"grapples {target}", "good"))
    return fight.change(attacker, grappling=target, aim=0, aim_at="").change(target, grappling=attacker, aim=0, aim_at="")


@rule("scumm-grapple")
def grapple_turn(rules: Ruleset, fight: Fight, name: str) -> Play[Fight]:
    """On each grappler's turn both test Brawl; the winner hurts or moves the other, or lets go."""
    one, other = fight.fighter(name), fight.fighter(fight.fighter(name).grappling)
    mine, theirs = yield from Together(
        (
            Roll(reading(rules, _grapple_pool(fight, one)), one.name, "grapple"),
            Roll(reading(rules, _grapple_pool(fight, other)), other.name, "grapple"),
        )
    )
    margin = mine.total - theirs.total
    if margin == 0:
        yield from Tell(Happened(name, f"and {other.name} strain against each other"))
        return fight
    winner, loser = (one, other) if margin > 0 else (other, one)
    yield from Tell(Happened(winner.name, f"has the better of {loser.name} by {abs(margin)}"))
    chosen = yield from Choice(winner.name, f"You have the better of {loser.name}. What now?", _HOLDS, (fight, winner.name), "hold")
    if chosen == "release":
        return release(fight, winner.name)
    if chosen == "move":
        return _drag(rules, fight, winner, loser)
    fists = winner.profile.weapons[0]
    bruise = chosen == "bruise" or winner.profile.brawl < 1
    held = Strike(winner.name, loser.name, "a hold", Pool(0), None, 0, fists.damage, bruise=bruise)
    body = yield from wound(rules, held, abs(margin), loser.body)
    fight = fight.change(loser.name, body=body)
    return fight if body.able else release(fight, winner.name)


Hold = Literal["wound", "bruise", "move", "release"]
_HOLDS: tuple[Option[Hold], ...] = (
    Option("wound", "Do unarmed damage", "wound"),
    Option("bruise", "Do unarmed damage, bruises only", "bruise"),
    Option("move", "Move them", "move"),
    Option("release", "End the grapple", "release"),
)


def _grapple_pool(fight: Fight, fighter: Fighter) -> Pool:
    penalty = fight.acting_body(fighter).physical_penalty
    return Pool(fighter.profile.brawl).plus(Mod("Body", fighter.profile.body), Mod("wounds", penalty, "scumm-injuries"))


def release(fight: Fight, name: str) -> Fight:
    """The grapple is over."""
    other = fight.fighter(name).grappling
    fight = fight.change(name, grappling="")
    return fight.change(other, grappling="") if other else fight


def _drag(rules: Ruleset, fight: Fight, winner: Fighter, loser: Fighter) -> Fight:
    """Both move up to a crawling rate, the winner's (ruling "grapple-moves-at"), away from the winner's nearest other foe."""
    metres = (winner if rules.word("grapple-moves-at") == "winner" else loser).profile.crawl
    others = [foe for foe in fight.enemies(winner) if foe.name != loser.name]
    away = min(others, key=winner.distance) if others else loser
    step_x, step_y = direction(away.x, away.y, winner.x, winner.y)
    for fighter in (winner, loser):
        fight = fight.change(fighter.name, x=round(fighter.x + step_x * metres, 2), y=round(fighter.y + step_y * metres, 2), cover="none")
    return fight


def direction(from_x: float, from_y: float, to_x: float, to_y: float) -> tuple[float, float]:
    """The unit vector from one point to another; along x where they are the same."""
    length = ((to_x - from_x) ** 2 + (to_y - from_y) ** 2) ** 0.5
    return ((to_x - from_x) / length, (to_y - from_y) / length) if length else (1.0, 0.0)


@rule("scumm-disarm")
def disarm(rules: Ruleset, fight: Fight, attacker: str, target: str, bare_hands: bool, attack_total: int) -> Play[Fight]:
    """Alertness against the attack's total, or the weapon is lost: into the attacker's hand if he used Brawl, else to the ground."""
    victim = fight.fighter(target)
    if (yield from sub(resist, rules, victim, False, attack_total, "keeping the weapon")):
        yield from Tell(Happened(target, f"keeps hold of the {victim.weapon.name}"))
        return fight
    lost, place = victim.weapon, victim.in_hand
    state = tuple([("away" if bare_hands else "dropped") if i == place else was for i, was in enumerate(victim.gone)])
    fight = fight.change(target, in_hand=0, gone=state)
    if not bare_hands:
        yield from Tell(Happened(attacker, f"knocks the {lost.name} out of {target}'s hand", "good"))
        return fight
    yield from Tell(Happened(attacker, f"takes the {lost.name} from {target}", "good"))
    return _take_weapon(fight, attacker, victim, lost, place)


def _take_weapon(fight: Fight, attacker: str, victim: Fighter, lost: Weapon, place: int) -> Fight:
    taker = fight.fighter(attacker)
    damage = lost.damage + (taker.profile.armed - victim.profile.armed if lost.skill == "melee" else 0)
    weapons = (*taker.profile.weapons, msgspec.structs.replace(lost, damage=damage))
    profile = msgspec.structs.replace(taker.profile, weapons=weapons)
    return fight.change(
        attacker,
        profile=profile,
        in_hand=len(weapons) - 1,
        ammo=(*taker.ammo, victim.ammo[place]),
        jammed=(*taker.jammed, victim.jammed[place]),
        gone=(*taker.gone, ""),
    )


_RESISTANCES: tuple[Option[bool], ...] = (Option("alertness", "Resist with Alertness", False), Option("body", "Resist with Body", True))


def choose_resistance(fight: Fight, target: str, what: str) -> Play[bool]:
    """The target picks the attribute to resist with."""
    return (yield from Choice(target, f"You are about to be {what}. How do you resist?", _RESISTANCES, (fight, target), "resist"))


@rule("scumm-trip")
def trip(rules: Ruleset, fight: Fight, target: str, attack_total: int) -> Play[Fight]:
    """Alertness or Body against the attack's total, or the target falls prone and cannot sprint on the next turn."""
    with_body = yield from choose_resistance(fight, target, "tripped")
    if (yield from sub(resist, rules, fight.fighter(target), with_body, attack_total, "staying on the feet")):
        yield from Tell(Happened(target, "stays upright"))
        return fight
    yield from Tell(Happened(target, "is knocked prone", "bad"))
    return fight.change(target, mode="prone")


@rule("scumm-shove")
def shove(rules: Ruleset, fight: Fight, attacker: str, target: str, attack_total: int) -> Play[Fight]:
    """Alertness or Body against the attack's total, or the target is pushed back up to the attacker's Body + 1 metres."""
    with_body = yield from choose_resistance(fight, target, "shoved")
    if (yield from sub(resist, rules, fight.fighter(target), with_body, attack_total, "standing the ground")):
        yield from Tell(Happened(target, "stands the ground"))
        return fight
    one, other = fight.fighter(attacker), fight.fighter(target)
    most = max(0, one.profile.body + 1)
    metres = (
        (yield from Choice[int](attacker, f"How many metres do you shove {target}?", Range(0, most), (fight, attacker), "metres"))
        if most
        else 0
    )
    step_x, step_y = direction(one.x, one.y, other.x, other.y)
    yield from Tell(Happened(target, f"is shoved back {metres} m", "bad"))
    fight = fight.change(target, x=round(other.x + step_x * metres, 2), y=round(other.y + step_y * metres, 2), cover="none")
    follows = (
        (yield from Choice(attacker, "Do you follow?", _FOLLOW, (fight, attacker), "follow")) if metres and one.mode == "normal" else False
    )
    if follows:
        fight = fight.change(attacker, x=round(one.x + step_x * metres, 2), y=round(one.y + step_y * metres, 2), cover="none")
    return fight


_FOLLOW: tuple[Option[bool], ...] = (Option("stay", "Stay", False), Option("follow", "Follow", True))
