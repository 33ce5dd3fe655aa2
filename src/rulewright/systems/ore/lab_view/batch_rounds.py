"""Batch simulation of rounds in which everybody strikes one blow, by cached parts.

Declarations are looked up by all fighters, rolls by fighter and target, blows by attacker and victim. Each part is played once by the
rules of the round in a small fight; other rounds are stepped normally.
"""

from functools import partial
from typing import Any, NamedTuple

from msgspec.structs import replace

from rulewright.play import Play, Sub, sub
from rulewright.rules import Ruleset
from rulewright.scenes.batch_play import UNSETTLED, Luck, Turn, settled
from rulewright.systems.ore.combat.fighters import Act, Fight, Fighter, Ground, Pending, Plan
from rulewright.systems.ore.drama.determination import Determined, determine
from rulewright.systems.ore.fight.actions.base import Names
from rulewright.systems.ore.fight.drama_points import Fell
from rulewright.systems.ore.fight.feats.effects import TACTICS, feats_matter
from rulewright.systems.ore.fight.feats.sets import COWED
from rulewright.systems.ore.fight.initiative import order_of, rolls_initiative
from rulewright.systems.ore.fight.penalties import attack_dice
from rulewright.systems.ore.fight.resolution.lost_dice import shaken
from rulewright.systems.ore.fight.resolution.parley import WARNED
from rulewright.systems.ore.fight.resolution.sets import resolved
from rulewright.systems.ore.fight.round_end import a_round_older, remembered
from rulewright.systems.ore.fight.rounds import begun, cast_for, declaration, is_far, made_of, spent, still_armed, what_matters
from rulewright.systems.ore.fight.tactics import ENOUGH
from rulewright.systems.ore.harm.body import fresh
from rulewright.systems.ore.lab_view.anonymised import ANOTHER, THIRD, another, as_changed, beside, hindered_like, out_of_it, shown
from rulewright.systems.ore.lab_view.declaration_excerpt import focus

MOST_REMEMBERED = 60_000
"""Cache limit; a full cache is cleared."""

BLOWS = ("attack", "called shot", "slash", "thrust")


# --- what is played by itself -------------------------------------------------------------------------------------------------


def rolls(rules: Ruleset, fight: Fight, level: str) -> Play[tuple[Fighter, tuple[Pending, ...]]]:
    """The roll for a declared blow in a small fight: the fighter afterwards, and the waiting set."""
    plan, cast = yield from cast_for(rules, fight, fight.plans[0])
    assert cast is not None
    fight = yield from spent(replace(fight, plans=(plan, *fight.plans[1:]), plain=level), plan.who)
    fell: Determined = yield from sub(determine, rules, (cast,), level)
    fight, lies = yield from made_of(rules, fight, cast, Fell(fell.sets[0], fell.waste[0], fell.lying[0]))
    return fight.fighters[0], tuple(lies)


def strikes(rules: Ruleset, before: Fight, fight: Fight, pending: Pending) -> Play[tuple[Fight, Names]]:
    """The effect of a set in a small fight of two."""
    return (yield from resolved(rules, before, fight, still_armed(before, fight, pending)))


def a_round_later(rules: Ruleset, fight: Fight) -> Play[Fighter]:
    """The only fighter of a small fight after the round."""
    return (yield from a_round_older(rules, fight, fight.fighters[0]))


# --- what is remembered -------------------------------------------------------------------------------------------------------


class Person:
    """An interned fighter."""

    __slots__ = ("able", "dice", "fighter", "idle", "older", "shown")

    def __init__(self, fighter: Fighter, dice: int) -> None:
        self.fighter = fighter
        self.able = fighter.able
        self.dice = dice
        """Dice for an attack, as far as tactics distinguish them."""
        self.shown = shown(fighter) if self.able else out_of_it(fighter)
        self.idle: Person | None = None
        """After a round without an action."""
        self.older: dict[bool, Person | Turn[Fighter, Person]] = {}
        """After a round with or without an action."""


class Rolled(NamedTuple):
    """A fighter after the roll, with the waiting set."""

    person: Person
    waits: Pending | None


class Struck(NamedTuple):
    """The effect of a set on both, and the dice the victim loses."""

    owner: Fighter | None
    """The attacker afterwards, if changed."""
    victim: Person
    dice: int


class Round:
    """The declarations of a round; None if there is more than one blow each."""

    __slots__ = ("plain", "plans", "rolls", "smalls", "who")

    def __init__(self, plans: tuple[Plan, ...], who: tuple[int, ...], smalls: tuple[Fight, ...], *, plain: bool) -> None:
        self.plans = plans
        """With the circumstances of each act."""
        self.who = who
        """Who declared, by index, in order."""
        self.smalls = smalls
        """Each attacker with the target."""
        self.plain = plain
        """Whether the rest of the round is one step."""
        self.rolls: tuple[dict[Person, Turn[Any, Rolled]], ...] = tuple([{} for _ in who])


