"""Everybody rolls at once; of what they roll, only so much is told apart as can matter to what one of them has declared.

For the chances beside options: with the sets of whoever is asked, those of the others fall into few classes. A slower set comes too late
to matter, a defence that reaches nothing is none, one that stops the blow stops it whatever it shows, and where nobody answers a blow its
Height says no more than where it strikes. The classes are worked out here; what comes of each the round itself says.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from rulewright.play import Sub, sub
from rulewright.play.odds import Odds
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.fighters import Act, Fight, Pending, Plan
from rulewright.systems.ore.drama.determination import Cast, Determined, Timed, determine, in_time
from rulewright.systems.ore.fight.actions.registry import action_of, in_one_roll
from rulewright.systems.ore.fight.at_work import POWER_KINDS
from rulewright.systems.ore.fight.feat_sets import COWED
from rulewright.systems.ore.fight.feats import help_for, trait
from rulewright.systems.ore.fight.parley import WARNED
from rulewright.systems.ore.fight.strikes import weapon_of
from rulewright.systems.ore.harm.locations import anatomy, uses_locations
from rulewright.systems.ore.resolution.contests import spoiled_at

Sets = tuple[Timed | None, ...]
Joint = tuple[Sets, ...]
"""The sets of everybody so far, in the order in which they are looked at."""
GUARDS = ("dodge", "parry")
Solve = Callable[[Sub[Any]], Odds[Any]]
LOOKED_AT = ("dive", "water dance")
"""What counts from the moment at which it is rolled."""


def folded(rules: Ruleset, fight: Fight, who: str, part: Sub[Any], before: tuple[Any, ...], solve: Solve) -> Odds[Any] | None:
    """What everybody rolls, as far as it can matter to what comes of somebody's actions; None where it has to be looked at in full."""
    if part.procedure is not determine or not any(cast.who == who for cast in fight.casts) or not _simple_round(rules, fight):
        return None
    people, casts = _People(rules, fight, who), part.arguments[1]
    if casts == fight.casts:
        return _all_at_once(people, solve)
    return _rolled_again(people, casts[0], before[0], solve) if before and casts[0].who != who else None


def _all_at_once(people: "_People", solve: Solve) -> Odds[Any] | None:
    """What everybody rolls."""
    joint: dict[Joint, int] = {(): 1}
    total, paths, casts = 1, 0, people.fight.casts
    for name in people.order:
        rolled = _by_sets(people, next(cast for cast in casts if cast.who == name), solve)
        grown: dict[Joint, int] = {}
        for before, ways in joint.items():
            beside = people.beside(before, name)
            for sets, weight in rolled:
                after = (*before, beside(sets))
                grown[after] = grown.get(after, 0) + ways * weight
        joint, total, paths = grown, total * rolled.total, paths + rolled.paths
        if rolled.unsettled:
            return None
    return Odds(joint, total, 0, paths).map(lambda each: _as_rolled(people.in_order(people.levelled(each))))


def _rolled_again(people: "_People", cast: Cast, first: Determined, solve: Solve) -> Odds[Any]:
    """What somebody rolls who rolls once more, beside what the others have."""
    own = first.sets[[each.who for each in people.fight.casts].index(people.who)]
    others = [name for name in people.order[1:] if name != cast.who]
    if any(act.target == cast.who for name in others for act in people.acts[name]):
        return solve(sub(determine, people.rules, (cast,), ""))
    beside = people.beside((own,), cast.who)
    known = dict(zip([each.who for each in people.fight.casts], first.sets, strict=True))

    def matters(sets: Sets) -> Determined:
        joint = tuple([beside(sets) if name == cast.who else known[name] for name in people.order])
        return _as_rolled((people.placed(joint, cast.who),))

    return _by_sets(people, cast, solve).map(matters)


def _by_sets(people: "_People", cast: Cast, solve: Solve) -> Odds[Sets]:
    """What one of them rolls, by the sets alone."""
    rolled: Odds[Determined] = solve(sub(determine, people.rules, (cast,), ""))
    return rolled.map(lambda determined: determined.sets[0])


def _as_rolled(joint: Joint) -> Determined:
    """Sets in the order of the casts, as the round takes them; which bullets are spent on them does not matter to them."""
    return Determined(joint, "", (0,) * len(joint), (None,) * len(joint))


