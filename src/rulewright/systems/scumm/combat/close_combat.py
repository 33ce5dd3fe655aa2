"""Blows, Free Strikes and the four maneuvers (book lines 418-442)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.highest import Total
from rulewright.errors import UserError
from rulewright.grammar import the
from rulewright.highest_die.harm import hit_outcome
from rulewright.play import Choice, Event, Option, Play, Range, Tell, sub
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Reason
from rulewright.systems.scumm.combat.attack_setup import (
    Situation,
    attacked,
    boosted,
    close_strike,
    defenseless,
    guards,
    happened,
    special,
    spend_emergency_dice,
)
from rulewright.systems.scumm.combat.attacks import Exchange, Guard, Strike, attack_came_to, exchange, situation, wound
from rulewright.systems.scumm.combat.fighters import DOWN, REACH, Fight, Fighter, Lost, Weapon
from rulewright.systems.scumm.combat.suppression import relocate
from rulewright.systems.scumm.gear.items import thrown_ranges
from rulewright.systems.scumm.resolution.tests import Mod, Opposed, Pool, action_test, attribute_pool, opposed_test, rolled_total

Maneuver = Literal["damage", "grapple", "disarm", "trip", "shove"]


class Resister(Struct, frozen=True):
    """The target of a maneuver: the attributes to resist with, the action penalty, and Emergency Dice put into it."""

    name: str = "target"
    alertness: int = 0
    body: int = 0
    penalty: int = 0
    emergency: int = 0

    @classmethod
    def of_fighter(cls, fighter: Fighter, emergency: int = 0) -> "Resister":
        """A person in a fight."""
        profile = fighter.profile
        return cls(profile.name, profile.alertness, profile.body, fighter.body.physical_penalty, emergency)


AVERAGE_TARGET = Resister()
ONE_DIE = Pool(1)


# --- the rules in numbers -----------------------------------------------------------------------------------------------------


@rule("scumm-close-fumbles")
def free_strike_for(attacker_fumbles: bool = True, defender_fumbles: bool = False) -> Literal["attacker", "defender", "nobody"]:
    """A person who fumbles lays himself open to a Free Strike of the other; if both fumble it has no effect."""
    if attacker_fumbles == defender_fumbles:
        return "nobody"
    return "defender" if attacker_fumbles else "attacker"


@rule("scumm-grapple")
def wrestle(rules: Ruleset, grappler: Pool = ONE_DIE, other: Pool = ONE_DIE, by: str = "grappler", against: str = "other") -> Play[Opposed]:
    """On each grappler's turn both test Brawl; on a tie the other, who resists, has the better of it."""
    return (yield from opposed_test(rules, grappler, other, by, against, "grapple", "grapple"))


@rule("scumm-disarm")
def keeps_weapon(rules: Ruleset, attack_total: int = 5, margin: int = 2, target: Resister = AVERAGE_TARGET) -> Play[bool]:
    """A hit by two or more can disarm: Alertness against the attack's total, or the weapon leaves the hand."""
    if not can_disarm(margin):
        raise UserError(f"disarming needs a Margin of Success of at least 2, not {margin}")
    return (yield from resists(rules, target, "alertness", attack_total, "keeping the weapon"))


@rule("scumm-disarm")
def can_disarm(margin: int) -> bool:
    """Disarming needs a Margin of Success of two or more."""
    return margin >= 2


@rule("scumm-trip")
def keeps_footing(rules: Ruleset, attack_total: int = 5, target: Resister = AVERAGE_TARGET) -> Play[bool]:
    """Alertness or Body, as the target likes, against the attack's total, or the target is knocked prone."""
    with_what = yield from choose_resistance(target, "tripped")
    return (yield from resists(rules, target, with_what, attack_total, "staying on the feet"))


@rule("scumm-shove")
def shoved_metres(rules: Ruleset, attack_total: int = 5, attacker_body: int = 0, target: Resister = AVERAGE_TARGET) -> Play[int]:
    """Alertness or Body, as the target likes, against the attack's total, or the target is pushed up to Body + 1 metres (at least 0)."""
    with_what = yield from choose_resistance(target, "shoved")
    flag = yield from resists(rules, target, with_what, attack_total, "standing the ground")
    return 0 if flag else max(0, attacker_body + 1)


