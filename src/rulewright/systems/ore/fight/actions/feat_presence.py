"""Feat actions with voice and presence, other feats, and mounts (book lines 2990-3152, 3914, 4037-4047)."""

from collections.abc import Iterable

from msgspec.structs import replace

from rulewright.grammar import join
from rulewright.play import GAMEMASTER, Choice, Happened, Option, Play, Range, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.attacks import Attempt
from rulewright.systems.ore.combat.close_actions import Effect, charge_bonus
from rulewright.systems.ore.combat.fighters import REACH, Act, Fight, Fighter, Pending, Situation
from rulewright.systems.ore.drama.determination import speed_of
from rulewright.systems.ore.drama.points import YES_NO
from rulewright.systems.ore.fight.actions.base import Action, Declarable, Foe, Me, Names
from rulewright.systems.ore.fight.actions.feat_attacks import best_pool
from rulewright.systems.ore.fight.drama_points import rolls_for
from rulewright.systems.ore.fight.events import TestRolled
from rulewright.systems.ore.fight.feats.effects import knacks, rating_of, trait
from rulewright.systems.ore.fight.feats.sets import COWED
from rulewright.systems.ore.fight.resolution.movement import walks_up
from rulewright.systems.ore.fight.resolution.parley import morale_attack_on
from rulewright.systems.ore.fight.resolution.strikes import applied, marked
from rulewright.systems.ore.gear.armour import Hit
from rulewright.systems.ore.harm.body import Located
from rulewright.systems.ore.harm.wounds import staunched_one
from rulewright.systems.ore.log_phrases import verb
from rulewright.systems.ore.people.feat_effects import Does, feat_does, feat_named
from rulewright.systems.ore.people.feat_tests import brought, situations, written_difficulty, written_pool
from rulewright.systems.ore.people.pools import skill_pool, usable_pool
from rulewright.systems.ore.resolution.tests import Mod, Pool, dice_in, make_test


class Threaten(Action):
    """A threat during the fight with a feat: a Morale Attack with its set."""

    kind, label, did = "threaten", "Threaten", "threatens"
    verb, targeted, plain = "special", False, False
    pool, ability = "threat", "threatens in combat"

    def possible(self, rules: Ruleset, me: Me, foe: Foe) -> bool:
        return True

    def happens(self, rules: Ruleset, before: Fight, fight: Fight, pending: Pending) -> Play[tuple[Fight, Names]]:
        yield Tell(Happened(pending.who, f"{self.did} {pending.act.target}"))
        if not fight.able(pending.act.target):
            return fight, ()
        return (yield from morale_attack_on(rules, fight, pending.act.target, pending.width, pending.height)), ()