def _simple_round(rules: Ruleset, fight: Fight) -> bool:
    """Whether nothing is done in this round that looks at sets in a way of its own: powers, feats, Drama Points, held blows."""
    acts = [act for plan in fight.plans for act in plan.acts]
    if fight.powers or any(act.kind in POWER_KINDS or act.wait or act.spare for act in acts):
        return False
    if any(fighter.drama for fighter in fight.fighters) or any(cast.burns or cast.again for cast in fight.casts):
        return False
    daunted = any(word in (WARNED, COWED) for fighter in fight.fighters for word, _ in fighter.marks)
    return not daunted and not any(_looks_at_sets(rules, fight, plan) for plan in fight.plans if fight.group(plan.who) is None)


HARM_ALONE = frozenset(
    [
        "not for mooks",
        "width twice",
        "bare width",
        "kill at least width",
        "width kill through armour",
        "no kill",
        "no shock",
        "shock at least width",
        "hits twice",
        "aim is kept",
        "kill",
        "shock",
        "pen",
        "armour ignored",
        "least kill",
        "least shock",
        "wound threshold",
        "dice lost",
        "shock ignored",
        "reach",
        "recoil",
        "charges",
        "half charges",
    ]
)
"""What feats change of the harm that a blow does, and of nothing that is done with sets."""


def _looks_at_sets(rules: Ruleset, fight: Fight, plan: Plan) -> bool:
    """Whether feats do anything with the sets of somebody, or of those who meet him, beside what these count for."""
    fighter = fight.fighter(plan.who)
    if not fighter.profile.feats:
        return False
    for given in (trait(rules, fighter, "hurt"), *[help_for(rules, fight, fighter, act) for act in plan.acts]):
        if given.twin or given.spare or not given.flags | {name for name, _ in given.amounts} <= HARM_ALONE:
            return True
    return False


@lru_cache(maxsize=64)
def _struck(rules: Ruleset) -> dict[int, int]:
    """For each Height one that stands for all that strike the same part of the body."""
    return {height: part.heights[0] for part in anatomy(rules) for height in part.heights}


def _idle(one: Timed) -> Timed:
    """A set that is there, and comes to nothing."""
    return Timed(2, 1, (0,) * len(one.speed))