Resistance = Literal["alertness", "body"]
_RESISTANCES: tuple[Option[Resistance], ...] = (
    Option("alertness", "Resist with Alertness", "alertness"),
    Option("body", "Resist with Body", "body"),
)


def choose_resistance(target: Resister, what: str) -> Play[Resistance]:
    """The target picks the attribute to resist with."""
    return (yield from Choice(target.name, f"You are about to be {what}. How do you resist?", _RESISTANCES, target, "resist"))


def resists(rules: Ruleset, target: Resister, attribute: Resistance, threshold: int, what: str) -> Play[bool]:
    """An attribute test against the attack's total; a draw resists (ruling "maneuver-draws")."""
    value = target.alertness if attribute == "alertness" else target.body
    pool = attribute_pool(rules, value, attribute.capitalize(), (Mod("wounds", target.penalty, "scumm-injuries"),))
    pool = replace(pool, emergency=target.emergency)
    test = yield from action_test(rules, pool, threshold, target.name, what)
    yield from Tell(Resisted(target.name, what, pool, Total(test.total, test.fumble), threshold))
    return test.margin > 0 or (test.margin == 0 and rules.word("maneuver-draws") == "resisted")


class Resisted(Event, frozen=True):
    """A test against a maneuver."""

    name: str
    what: str
    pool: Pool
    total: Total
    threshold: int

    def headline(self) -> str:
        return f"{self.name} tries {self.what}: {self.total.total} against {self.threshold}"

    def reasons(self) -> tuple[Reason, ...]:
        test = rolled_total("test", self.pool, self.total, "scumm-attribute-test")
        return (test.reason, Reason("the attack's total", self.threshold, "against"))


def resisting(rules: Ruleset, fight: Fight, name: str, what: str) -> Play[tuple[Fight, Resister]]:
    """A person in a fight who resists a maneuver, with the Emergency Dice that go into it."""
    fight, pool = yield from spend_emergency_dice(rules, fight, name, attribute_pool(rules, 0), what)
    return fight, Resister.of_fighter(fight.fighter(name), pool.emergency)


# --- a blow in a fight --------------------------------------------------------------------------------------------------------


_GUARDS: dict[Guard, Option[Guard]] = {
    "defense": Option("defense", "Defend (Defense)", "defense"),
    "parry": Option("parry", "Parry (Melee)", "parry"),
    "block": Option("block", "Block (Brawl)", "block"),
}


@cached(10)
def _guards(allowed: tuple[Guard, ...]) -> tuple[Option[Guard], ...]:
    return tuple([_GUARDS[guard] for guard in allowed])


def choose_guard(rules: Ruleset, fight: Fight, attacker: Fighter, target: Fighter, weapon: Weapon) -> Play[Guard]:
    """The target of a blow decides how to meet it."""
    if defenseless(attacker, target):
        return "defense"
    options = _guards(guards(rules, target))
    about = Situation(fight, target.name, rules)
    asked = f"{attacker.name} attacks with {the(weapon.name)}. How do you defend?"
    return (yield from Choice(target.name, asked, options, about, "guard"))


def close_attack(
    rules: Ruleset, fight: Fight, name: str, target_name: str, *, weapon: Weapon, bruise: bool, extra: int = 0, free_strike: bool = False
) -> Play[Fight]:
    """A blow from declaring it to what follows: defense, rolls, damage or a maneuver, fumbles and Free Strikes."""
    attacker, target = fight.fighter(name), fight.fighter(target_name)
    if attacker.distance(target) > REACH:
        raise UserError(f"{target_name} is out of {name}'s reach")
    guard = yield from choose_guard(rules, fight, attacker, target, weapon)
    strike = close_strike(rules, fight, attacker, target, weapon, guard=guard, bruise=bruise, extra=extra, free_strike=free_strike)
    fight, strike = yield from boosted(rules, fight, strike, f"the attack on {target_name}")
    result = yield from exchange(rules, strike)
    attacker, target = fight.fighter(name), fight.fighter(target_name)
    if attacker.hidden or attacker.aim:
        attacker = replace(attacker, hidden=False, aim=0, aim_at="")
    fight = fight.put(attacker, attacked(target, name, target.body, free_strike))
    word = "miss"
    if result.hits:
        fight, word = yield from follow_up(rules, fight, strike, weapon, result)
    yield attack_came_to(word, name, target_name)
    defense_fumbled = strike.defense is not None and result.defense.fumble  # 424: a Free Strike
    if result.attack.fumble or defense_fumbled:  # 424
        fight = yield from fumbles_in_close_combat(
            rules, fight, name, target_name, attacker_fumbled=result.attack.fumble, target_fumbled=defense_fumbled
        )
    return fight