class Rack(Action):
    """Racks a shotgun: a Morale Attack of the Command rating without a roll."""

    kind, label, did = "rack", "Rack the shotgun at", "racks the shotgun at"
    verb, rolled, plain, ability = "special", False, True, "racks the gun"

    def possible(self, rules: Ruleset, me: Me, foe: Foe) -> bool:
        return True

    def at_once(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Play[Fight]:
        yield Tell(Happened(fighter.name, f"{self.did} {act.target}"))
        return (yield from morale_attack_on(rules, fight, act.target, fighter.profile.training.statistics.command, 1))


class Freeze(Action):
    """Command and Manipulate: a target with Psyche or Threat Rating below the Width can only defend this round."""

    kind, label, did = "freeze", "Freeze", "freezes"
    verb, targeted, pool, ability = "special", False, "threat", "freezes"
    used = "has stopped somebody"

    def possible(self, rules: Ruleset, me: Me, foe: Foe) -> bool:
        return (self.used, "") not in me.marks

    def happens(self, rules: Ruleset, before: Fight, fight: Fight, pending: Pending) -> Play[tuple[Fight, Names]]:
        group = fight.group(pending.act.target)
        strength = group.mob.threat if group is not None else fight.fighter(pending.act.target).profile.psyche
        fight = marked(fight, pending.who, self.used)
        stops = pending.width > strength
        yield Tell(
            Happened(
                pending.who,
                f"{self.did} {pending.act.target} with a {pending.width}x{pending.height}"
                if stops
                else f"fails to freeze {pending.act.target}",
            )
        )
        return (frozen(fight, (pending.act.target,)) if stops else fight), ()


class Crush(Action):
    """Command and Manipulate: all slower enemies stop, and lose a die if they attack later; once per session."""

    kind, label, did = "crush", "Threaten what they love", "threatens what they love"
    verb, targeted = "special", False
    used = "has threatened all"

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        return (self.one(),) if "stops all who are slower" in me.abilities and (self.used, "") not in me.marks and foes else ()

    def attempt(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Attempt:
        return Attempt(fighter.profile.threat.plus(Mod("threat to everything", -1, "ore-3.10-feat-reading-rules")))

    def happens(self, rules: Ruleset, before: Fight, fight: Fight, item: Pending) -> Play[tuple[Fight, Names]]:
        side = fight.side_of(item.who)
        slower = dict.fromkeys(
            [candidate.who for candidate in fight.pending if fight.side_of(candidate.who) != side and candidate.speed < item.speed]
        )
        stopped = []
        for name in slower:
            about = Situation(fight, item.who, rules)
            if (yield from Choice(GAMEMASTER, f"Does {name} have friends, family or anything dear?", YES_NO, about, "dear")):
                stopped.append(name)
        yield Tell(
            Happened(
                item.who,
                f"{self.did}: {join(stopped)} {'freezes' if len(stopped) == 1 else 'freeze'}" if stopped else f"{self.did} without effect",
            )
        )
        fight = marked(fight, item.who, self.used)
        for name in stopped:
            fight = marked(fight, name, COWED, item.who)
        return frozen(fight, tuple(stopped)), ()


def frozen(fight: Fight, names: tuple[str, ...]) -> Fight:
    """The fight without the non-defensive sets of these people."""
    return replace(fight, pending=tuple([candidate for candidate in fight.pending if candidate.who not in names or candidate.counters]))


class Riot(Action):
    """Careful shotgun fire: enemies who fail Command and Focus hide or drop prone this round."""

    kind, label, did = "riot control", "Pin the enemy down with careful shots", "pins the enemy down with careful shots"
    verb, rolled, alone, exposes = "special", False, True, True

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        return (self.one(),) if "suppresses with a shotgun" in me.abilities and me.loaded and foes else ()

    def at_once(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Play[Fight]:
        yield Tell(Happened(fighter.name, self.did))
        for name in fight.foes(fighter.side):
            group = fight.group(name)
            if group is not None:  # mooks have no Focus, and keep their heads down (ruling)
                fight = fight.put_group(replace(group, stunned=sum(group.mob.ratings)))
                yield Tell(Happened(name, f"{verb(name, 'keeps its head', 'keep their heads')} down", "bad"))
                continue
            person = fight.fighter(name).profile.training.person()
            pool = usable_pool(rules, skill_pool(rules, person, "focus", "command"))
            fight, outcome = yield from rolls_for(rules, fight, name, pool, what="keeping their nerve")
            if not outcome.success:
                covered = bool(fight.ground.cover)
                yield Tell(Happened(name, "hides behind cover" if covered else "drops prone", "bad"))
                fight = fight.change(name, diving=True) if covered else fight.change(name, downed=True)
                idle = tuple([replace(plan, acts=(Act("pass"),)) if plan.who == name else plan for plan in fight.plans])
                fight = replace(fight, plans=idle)
        return fight


class Instruct(Action):
    """Gives a clear order to own mooks: +1d on their next roll."""

    kind, label, did = "instruct", "Give a clear order to", "gives a clear order to"
    verb, rolled, plain = "help", False, True

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        return [self.at(name) for name in me.followers]

    def at_once(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Play[Fight]:
        group = fight.group(act.target)
        if group is None:
            return fight
        yield Tell(Happened(fighter.name, f"{self.did} {act.target}", "good"))
        return fight.put_group(replace(group, instructed=trait(rules, fighter, "mooks attack", "on a clear instruction").mods[0].dice))


# --- help without dice --------------------------------------------------------------------------------------------------------


class Staunch(Action):
    """Stops bleeding without a roll, with a feat."""

    kind, label, did = "staunch", "Stop the bleeding of", "stops the bleeding of"
    verb, rolled = "help", False

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        return [self.at(friend.name) for friend in me.friends if friend.bleeds] if "staunches" in me.abilities else ()

    def at_once(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Play[Fight]:
        if act.target != fighter.name:
            fight = yield from walks_up(rules, fight, fighter.name, act.target)
        if fight.distance(fighter.name, act.target) > REACH:
            yield Tell(Happened(fighter.name, f"cannot reach {act.target}"))
            return fight
        yield Tell(Happened(fighter.name, f"{self.did} {act.target}", "good"))
        return fight.change(act.target, body=staunched_one(fight.fighter(act.target).body))


class Resuscitate(Action):
    """Psyche and Medicine at Difficulty 7 for a friend who died at most Body rounds ago: heals one Kill."""

    kind, label, did = "resuscitate", "Revive", "revives"
    verb, targeted, begins, walks = "help", False, True, True

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        return [self.at(name) for name in me.fallen] if "resuscitates" in me.abilities else ()

    def attempt(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Attempt:
        return Attempt(best_pool(rules, fighter, ("medicine", "remedy"), "psyche"), 7)

    def happens(self, rules: Ruleset, before: Fight, fight: Fight, pending: Pending) -> Play[tuple[Fight, Names]]:
        patient = fight.fighter(pending.act.target)
        body = patient.body
        if not isinstance(body, Located) or fight.distance(pending.who, patient.name) > REACH:
            yield Tell(Happened(pending.who, f"cannot help {patient.name}"))
            return fight, ()
        slain = [part for part in body.parts if part.slain and part.location in ("head", "torso", "vital")]
        for part in slain:
            body = body.put(replace(part, kill=part.kill - 1))
        yield Tell(Happened(pending.who, f"{self.did} {patient.name}", "good"))
        return fight.put(replace(patient, body=body)), ()


# --- mounts -------------------------------------------------------------------------------------------------------------------

_MOUNTS: tuple[Option[int], ...] = (Option("riding horse", "A riding horse", 1), Option("warhorse", "A warhorse", 2))


class Overrun(Action):
    """Rides down an enemy: the mount's Body and Ride; Width in Kill and Shock, and a second set adds a charge bonus."""

    kind, label, did = "overrun", "Ride down", "rides down"
    verb, alone, ability = "attack", True, "rides people down"

    def possible(self, rules: Ruleset, me: Me, foe: Foe) -> bool:
        return foe.person

    def completed(self, rules: Ruleset, fight: Fight, name: str, act: Act) -> Play[Act]:
        ask = f"{name} rides down {act.target} at a gallop. What is the Body of the mount?"
        body = yield from Choice[int](GAMEMASTER, ask, Range(1, 10), Situation(fight, name, rules), "mount")
        return replace(act, times=body)

    def attempt(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Attempt:
        return Attempt(Pool(act.times + rating_of(rules, fighter, "ride")))

    def lands(self, rules: Ruleset, fight: Fight, item: Pending, width: int) -> Play[tuple[Fight, int]]:
        second = [candidate for candidate in fight.pending if candidate.who == item.who and candidate.act.spare == "overrun"]
        kill, shock = charge_bonus(rules, second[0].width) if second else (0, 0)
        yield Tell(Happened(item.who, f"{self.did} {item.act.target} with a {width}x{item.height}"))
        fight = replace(fight, pending=tuple([candidate for candidate in fight.pending if candidate not in second]))
        return (yield from applied(rules, fight, item, Effect(success=True, hit=Hit(width + kill, width + shock, width)))), 1


class Kick(Action):
    """The mount attacks besides its rider with its own Body and Fight."""

    kind, label, did = "kick", "Have the mount kick", "has the mount kick"
    verb, own_dice, free, ability = "attack", True, True, "mount kicks"

    def possible(self, rules: Ruleset, me: Me, foe: Foe) -> bool:
        return foe.person and foe.near

    def completed(self, rules: Ruleset, fight: Fight, name: str, act: Act) -> Play[Act]:
        about = Situation(fight, name, rules)
        more = yield from Choice(GAMEMASTER, f"What does {name} ride?", _MOUNTS, about, "mount")
        body = yield from Choice[int](GAMEMASTER, "What is the Body of the mount?", Range(1, 10), about, "mount")
        fights = yield from Choice[int](GAMEMASTER, "How well is the mount trained to kick? (1: not at all)", Range(1, 5), about, "mount")
        return replace(act, difficulty=more, times=body + fights)

    def rolls(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Play[Pending | None]:
        pool, what = Pool(act.times), "the mount's kick"
        outcome = yield from make_test(rules, pool, by=fighter.name, what=what)
        yield Tell(TestRolled(fighter.name, what, outcome.width, outcome.height, pool=pool, dice=dice_in(rules, pool)))
        if not outcome.success:
            yield Tell(Happened(fighter.name, f"{self.did}, but it misses"))
            return None
        return Pending(fighter.name, act, outcome.width, outcome.height, speed_of(rules, outcome.width, outcome.height))

    def lands(self, rules: Ruleset, fight: Fight, pending: Pending, width: int) -> Play[tuple[Fight, int]]:
        more = pending.act.difficulty
        yield Tell(Happened(pending.who, f"{self.did} {pending.act.target} with a {width}x{pending.height}"))
        return (yield from applied(rules, fight, pending, Effect(success=True, hit=Hit(width + more, width + more, width)))), 1


# --- feats by themselves ------------------------------------------------------------------------------------------------------


class UseFeat(Action):
    """Uses a feat without an action of its own: an automatic success, a test, or a decision of the Game Master."""

    kind, label, did = "feat", "Use a feat", "uses a feat"
    rolled, plain = False, True

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        return (self.one(),) if me.knacks else ()

    def completed(self, rules: Ruleset, fight: Fight, name: str, act: Act) -> Play[Act]:
        about = Situation(fight, name, rules)
        options = tuple([Option(feat, called, feat) for feat, called in knacks(rules, fight.fighter(name))])
        chosen = yield from Choice(name, "Which feat?", options, about, "feat")
        does = next(feat_doe for feat_doe in feat_does(rules, chosen) if feat_doe.test or feat_doe.sure or feat_doe.asks)
        called = feat_named(rules, chosen).name
        if does.test:
            need = yield from _difficulty(about, name, called, does)
            return Act("feat test", skill=chosen, difficulty=need)
        if does.sure:
            return Act("feat", skill=chosen)
        ask = f"{name} uses {called}. Decide {does.asks}. Does it succeed?"
        succeeds = yield from Choice(GAMEMASTER, ask, YES_NO, about, "feat")
        return Act("feat", skill=chosen, difficulty=1 if succeeds else 2)

    def at_once(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Play[Fight]:
        row = feat_named(rules, act.skill)
        does = next(feat_doe for feat_doe in feat_does(rules, act.skill) if feat_doe.sure or feat_doe.asks)
        text = does.sure or ("success" if act.difficulty == 1 else "no effect")
        yield Tell(Happened(fighter.name, f"uses {row.name}: {text}", "good" if act.difficulty == 1 else ""))
        return fight


def _difficulty(about: Situation, name: str, called: str, does: Does) -> Play[int]:
    """The Difficulty of a feat test: printed, by situation, or set by the Game Master."""
    ways = situations(does)
    if ways:
        options = tuple([Option(words, f"{words.capitalize()}: Difficulty {need}", need) for words, need in ways])
        return (yield from Choice(GAMEMASTER, f"{name} uses {called}. What is the situation?", options, about, "difficulty"))
    if does.asks:
        return (yield from Choice[int](GAMEMASTER, f"{name} uses {called}. Decide {does.asks}.", Range(1, 10), about, "difficulty"))
    return written_difficulty(does)


class FeatTest(Action):
    """The test of a feat with its own statistic and skill, and results by Width."""

    kind, label = "feat test", "Use a feat"
    targeted = False

    def attempt(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Attempt:
        does = next(feat_doe for feat_doe in feat_does(rules, act.skill) if feat_doe.test)
        return Attempt(written_pool(rules, fighter.profile.training.person(), does.test), act.difficulty)

    def happens(self, rules: Ruleset, before: Fight, fight: Fight, pending: Pending) -> Play[tuple[Fight, Names]]:
        does = next(feat_doe for feat_doe in feat_does(rules, pending.act.skill) if feat_doe.test)
        text = "; ".join(brought(does, pending.width)) or "success"
        yield Tell(
            Happened(pending.who, f"uses {feat_named(rules, pending.act.skill).name} ({pending.width}x{pending.height}): {text}", "good")
        )
        return fight, ()