class _People:
    """Who is looked at, in which order, and what of their sets matters to one of them."""

    def __init__(self, rules: Ruleset, fight: Fight, who: str) -> None:
        self.rules, self.fight, self.who = rules, fight, who
        plans = {plan.who: plan for plan in fight.plans}
        self.acts = {cast.who: in_one_roll(plans[cast.who]) for cast in fight.casts}
        self.plain = {name: all(self._plain(name, act) for act in acts) for name, acts in self.acts.items()}
        self.touching = self._touching(plans)
        others = [cast.who for cast in fight.casts if cast.who != who]
        self.order = (who, *sorted(others, key=lambda name: any(action_of(act).counters for act in self.acts[name])))
        self.heights = self._heights()
        self.hurried = {group.side for group in fight.groups if group.able}
        self._timely: dict[Any, Sets] = {}
        self._fits: dict[Any, bool] = {}
        self.guarded = {name for name, acts in self.acts.items() if any(action_of(act).counters for act in acts)}

    def in_order(self, joint: Joint) -> Joint:
        """Sets in the order of the casts."""
        found = dict(zip(self.order, joint, strict=True))
        return tuple([found[cast.who] for cast in self.fight.casts])

    def _plain(self, who: str, act: Act) -> bool:
        """Whether an act is a single blow at somebody, or a guard: nothing that touches anybody else."""
        if act.kind in GUARDS:
            return True
        action = action_of(act)
        if not (action.blow and action.targeted and act.target) or act.mode != "single" or act.off_hand or act.charge:
            return False
        weapon = weapon_of(self.rules, self.fight, Pending(who, act, 2, 1, (2,)), action.bare)
        return not weapon.area and not weapon.burns

    def _touching(self, plans: dict[str, Plan]) -> set[str]:
        """Those whose doings can reach whoever is asked about, or whom he reaches for; others are left out."""
        found = {self.who, *[act.target for act in self.acts[self.who]]}
        found |= {name for name, plain in self.plain.items() if not plain}
        while True:
            more = {plan.who for plan in plans.values() if any(act.target in found for act in plan.acts)} - found
            if not more:
                return found
            found |= more

    def _heights(self) -> str:
        """What the Height of a blow says that nobody answers: where it strikes, nothing, or all that it may mean."""
        if self.rules.word("speed") != "width" or any(fighter.cover.any for fighter in self.fight.fighters) or not self.fight.bare:
            return "all"
        if not uses_locations(self.rules):
            return "nothing"
        return "places" if self.rules.word("hit-location") == "height" else "all"

    # one after the other

    def beside(self, before: Joint, name: str) -> Callable[[Sets], Sets]:
        """What of the sets of one more of them can matter beside what is known so far."""
        if not before:
            return lambda sets: sets
        own = self._attacks(self.who, before[0])
        acts, lucky = self.acts[self.who], bool(self.fight.fighter(self.who).luck)
        tries = any(not action_of(act).counters for act in acts)
        if (tries and not own and not lucky) or name not in self.touching:
            return lambda sets: self._without(name, sets)
        slowest = min([one.speed for _, one in own]) if own else None
        guards = any(act.kind in GUARDS for act in self.acts[name]) and self.plain[name] and self._all_known(before, name)
        coming = self._coming(before, name) if guards else []

        def matters(sets: Sets) -> Sets:
            known = self._timely.get((name, slowest, sets))
            if known is None:
                kept = [self._in_time(name, act, one, slowest) for act, one in zip(self.acts[name], sets, strict=False)]
                known = self._timely[name, slowest, sets] = tuple(kept)
            return self._guarding(coming, name, known) if guards else known

        return matters

    def _without(self, name: str, sets: Sets) -> Sets:
        """No sets at all, of somebody whose sets do not matter."""
        return tuple([None if one is None else self._nothing(name, one) for one in sets]) if self.fight.fighter(name).luck else ()

    def _attacks(self, name: str, sets: Sets) -> list[tuple[Act, Timed]]:
        return [(act, one) for act, one in zip(self.acts[name], sets, strict=False) if one is not None and not action_of(act).counters]

    def _in_time(self, name: str, act: Act, one: Timed | None, slowest: tuple[int, ...] | None) -> Timed | None:
        """A set of somebody else; one that comes later is nothing, unless who guards against it spares dice for it."""
        if one is None or slowest is None or action_of(act).counters or act.kind in LOOKED_AT or one.speed >= slowest:
            return one
        return _idle(one) if act.target in self.guarded or not act.target else self._nothing(name, one)

    def _nothing(self, name: str, one: Timed) -> Timed | None:
        """What stands for a set that does not matter: none, or for the lucky one that does nothing, since they roll again without any."""
        return _idle(one) if self.fight.fighter(name).luck else None

    def _guarding(self, coming: list[tuple[str, Act, Timed]], name: str, sets: Sets) -> Sets:
        """The sets of somebody, whose guard is nothing where it reaches nothing, and just enough where it stops the one blow that comes."""
        acts = self.acts[name]
        guards = [place for place, act in enumerate(acts[: len(sets)]) if act.kind in GUARDS and sets[place] is not None]
        if len(guards) != 1:
            return sets
        place = guards[0]
        guard = sets[place]
        assert guard is not None
        attacks = self._attacks(name, sets)
        if any(one.speed != (0,) * len(one.speed) for _, one in attacks) and any(by != self.who for by, _, _ in coming):
            return sets  # a hit costs him a die of either
        reached = [each for each in coming if self._reaches(name, acts[place], guard, *each)]
        if not reached:
            return (*sets[:place], self._nothing(name, guard), *sets[place + 1 :])
        if len(coming) > 1:
            return sets
        blow = coming[0][2]
        enough = min(guard.width, max(blow.width - spoiled_at(self.rules), 1))
        return (*sets[:place], Timed(enough, blow.height, (99,) * len(blow.speed)), *sets[place + 1 :])

    def _reaches(self, name: str, act: Act, guard: Timed, by: str, attack: Act, one: Timed) -> bool:
        """Whether a guard can answer a set."""
        if guard.height < one.height or not in_time(self.rules, guard.speed, one.speed):
            return False
        fits = self._fits.get((name, act, by, attack))
        if fits is None:
            against, own = Pending(by, attack, *one), Pending(name, act, *guard, counters=True)
            weapon = weapon_of(self.rules, self.fight, against, action_of(attack).bare)
            fits = self._fits[name, act, by, attack] = action_of(act).answers(self.rules, self.fight, against, own, weapon)
        return fits

    def _all_known(self, before: Joint, name: str) -> bool:
        """Whether everybody has been looked at who may strike at somebody."""
        if self.hurried - {self.fight.side_of(name)}:
            return False
        unknown = [other for other in self.order[len(before) + 1 :] if other in self.touching]
        return all(act.target != name for other in unknown for act in self.acts[other]) and all(self.plain[other] for other in unknown)

    def _coming(self, joint: Joint, name: str) -> list[tuple[str, Act, Timed]]:
        """The sets that come at somebody in time, and whose they are."""
        return [
            (by, act, one)
            for by, sets in zip(self.order, joint, strict=False)
            for act, one in self._attacks(by, sets)
            if by != name and (act.target == name or not self.plain[by])
        ]

    # all together

    def levelled(self, joint: Joint) -> Joint:
        """All sets; of a blow that nobody answers the Height says where it strikes, and one that is stopped is a blow that is stopped."""
        if all(act.kind in GUARDS for act in self.acts[self.who]) and self._all_known(joint, self.who):
            joint = (self._guarding(self._coming(joint, self.who), self.who, joint[0]), *joint[1:])
        return self._stopped(tuple([self.placed(joint, name) for name in self.order]))

    def placed(self, joint: Joint, name: str) -> Sets:
        """The sets of one of them, with Heights that stand for all that come to the same."""
        sets = joint[self.order.index(name)]
        if name != self.who and not self.plain[name]:
            return sets
        if len([one for one in sets if one is not None]) > 1 and any(by != self.who for by, _, _ in self._coming(joint, name)):
            return sets  # of which a hit takes a die is said by their Heights
        acts = zip(self.acts[name], sets, strict=False)
        return tuple([one if one is None or action_of(act).counters else self._blow(joint, name, act, one) for act, one in acts])

    def _blow(self, joint: Joint, name: str, act: Act, one: Timed) -> Timed:
        if self.heights == "all" or self.fight.group(act.target) is not None or one.speed[0] == 0 or self._answered(joint, name, act):
            return one
        action = action_of(act)
        if not self._plain(name, act):
            return one._replace(height=1) if name == self.who and (action.by_width or not action.targeted) else one
        if act.location is not None:
            return one
        return one._replace(height=_struck(self.rules).get(one.height, one.height) if self.heights == "places" else 1)

    def _answered(self, joint: Joint, name: str, act: Act) -> bool:
        """Whether anybody has a set that might be put against an action."""
        target = joint[self.order.index(act.target)] if act.target in self.order else ()
        theirs = zip(self.acts.get(act.target, ()), target, strict=False)
        return any(one is not None and action_of(own).counters for own, one in theirs) or any(
            each.act.target == name for each in self._held(joint)
        )

    def _held(self, joint: Joint) -> list[Pending]:
        """Guards of other kinds, which may answer whoever they are put against."""
        return [
            Pending(name, act, one.width, one.height, one.speed, counters=True)
            for name, sets in zip(self.order, joint, strict=True)
            for act, one in zip(self.acts[name], sets, strict=False)
            if one is not None and action_of(act).counters and act.kind not in GUARDS
        ]

    def _stopped(self, joint: Joint) -> Joint:
        """The one blow of the round and the one guard that stops it, as any blow and any guard that does."""
        blows = [(name, act, one) for name, sets in zip(self.order, joint, strict=True) for act, one in self._attacks(name, sets)]
        if len(blows) != 1 or blows[0][1].target not in self.order or not self.plain[blows[0][0]]:
            return joint
        who, act, one = blows[0]
        by, at = self.order.index(who), self.order.index(act.target)
        guards = [each for each in joint[at] if each is not None]
        if len(guards) != 1 or guards[0].speed[0] != 99 or guards[0].width < max(one.width - spoiled_at(self.rules), 1):
            return joint
        if act.location is not None or len([each for each in joint[by] if each is not None]) > 1:
            return joint
        found = list(joint)
        found[by] = tuple([None if each is None else Timed(2, 1, (2,) * len(one.speed)) for each in joint[by]])
        found[at] = tuple([None if each is None else Timed(2, 1, (99,) * len(one.speed)) for each in joint[at]])
        return tuple(found)