def follow_up(rules: Ruleset, fight: Fight, strike: Strike, weapon: Weapon, item: Exchange) -> Play[tuple[Fight, str]]:
    """A hit does damage, or the attacker tries a maneuver instead; and a word for its outcome."""
    name, target = strike.attacker, strike.target
    options = maneuvers(fight.fighter(name), fight.fighter(target), weapon, item.margin)
    chosen = yield from Choice(name, f"You hit {target}. What do you do?", options, Situation(fight, name, rules), "maneuver")
    if chosen == "damage":
        before = fight.fighter(target).body
        body = yield from wound(rules, strike, item.margin, before)
        return fight.harm(target, body), hit_outcome(before, body)
    if chosen == "grapple":
        return (yield from grapple(fight, name, target)), "grappled"
    victim = fight.fighter(target)
    if chosen == "disarm":
        fight = yield from disarm(rules, fight, name, target, bare_hands=weapon.skill == "brawl", blow=item)
        return fight, "kept" if fight.fighter(target).in_hand == victim.in_hand else "disarmed"
    if chosen == "trip":
        fight = yield from trip(rules, fight, target, item.attack.total)
        return fight, "kept" if fight.fighter(target).mode == victim.mode else "knocked prone"
    fight = yield from shove(rules, fight, name, target, item.attack.total)
    moved = fight.fighter(target)
    return fight, "kept" if (moved.x, moved.y) == (victim.x, victim.y) else "shoved"


_MANEUVERS: dict[Maneuver, Option[Maneuver]] = {
    "damage": Option("damage", "Do damage", "damage"),
    "grapple": Option("grapple", "Grapple", "grapple"),
    "disarm": Option("disarm", "Disarm", "disarm"),
    "trip": Option("trip", "Trip", "trip"),
    "shove": Option("shove", "Shove", "shove"),
}


def maneuvers(attacker: Fighter, target: Fighter, weapon: Weapon, margin: int) -> tuple[Option[Maneuver], ...]:
    """Lists the maneuvers for a hit: a grapple needs bare hands (and life in them), disarming a margin of two and something to be taken."""
    result: list[Maneuver] = ["damage"]
    if weapon.skill == "brawl" and attacker.body.able and not target.grappling and not attacker.grappling:
        result.append("grapple")
    if can_disarm(margin) and target.in_hand != 0 and not target.gone[target.in_hand]:
        result.append("disarm")
    if target.mode not in DOWN:
        result.append("trip")
    if not target.grappling:
        result.append("shove")
    return _maneuvers(tuple(result))


@cached(100)
def _maneuvers(allowed: tuple[Maneuver, ...]) -> tuple[Option[Maneuver], ...]:
    return tuple([_MANEUVERS[maneuver] for maneuver in allowed])


# --- fumbles ------------------------------------------------------------------------------------------------------------------


def fumbles_in_close_combat(
    rules: Ruleset, fight: Fight, attacker: str, target: str, *, attacker_fumbled: bool, target_fumbled: bool
) -> Play[Fight]:
    """The outcome of fumbles: a Free Strike for the other, or nothing if both fumbled."""
    striker = free_strike_for(attacker_fumbled, target_fumbled)
    if striker == "nobody":
        return fight
    text, other = (attacker, target) if striker == "attacker" else (target, attacker)
    yield from happened(fight, other, "fumbles and is open to a Free Strike", "bad")
    return (yield from free_strike(rules, fight, text, other))


