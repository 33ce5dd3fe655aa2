"""Feats and sets: copies, spare sets, protected sets, squad sets."""

from msgspec.structs import replace

from rulewright.dice.sets import Sets
from rulewright.grammar import the
from rulewright.play import Choice, Happened, Option, Play, Roll, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.fighters import Act, Fight, Fighter, Pending, Plan, Situation
from rulewright.systems.ore.fight.events import DieLost
from rulewright.systems.ore.fight.feats.effects import BLOWS, help_for, rating_of, trait, used_weapon
from rulewright.systems.ore.fight.resolution.parley import WARNED, counter_dice
from rulewright.systems.ore.log_phrases import action_name
from rulewright.systems.ore.people.feat_effects import Help
from rulewright.systems.ore.resolution.contests import spoiled_at
from rulewright.systems.ore.resolution.outcomes import sides

COWED = "was cowed by"
MOST_FLUNG = 3
"""The most spare sets used for further throws."""


def prepared(rules: Ruleset, fighter: Fighter, pending: Pending) -> Pending:
    """A waiting set with its protection by feats; one that waits for an opening comes last."""
    if pending.act.spare in ("riposte", "remise", "overrun"):
        pending = replace(pending, speed=(0,) * len(pending.speed))
    own = trait(rules, fighter, "hurt")
    sword = "sword sets lose no die" in own and pending.act.kind in BLOWS and "swords" in used_weapon(rules, fighter, pending.act).skills
    low = "low sets lose no die" in own and pending.height < rating_of(rules, fighter, "endurance")
    return replace(pending, steady=True) if sword or low else pending


def with_spare_sets(rules: Ruleset, fight: Fight, plan: Plan) -> Plan:
    """A plan with uses for spare sets: a riposte, a second try, further throws."""
    fighter = fight.fighter(plan.who)
    if not fighter.profile.feats:
        return plan
    more: list[Act] = []
    for act in plan.acts:
        given = help_for(rules, fight, fighter, act)
        more += _spare(rules, fight, fighter, act, given) if given.spare or act.kind == "overrun" else []
    return replace(plan, acts=(*plan.acts, *more)) if more else plan


def _spare(rules: Ruleset, fight: Fight, fighter: Fighter, act: Act, given: Help) -> list[Act]:
    if act.kind == "overrun":
        return [replace(act, spare="overrun")]
    if given.spare == "remise" and act.kind in BLOWS:
        return [replace(act, spare="remise")]
    if given.spare == "riposte" and act.kind == "parry":
        coming = [plan.who for plan in fight.plans if any(candidate.target == fighter.name for candidate in plan.acts)]
        near = [name for name in coming if fight.distance(fighter.name, name) <= 2]
        return [Act("attack", near[0], spare="riposte", when=act.when)] if near and fighter.weapon.close else []
    if given.spare == "fling" and act.kind == "attack":
        weapons = fighter.profile.weapons
        others = [
            place for place, weapon in enumerate(weapons) if weapon.kind == "thrown" and place not in (fighter.in_hand, *fighter.lost)
        ]
        return [replace(act, weapon=place, spare="fling") for place in others[:MOST_FLUNG]]
    return []


# --- copies -------------------------------------------------------------------------------------------------------------------

_RUN: tuple[Option[str], ...] = (
    Option("no", "No", ""),
    Option("at", "Run at the enemy", "at"),
    Option("away", "Run from the enemy", "away"),
)
_STUNT: tuple[Option[str], ...] = (
    Option("dodge", "Dodge", "dodge"),
    Option("strike", "Acrobatic strike", "strike"),
)


def twinned_by_feats(rules: Ruleset, fight: Fight, lies: list[Pending]) -> Play[tuple[Fight, list[Pending]]]:
    """The sets of a roll plus copies from feats, each once per round."""
    pendings, used = list(lies), set[str]()
    for pending in [lie for lie in lies if not lie.act.spare]:
        given = help_for(rules, fight, fight.fighter(pending.who), pending.act)
        for kind in [kind for kind in given.twin if kind not in used]:
            if kind == "acrobatic strike" and "dodge" in given.twin:
                continue  # the same copy, which is asked about once
            used.add(kind)
            fight, copy = yield from _copy_set(rules, fight, pending, kind, given)
            pendings += [copy] if copy is not None else []
    return fight, pendings