class Rounds:
    """Plays rounds of fights in which everybody strikes."""

    def __init__(self, rules: Ruleset, luck: Luck) -> None:
        self.rules = rules
        self.luck = luck
        self.ground = Ground()
        self.walks = not rules.on("devastating-strikes")
        self.rolled_first = rolls_initiative(rules)
        self.forget()

    def forget(self) -> None:
        """Clears full caches."""
        self.people: dict[Fighter, Person] = {}
        self.rounds: dict[tuple[object, ...], Round | None] = {}
        self.blows: dict[tuple[object, ...], Struck | Turn[Any, Struck]] = {}
        self.struck: dict[tuple[object, ...], tuple[Fight, Names]] = {}
        self.narrower: dict[Pending, Pending | None] = {}

    def __call__(self, fight: Fight, until: int) -> Fight:
        """The fight as far as everybody only strikes."""
        if not self.walks or fight.phase != "begin" or fight.groups or not fight.bare or fight.powers or fight.floor:
            return fight
        if fight.round == 0 and (fight.ground.parley or self.rolled_first):
            return fight
        if fight.ground != self.ground or len(self.people) + len(self.rounds) + len(self.blows) > MOST_REMEMBERED:
            self.forget()
            self.ground = fight.ground
        return _Walk(self, fight).run(until)

    def person(self, fighter: Fighter) -> Person:
        """The interned fighter."""
        result = self.people.get(fighter)
        if result is None:
            result = self.people[fighter] = Person(fighter, min(ENOUGH, attack_dice(self.rules, fighter)))
        return result

    # --- declarations

    def declared(self, fight: Fight) -> Round | None:
        """The declarations of the next round; None if there is more than one undefended blow each."""
        rules, fighters = self.rules, fight.fighters
        if not all(_is_free(fighter) for fighter in fighters):
            return None
        fight = begun(fight, order_of(rules, fight))
        while fight.order:
            seen = focus(rules, fight)
            after = settled(self.luck, declaration(rules, seen.small)) if seen is not None else UNSETTLED
            if seen is None or after is UNSETTLED:
                return None
            fight = seen.back(after)
        if fight.fighters != fighters or not all(_is_a_blow(rules, fight, plan) for plan in fight.plans):
            return None
        number = {fighter.name: place for place, fighter in enumerate(fighters)}
        smalls = []
        for place, plan in enumerate(fight.plans):
            smalls.append(_small(fight, plan))
            told = settled(self.luck, cast_for(rules, fight, plan))
            if told is UNSETTLED or told[1] is None or [act.kind for act in told[0].acts] != [plan.acts[0].kind]:
                return None
            fight = replace(fight, plans=(*fight.plans[:place], told[0], *fight.plans[place + 1 :]))
        if feats_matter(rules, fight):
            return None
        return Round(fight.plans, tuple([number[plan.who] for plan in fight.plans]), tuple(smalls), plain=bool(what_matters(rules, fight)))

    def rolling(self, item: Round, place: int, person: Person) -> Turn[Any, Rolled]:
        """The roll of a fighter in such a round."""
        rules, small, plan = self.rules, item.smalls[place], item.plans[place]
        fighter, target = person.fighter, plan.acts[0].target
        body = hindered_like(fighter.body) if fighter.weapon.close else fighter.body  # recoil hurts the shooter
        small = replace(small, fighters=(replace(small.fighters[0], body=body), *small.fighters[1:]))
        alone = Fight(small.ground, (fighter,), plans=(plan,))
        worded = replace(small, plans=(_told_of(plan, target), *small.plans[1:]))
        ready = settled(self.luck, spent(alone, plan.who)).fighters[0]
        seen = settled(self.luck, spent(worded, plan.who)).fighters[0]
        part = Sub(rolls, (rules, small, self._level(small)))
        turn: Turn[Any, Rolled] = Turn(part, partial(self._rolled, ready, seen, target))
        item.rolls[place][person] = turn
        return turn

    def _level(self, small: Fight) -> str:
        """How much of the dice matters."""
        acts = tuple([replace(act, kind="attack", location=None) for act in small.plans[0].acts])
        matters = what_matters(self.rules, replace(small, plans=(replace(small.plans[0], acts=acts),)))
        return matters.partition(",")[0]

    def _rolled(self, ready: Fighter, seen: Fighter, target: str, pair: tuple[Fighter, tuple[Pending, ...]]) -> Rolled:
        after, lies = pair
        assert len(lies) < 2
        assert not any(lie.counters for lie in lies)
        person = self.person(as_changed(ready, seen, after))
        return Rolled(person, replace(lies[0], act=replace(lies[0].act, target=target)) if lies else None)

    # --- blows

    def blow(self, before: Person, now: Person, victim: Person, pending: Pending) -> Struck | Turn[Any, Struck]:
        """The effect of a set, by attacker before and now, and victim."""
        owner, other = another(now.shown), beside(victim.fighter)
        unhurt = Fighter(other.profile, fresh(self.rules, other.profile.body))  # a person who fell in this moment can still be hit
        then = Fight(self.ground, (another(before.shown), unhurt), phase="resolve")
        fight = Fight(self.ground, (owner, other), phase="resolve")
        waits = replace(pending, who=owner.name)
        make = partial(self._struck, now.shown, owner, victim.fighter, other)
        key = (then, fight, waits)
        pair = self.struck.get(key)
        if pair is None:
            pair = self.struck[key] = settled(self.luck, strikes(self.rules, *key))
        turn = Turn(Sub(strikes, (self.rules, *key)), make) if pair is UNSETTLED else make(pair)
        self.blows[before.shown, now.shown, victim, pending] = turn
        return turn

    def _struck(self, shows: Fighter, owner: Fighter, victim: Fighter, other: Fighter, pair: tuple[Fight, Names]) -> Struck:
        fight, names = pair
        fighter, met = fight.fighters
        return Struck(
            as_changed(shows, owner, fighter) if fighter != owner else None, self.person(as_changed(victim, other, met)), len(names)
        )

    def with_die_lost(self, pending: Pending) -> Pending | None:
        """A waiting set after a hit; None if spoiled."""
        result = self.narrower[pending] = next(iter(shaken(self.rules, (pending,), pending.who)), None)
        return result

    # --- time

    def idle(self, person: Person) -> Person:
        """A fighter without a declaration, after all others declared."""
        fight = settled(self.luck, spent(Fight(self.ground, (person.fighter,)), person.fighter.name))
        result = person.idle = self.person(fight.fighters[0])
        return result

    def older(self, person: Person, plan: Plan | None) -> Person | Turn[Fighter, Person]:
        """A fighter after the round."""
        fight = Fight(self.ground, (person.fighter,), plans=() if plan is None else (plan,))
        after = settled(self.luck, a_round_later(self.rules, fight))
        turn = Turn(Sub(a_round_later, (self.rules, fight)), self.person) if after is UNSETTLED else self.person(after)
        person.older[plan is not None] = turn
        return turn