@rule("scumm-close-fumbles")
def may_strike_freely(rules: Ruleset, striker: Fighter, target: Fighter) -> bool:
    """An aware opponent within reach gets a Free Strike, at most one a round (ruling, from the parent game); nobody strikes in a sprint."""
    free = striker.body.able and not striker.unwary and striker.grappling in ("", target.name) and striker.mode != "sprinting"
    return free and striker.free_strikes < rules.number("free-strikes-a-round") and striker.distance(target) <= REACH


def free_strike(rules: Ruleset, fight: Fight, striker: str, target: str) -> Play[Fight]:
    """An immediate blow that is no action, without the penalties of extra actions and several opponents; nobody needs to take it."""
    result, other = fight.fighter(striker), fight.fighter(target)
    if not other.body.able or not may_strike_freely(rules, result, other):
        return fight
    weapon = result.profile.weapons[0] if result.weapon.gun else result.weapon
    options = _free_strikes(result, weapon)
    about = Situation(fight, striker, rules)
    chosen = yield from Choice(striker, f"{target} is open to a Free Strike. Do you take it?", options, about, "free strike")
    if chosen == "hold":
        return fight
    fight = fight.put(replace(result, free_strikes=result.free_strikes + 1))
    yield from happened(fight, striker, f"makes a Free Strike at {target}")
    return (yield from close_attack(rules, fight, striker, target, weapon=weapon, bruise=chosen == "bruise", free_strike=True))


FreeStrike = Literal["strike", "bruise", "hold"]
_FREE_STRIKES: dict[FreeStrike, Option[FreeStrike]] = {
    "strike": Option("strike", "Strike", "strike"),
    "bruise": Option("bruise", "Strike to bruise", "bruise"),
    "hold": Option("hold", "Do not strike", "hold"),
}


def _free_strikes(striker: Fighter, weapon: Weapon) -> tuple[Option[FreeStrike], ...]:
    """Lists the kinds of Free Strike: bare hands may hold back, and must without the Brawl skill."""
    allowed: list[FreeStrike] = ["hold"]
    if weapon.skill == "brawl":
        allowed = ["bruise", *allowed]
    if not only_bruises(striker, weapon):
        allowed = ["strike", *allowed]
    return tuple([_FREE_STRIKES[strike] for strike in allowed])


def only_bruises(fighter: Fighter, weapon: Weapon) -> bool:
    """Without the Brawl skill bare hands do bruise damage only (book line 541)."""
    return weapon.skill == "brawl" and fighter.profile.brawl < 1


# --- grappling ----------------------------------------------------------------------------------------------------------------


def grapple(fight: Fight, attacker: str, target: str) -> Play[Fight]:
    """Both are locked together: neither moves normally nor attacks others nor waits for anything, and outsiders find them unaware."""
    yield from happened(fight, attacker, f"grapples {target}", "good")
    fight = fight.change(attacker, grappling=target, aim=0, aim_at="", ready=None)
    return fight.change(target, grappling=attacker, aim=0, aim_at="", ready=None)


def grapple_turn(rules: Ruleset, fight: Fight, name: str) -> Play[Fight]:
    """A grappler's turn: the winner of the test hurts or moves the other, lets go, or just holds on."""
    other_name = fight.fighter(name).grappling
    fight, mine = yield from _ready_to_wrestle(rules, fight, name)
    fight, theirs = yield from _ready_to_wrestle(rules, fight, other_name)
    test = yield from wrestle(rules, mine, theirs, name, other_name)
    margin = abs(test.margin)
    won, lost = (name, other_name) if test.margin > 0 else (other_name, name)
    winner, loser = fight.fighter(won), fight.fighter(lost)
    yield from Tell(Wrestled(won, lost, margin, (name, mine, test.actor), (other_name, theirs, test.resister)))
    holds = _holds(winner.profile.brawl >= 1, margin > 0)
    chosen = yield from Choice(
        won, f"You win the grapple test against {lost}. What do you do?", holds, Situation(fight, won, rules), "hold"
    )
    if chosen == "hold":
        return fight
    if chosen == "release":
        yield from happened(fight, won, f"lets go of {lost}")
        return fight.release(won)
    if chosen == "move":
        return (yield from _drag(rules, fight, winner, loser))
    strike = Strike(won, lost, "a hold", Pool(0), None, 0, winner.profile.weapons[0].damage, bruise=chosen == "bruise")
    body = yield from wound(rules, strike, margin, loser.body)
    yield attack_came_to(hit_outcome(loser.body, body), won, lost)
    return fight.harm(lost, body)