def _copy_set(rules: Ruleset, fight: Fight, pending: Pending, kind: str, given: Help) -> Play[tuple[Fight, Pending | None]]:
    """One copy of a set for another use."""
    about = Situation(fight, pending.who, rules)
    told = f"uses the {pending.width}x{pending.height} a second time"
    if kind == "dodge" and "acrobatic strike" in given.twin:
        chosen = yield from Choice(
            pending.who, f"Your {pending.width}x{pending.height} counts twice. What is the second use?", _STUNT, about, "twin"
        )
        kind = chosen if chosen == "dodge" else "acrobatic strike"
    if kind == "run":
        chosen = yield from Choice(
            pending.who, f"Your {pending.width}x{pending.height} can also be a run. Do you run?", _RUN, about, "twin"
        )
        if not chosen:
            return fight, None
        yield Tell(Happened(pending.who, f"{told}, to run"))
        return fight, replace(pending, act=Act("run", away=chosen == "away"), counters=False, place=0, needs=0)
    if kind == "dive":
        yield Tell(Happened(pending.who, f"{told}, to dive for cover"))
        return fight.change(pending.who, diving=True), replace(pending, act=Act("dive"), counters=True, place=0, needs=0)
    if kind == "acrobatic strike":
        yield Tell(Happened(pending.who, f"{told}, for an acrobatic strike"))
        return fight, replace(pending, act=replace(pending.act, charge=pending.width), place=0, needs=0)
    if kind == "attack":
        yield Tell(Happened(pending.who, f"{told}, with the other end"))
        return fight, replace(pending, place=0, needs=0)
    acts = {"dodge": Act("dodge"), "counter": Act("ward", pending.act.target), "counter shots": Act("wall of lead", pending.act.target)}
    yield Tell(Happened(pending.who, f"{told}, as counter dice"))
    return fight, replace(pending, act=acts[kind], counters=True, place=0, needs=0)


# --- words that weigh on sets -------------------------------------------------------------------------------------------------


def daunted(rules: Ruleset, fight: Fight, pending: list[Pending]) -> Play[list[Pending]]:
    """Applies warnings in the first round, and the effect of Crush on attackers."""
    for fighter in fight.fighters:
        for word, about in fighter.marks:
            if word == WARNED and fight.round == 1:
                pending = yield from _apply_warning(rules, fight, pending, fighter, about)
            elif word == COWED:
                pending = yield from _apply_cowing(rules, fight, pending, fighter.name, about)
    return pending


def _apply_warning(rules: Ruleset, fight: Fight, pending: list[Pending], by: Fighter, name: str) -> Play[list[Pending]]:
    """A warning rolls Counter Dice against the fastest set of the warned; if spoiled, they give up."""
    own = [candidate for candidate in pending if candidate.who == name and not candidate.counters]
    if not own:
        return pending
    first = max(own, key=lambda item: item.speed)
    fell = yield from Roll(Sets(counter_dice(rules, by), sides(rules), loose=True), by.name, "a warning")
    width = first.width - sum([many for many, face in fell if face >= first.height])
    if width == first.width:
        yield Tell(Happened(name, f"ignores the warning of {by.name}"))
        return pending
    left = width > spoiled_at(rules)
    yield Tell(Happened(name, f"hesitates: a {width}x{first.height} is left" if left else "heeds the warning and does not act", "bad"))
    return [replace(candidate, width=width) if candidate is first else candidate for candidate in pending if candidate is not first or left]


def _apply_cowing(rules: Ruleset, fight: Fight, pending: list[Pending], name: str, by: str) -> Play[list[Pending]]:
    """An attacker who was cowed loses a die of the fastest set."""
    own = [candidate for candidate in pending if candidate.who == name and not candidate.counters]
    if not any(candidate.act.target == by for candidate in own):
        return pending
    first = max(own, key=lambda item: item.speed)
    left = first.width - 1 > spoiled_at(rules)
    yield Tell(DieLost(name, the(action_name(first.act.kind)), first.width, first.height, first.width - 1 if left else 0))
    return [
        replace(candidate, width=candidate.width - 1) if candidate is first else candidate
        for candidate in pending
        if candidate is not first or left
    ]


# --- squads -------------------------------------------------------------------------------------------------------------------


def squads(rules: Ruleset, fight: Fight, pending: list[Pending]) -> list[Pending]:
    """All attacks of a squad have the Speed of its fastest; equal sets at one target merge."""
    if not fight.with_feats:
        return pending
    joined = [
        candidate
        for candidate in pending
        if fight.group(candidate.who) is None
        and candidate.act.kind in BLOWS
        and "as fast as the squad" in help_for(rules, fight, fight.fighter(candidate.who), candidate.act)
    ]
    for side in dict.fromkeys([fight.side_of(candidate.who) for candidate in joined]):
        own = [candidate for candidate in joined if fight.side_of(candidate.who) == side]
        if len({candidate.who for candidate in own}) < 2:
            continue
        fastest = max([candidate.speed for candidate in own])
        pending = [replace(candidate, speed=fastest) if candidate in own else candidate for candidate in pending]
        pending = _merge_sets(pending, {candidate.who for candidate in own})
    return pending


def _merge_sets(pending: list[Pending], names: set[str]) -> list[Pending]:
    """Equal sets of different members at one target as one."""
    pendings: list[Pending] = []
    widths: dict[int, int] = {}
    for candidate in pending:
        same = [
            item
            for item in pendings
            if item.who != candidate.who
            and {item.who, candidate.who} <= names
            and item.act.kind in BLOWS
            and candidate.act.kind in BLOWS
            and (item.act.target, item.height) == (candidate.act.target, candidate.height)
            and widths[pendings.index(item)] == candidate.width
        ]
        if same:
            pendings[pendings.index(same[0])] = replace(same[0], width=same[0].width + candidate.width)
        else:
            widths[len(pendings)] = candidate.width
            pendings.append(candidate)
    return pendings