def _is_free(fighter: Fighter) -> bool:
    """Whether a fighter affects only the target."""
    if fighter.held_by or fighter.close_to or fighter.choked or fighter.diving or fighter.drama or fighter.cover.any:
        return False
    feats = any(path == TACTICS for path, _ in fighter.profile.feats)
    return not feats and not any(word in (WARNED, COWED) for word, _ in fighter.marks)


def _is_a_blow(rules: Ruleset, fight: Fight, plan: Plan) -> bool:
    """Whether a declaration is a single blow without movement."""
    if len(plan.acts) != 1 or plan.determined or plan.gain:
        return False
    act = plan.acts[0]
    weapon = fight.fighter(plan.who).weapon
    if act.kind not in BLOWS or act != Act(act.kind, act.target, act.location, damage_class=act.damage_class):
        return False
    return not weapon.area and weapon.kind != "thrown" and not is_far(rules, fight, plan.who, act)


def _small(fight: Fight, plan: Plan) -> Fight:
    """A small fight of attacker and target with their declarations, plus one with feats if neither has any."""
    me, target = fight.fighter(plan.who), fight.fighter(plan.acts[0].target)
    people = [beside(shown(me), target.name), another(shown(target))]
    others = [another(shown(candidate), THIRD) for candidate in fight.fighters if candidate.profile.feats]
    plans = [_told_of(plan, target.name)]
    if target.profile.feats:
        theirs = next(candidate for candidate in fight.plans if candidate.who == target.name)
        told = tuple([replace(act, target=me.name if act.target == me.name else THIRD) for act in theirs.acts])
        plans.append(replace(theirs, who=people[1].name, acts=told))
    if others and not any(person.profile.feats for person in people):
        people.append(others[0])
    return Fight(fight.ground, tuple(people), round=min(fight.round, 2), phase="declare", plans=tuple(plans), edition=fight.edition)


def _told_of(plan: Plan, target: str) -> Plan:
    """Declarations against an unnamed other."""
    acts = tuple([replace(act, target=ANOTHER if act.target == target else act.target) for act in plan.acts])
    return replace(plan, acts=acts)


# --- one fight ----------------------------------------------------------------------------------------------------------------

UNKNOWN: Any = object()