class Wrestled(Event, frozen=True):
    """A test in a grapple: who had the better of whom, and what each of the two rolled."""

    won: str
    lost: str
    margin: int
    acting: tuple[str, Pool, Total]
    other: tuple[str, Pool, Total]

    def headline(self) -> str:
        text = f"wins the grapple test against {self.lost} by {self.margin}" if self.margin else f"draws with {self.lost} in the grapple"
        return f"{self.won} {text}"

    def reasons(self) -> tuple[Reason, ...]:
        sides = (self.acting, self.other)
        return tuple([rolled_total(who, pool, rolled, "scumm-grapple").reason for who, pool, rolled in sides])


Hold = Literal["wound", "bruise", "move", "release", "hold"]
_HOLDS: dict[Hold, Option[Hold]] = {
    "wound": Option("wound", "Do unarmed damage", "wound"),
    "bruise": Option("bruise", "Do unarmed damage, bruises only", "bruise"),
    "move": Option("move", "Move the opponent", "move"),
    "release": Option("release", "End the grapple", "release"),
    "hold": Option("hold", "Keep the hold", "hold"),
}


@cached(10)
def _holds(brawls: bool, better: bool) -> tuple[Option[Hold], ...]:
    """Lists what the winner can do; a draw does no damage, and without the Brawl skill only bruises are done."""
    allowed: list[Hold] = ["move", "release", "hold"]
    if better:
        allowed = ["wound", "bruise", *allowed] if brawls else ["bruise", *allowed]
    return tuple([_HOLDS[hold] for hold in allowed])


def _ready_to_wrestle(rules: Ruleset, fight: Fight, name: str) -> Play[tuple[Fight, Pool]]:
    fighter = fight.fighter(name)
    profile = fighter.profile
    mods = (
        Mod("Body", profile.body, "scumm-skill-test"),
        special(profile, "brawl", "grappling"),
        Mod("wounds", fight.acting_body(fighter).physical_penalty, "scumm-injuries"),
        *([situation(rules, "intoxicated", fighter.intoxicated - 1).attack] if fighter.intoxicated else []),
    )
    return (yield from spend_emergency_dice(rules, fight, name, Pool(profile.brawl).plus(*mods), "the grapple"))


@rule("scumm-grapple")
def dragging_rate(rules: Ruleset, winner_crawls: int, loser_crawls: int) -> int:
    """How far the loser of a test can be moved: the winner's crawling rate (ruling "grapple-moves-at")."""
    return winner_crawls if rules.word("grapple-moves-at") == "winner" else loser_crawls


def _drag(rules: Ruleset, fight: Fight, winner: Fighter, loser: Fighter) -> Play[Fight]:
    """Both move, as far as the winner likes up to a crawling rate, away from the winner's nearest other enemy."""
    most = dragging_rate(rules, winner.profile.crawl, loser.profile.crawl)
    about = Situation(fight, winner.name, rules)
    metres = yield from Choice[int](winner.name, f"How many metres do you move {loser.name}?", Range(0, most), about, "metres")
    yield from happened(fight, winner.name, f"drags {loser.name} {metres} m")
    others = [foe for foe in fight.enemies(winner) if foe.name != loser.name]
    away = min(others, key=winner.distance) if others else loser
    step_x, step_y = direction(away.x, away.y, winner.x, winner.y)
    for fighter in (winner, loser):
        fight = yield from relocate(rules, fight, fighter.name, fighter.x + step_x * metres, y=fighter.y + step_y * metres)
    return fight


def direction(from_x: float, from_y: float, to_x: float, to_y: float) -> tuple[float, float]:
    """The unit vector from one point to another; along x where they are the same."""
    length = ((to_x - from_x) ** 2 + (to_y - from_y) ** 2) ** 0.5
    return ((to_x - from_x) / length, (to_y - from_y) / length) if length else (1.0, 0.0)


# --- disarming, tripping, shoving ---------------------------------------------------------------------------------------------


def disarm(rules: Ruleset, fight: Fight, attacker: str, target: str, *, bare_hands: bool, blow: Exchange) -> Play[Fight]:
    """A person who does not keep the weapon loses it into the attacker's hand if he used Brawl, else to the ground."""
    fight, resister = yield from resisting(rules, fight, target, "keeping the weapon")
    victim = fight.fighter(target)
    if (yield from sub(keeps_weapon, rules, blow.attack.total, blow.margin, resister)):
        yield from happened(fight, target, f"keeps hold of {the(victim.weapon.name)}")
        return fight
    lost, place = victim.weapon, victim.in_hand
    where: Lost = "away" if bare_hands else "dropped"
    gone = (*victim.gone[:place], where, *victim.gone[place + 1 :])
    fight = fight.put(replace(victim, in_hand=0, gone=gone, aim=0, aim_at=""))
    if not bare_hands:
        yield from happened(fight, attacker, f"knocks {the(lost.name)} out of {target}'s hand", "good")
        return fight
    yield from happened(fight, attacker, f"takes {the(lost.name)} from {target}", "good")
    return fight.put(with_weapon(fight.fighter(attacker), victim, lost, victim.ammo[place], victim.jammed[place]))


def with_weapon(taker: Fighter, owner: Fighter, weapon: Weapon, ammo: int, jammed: bool) -> Fighter:
    """A person with another's weapon in hand: its strength and throwing range are the new wielder's."""
    if weapon.skill == "melee":
        ranges = thrown_ranges(taker.profile.body) if weapon.throwable else None
        weapon = replace(weapon, damage=weapon.damage + taker.profile.armed - owner.profile.armed, ranges=ranges)
    weapons = (*taker.profile.weapons, weapon)
    return replace(
        taker,
        profile=replace(taker.profile, weapons=weapons),
        in_hand=len(weapons) - 1,
        ammo=(*taker.ammo, ammo),
        jammed=(*taker.jammed, jammed),
        gone=(*taker.gone, ""),
        aim=0,
        aim_at="",
    )


def trip(rules: Ruleset, fight: Fight, target: str, attack_total: int) -> Play[Fight]:
    """A person who loses the footing lies prone until he gets up, and cannot sprint on the next turn."""
    fight, resister = yield from resisting(rules, fight, target, "staying on the feet")
    victim = fight.fighter(target)
    if (yield from sub(keeps_footing, rules, attack_total, resister)):
        yield from happened(fight, target, "stays upright")
        return fight
    yield from happened(fight, target, "is knocked prone", "bad")
    return fight.put(replace(victim, mode="prone", aim=0, aim_at=""))


def shove(rules: Ruleset, fight: Fight, attacker: str, target: str, attack_total: int) -> Play[Fight]:
    """The attacker pushes as far as he likes within what he can, and may follow as far as his movement this turn allows."""
    fight, resister = yield from resisting(rules, fight, target, "standing the ground")
    result, other = fight.fighter(attacker), fight.fighter(target)
    most = yield from sub(shoved_metres, rules, attack_total, result.profile.body, resister)
    if not most:
        yield from happened(fight, target, "stands firm")
        return fight
    about = Situation(fight, attacker, rules)
    metres = yield from Choice[int](attacker, f"How many metres do you shove {target}?", Range(0, most), about, "metres")
    step_x, step_y = direction(result.x, result.y, other.x, other.y)
    yield from happened(fight, target, f"is shoved back {metres} m", "bad")
    fight = yield from relocate(rules, fight, target, other.x + step_x * metres, y=other.y + step_y * metres)
    turn = fight.turn
    if not metres or turn is None or turn.name != attacker or turn.metres < metres:
        return fight
    if (yield from Choice(attacker, "Do you follow?", _FOLLOW, Situation(fight, attacker, rules), "follow")):
        fight = replace(fight, turn=replace(turn, metres=turn.metres - metres, steady=False))
        fight = yield from relocate(rules, fight, attacker, result.x + step_x * metres, y=result.y + step_y * metres)
    return fight


_FOLLOW: tuple[Option[bool], ...] = (Option("stay", "Stay", False), Option("follow", "Follow", True))