class _Walk:
    """One fight on its way through its rounds."""

    __slots__ = ("died", "feats", "fight", "found", "number", "over", "people", "round", "rounds", "sides", "waits", "walked")

    def __init__(self, rounds: Rounds, fight: Fight) -> None:
        self.rounds = rounds
        self.fight = fight
        fighters = fight.fighters
        self.people = [rounds.person(fighter) for fighter in fighters]
        self.number = {fighter.profile.name: place for place, fighter in enumerate(fighters)}
        self.sides = [fighter.profile.side for fighter in fighters]
        self.feats = any(fighter.profile.feats for fighter in fighters)
        self.died: dict[int, int] = {}
        """The round in which a death was noticed."""
        self.round = fight.round
        self.found: Round | None = None
        """The unfinished round."""
        self.waits: list[Pending] = []
        self.over = False
        self.walked = False

    def run(self, until: int) -> Fight:
        """Plays round after round."""
        until = min(until, self.fight.rounds)
        known, people = self.rounds.rounds, self.people
        self._look()
        while self.round < until and not self.over:
            key = (self.round == 0, *[person.shown for person in people], *[person.dice for person in people])
            result = known.get(key, UNKNOWN)
            if result is UNKNOWN:
                result = known[key] = self.rounds.declared(self._put_back())
            if result is None:
                break
            self.round += 1
            self.walked = True
            if self._roll(result) or self._resolve(result):
                self.found = result
                break
            self._time(result)
        return self._put_back() if self.walked else self.fight

    def _look(self) -> None:
        """Whether only one side is left."""
        self.over = len({side for side, person in zip(self.sides, self.people, strict=True) if person.able}) < 2

    def _roll(self, item: Round) -> bool:
        """Rolls all blows; returns whether the fight has ended."""
        people, rounds = self.people, self.rounds
        luck = rounds.luck
        for place, person in enumerate(people):
            if not person.able:
                people[place] = person.idle or rounds.idle(person)
        self.waits = waits = []
        for place, turns, at in zip(item.who, item.rolls, range(len(item.who)), strict=True):
            person = people[place]
            turn = turns.get(person) or rounds.rolling(item, at, person)
            person, pending = turn.draw(luck)
            people[place] = person
            if pending is not None:
                waits.append(pending)
            if not person.able:  # by a weapon that kicks
                self._look()
        return self.over and not item.plain

    def _resolve(self, item: Round) -> bool:
        """Applies the sets by Speed; returns whether the fight ended within the round."""
        rounds, people, number = self.rounds, self.people, self.number
        blows, narrower, luck = rounds.blows, rounds.narrower, rounds.luck
        waits = self.waits
        while waits:
            top = max([wait.speed for wait in waits])
            before = people.copy()
            hit: list[str] = []
            fell = False
            for wait in waits:
                if wait.speed != top:
                    continue
                owner, target = number[wait.who], number[wait.act.target]
                result, now, victim = before[owner], people[owner], people[target]
                if not result.able or not before[target].able:
                    continue
                struck = blows.get((result.shown, now.shown, victim, wait)) or rounds.blow(result, now, victim, wait)
                shows, people[target], dice = struck.draw(luck) if isinstance(struck, Turn) else struck
                if shows is not None:
                    people[owner] = rounds.person(as_changed(people[owner].fighter, now.shown, shows))
                if victim.able and not people[target].able:
                    fell = True
                hit += [wait.act.target] * dice
            waits = [pending for pending in waits if pending.speed != top and people[number[pending.who]].able]
            for name in hit:
                for place, wait in enumerate(waits):
                    if wait.who == name:
                        left = narrower.get(wait, UNKNOWN)
                        if left is UNKNOWN:
                            left = rounds.with_die_lost(wait)
                        waits[place : place + 1] = () if left is None else (left,)
                        break
            if fell:
                self._look()
                if self.over and not item.plain:
                    self.waits = waits
                    return True
        self.waits = waits
        return False

    def _time(self, item: Round) -> None:
        """The end of the round."""
        people, rounds, luck = self.people, self.rounds, self.rounds.luck
        acted = dict(zip(item.who, item.plans, strict=True))
        fell = False
        for place, person in enumerate(people):
            plan = acted.get(place)
            known = person.older.get(plan is not None) or rounds.older(person, plan)
            after = known.draw(luck) if isinstance(known, Turn) else known
            if after is not person:
                people[place] = after
                fell = fell or after.able != person.able
            if self.feats and not after.able and place not in self.died and after.fighter.body.dead:
                self.died[place] = self.round
        if fell:
            self._look()

    def _put_back(self) -> Fight:
        """Restores the full fight at the start of a round or in an unfinished one."""
        fighters = [person.fighter for person in self.people]
        for place, number in self.died.items():
            fighters[place] = remembered(fighters[place], number)
        whole = replace(self.fight, fighters=tuple(fighters), round=self.round)
        if self.found is None:
            return whole
        return replace(whole, phase="resolve", plans=self.found.plans, pending=tuple(self.waits))
