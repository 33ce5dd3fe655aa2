"""Possible rolls of a round for one question: who matters, what they roll, and which results are equivalent."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from msgspec.structs import replace

from rulewright.play import Play, Verdict, sub
from rulewright.play.odds import Odds
from rulewright.rules import Ruleset
from rulewright.scenes.evaluation import watched
from rulewright.scenes.scene import Followed, Scene, Solve
from rulewright.systems.ore.combat.fighters import Act, Fight, Fighter, Group, Pending
from rulewright.systems.ore.drama.determination import Cast, determine
from rulewright.systems.ore.fight.actions.registry import action_of, in_one_roll, rolled
from rulewright.systems.ore.fight.drama_points import Fell
from rulewright.systems.ore.fight.forecast.applicability import Unsaid, Unseen, leaves_it
from rulewright.systems.ore.fight.forecast.drama_points import rolls_against, slipped_blindly
from rulewright.systems.ore.fight.forecast.mook_rolls import fall_of_mooks
from rulewright.systems.ore.fight.forecast.other_sets import ALONE
from rulewright.systems.ore.fight.resolution.mooks import mooks_attack
from rulewright.systems.ore.fight.resolution.strikes import weapon_of
from rulewright.systems.ore.fight.rounds import made_of, people
from rulewright.systems.ore.harm.locations import anatomy, uses_locations
from rulewright.systems.ore.resolution.outcomes import sides

Sets = tuple[Pending, ...]
"""What waits of one person, or of a group of mooks."""
Weights = dict[Sets, int]
GUARDS = ("dodge", "parry")


def _alone(rules: Ruleset, fight: Fight, cast: Cast, question: Followed) -> "Play[Verdict | tuple[Any, Verdict | None]]":
    """Evaluates the roll of one person, whatever the others roll: how he is then, and the sets."""
    return (yield from watched(_falls(rules, fight, cast), question, None))


def _falls(rules: Ruleset, fight: Fight, cast: Cast) -> Play[tuple[Fighter, Sets]]:
    fell = yield from sub(determine, rules, (cast,), "")
    fight, lies = yield from made_of(rules, fight, cast, Fell(fell.sets[0], fell.waste[0], fell.lying[0]))
    return fight.fighter(cast.who), tuple(lies)


def _of_mooks(rules: Ruleset, fight: Fight, name: str) -> Play[Sets]:
    """The sets of a group of mooks."""
    group = fight.group(name)
    assert group is not None
    return tuple((yield from mooks_attack(rules, fight, group)))


class Fallen(NamedTuple):
    """What somebody's dice came to: out of how many rolls, what was settled at once, and how he is then with the sets that he may have."""

    total: int
    ended: dict[Verdict, int]
    known: dict[tuple[Fighter, Verdict | None], Weights]
    late: bool


class Rolling:
    """A round from the roll on, for one question; `spender` is who would spend Drama Points on the sets of others, or keep his own."""

    def __init__(self, scene: Scene[Fight], fight: Fight, question: Followed, solve: Solve, spender: Fighter | None = None) -> None:
        self.scene, self.rules, self.question, self.solve = scene, scene.rules, question, solve
        self.who, self.fight, self.spender = question.who, fight, spender
        self.acts = {plan.who: in_one_roll(plan) for plan in people(fight)}
        self.plain = {name: all(self._plain(name, act) for act in acts) for name, acts in self.acts.items()}
        self.order = [*[cast.who for cast in fight.casts], *[group.name for group in fight.groups]]
        self.held = any(act.kind not in GUARDS and action_of(act).counters for acts in self.acts.values() for act in acts)
        self.guarded = {name for name, acts in self.acts.items() if any(action_of(act).counters for act in acts)}
        self.heights = self._heights()
        self.many = {group.name for group in fight.groups if self._too_many(group)}
        """Groups of mooks of whom some are left whatever happens, and who lose no dice."""
        simple = self.rules.on("simple-mooks")
        self.whole = {group.name for group in fight.groups if group.name in self.many and (simple or group.mob.threat == 1)}
        """Those of them whom a blow takes out or leaves unhurt: what others do to them makes no difference to the next blow."""
        self.actors, self.matter = self._who_matters()
        self.struck = {height: part.heights[0] for part in anatomy(self.rules) for height in part.heights}
        """For each Height one that stands for all that strike the same part of the body."""

    # who matters

    def _plain(self, who: str, act: Act) -> bool:
        """Whether an act is a blow at somebody, or a guard: nothing that touches anybody else."""
        if act.kind in GUARDS:
            return True
        action = action_of(act)
        if not (action.blow and action.targeted and act.target) or act.mode == "suppressive" or act.off_hand or act.charge:
            return False
        weapon = weapon_of(self.rules, self.fight, Pending(who, act, 2, 1, (2,)), action.bare)
        return not weapon.area and not weapon.burns

    def _reached_by(self, who: str, act: Act) -> str:
        """Whom an act can do something to: its target, himself, or nobody named where it may be anybody."""
        return act.target if self._plain(who, act) else who if act.kind in ALONE else ""

    def _too_many(self, group: Group) -> bool:
        """Whether more mooks are in a group than plain blows are aimed at it, each of which takes out one at most."""
        blows = [act for acts in self.acts.values() for act in acts if act.target == group.name]
        return all(self.plain.values()) and group.mob.number > len(blows) and not self.rules.on("mooks-lose-dice")

    def _who_matters(self) -> tuple[set[str], set[str]]:
        """The people whose sets can reach the subject, those he reaches for, or others whose sets can; and all of these."""
        doing: dict[str, frozenset[str]] = {}
        for plan in people(self.fight):
            acts = rolled(plan)
            doing[plan.who] = frozenset([self._reached_by(plan.who, act) for act in acts if not action_of(act).counters])
        for group in self.fight.groups:
            foes = [fighter.name for fighter in self.fight.fighters if fighter.side != group.side]
            doing[group.name] = frozenset(foes if group.able else ())
        self.doing = doing
        return self._reach(self.fight, doing, self._goals_of(self.who), self.guarded)

    def _goals_of(self, who: str) -> set[str]:
        acts = [act for act in self.acts.get(who, ()) if not action_of(act).counters]
        return {name for act in acts for name in (act.target, act.also) if name}

    def _reach(self, fight: Fight, doing: dict[str, frozenset[str]], goals: set[str], guards: set[str]) -> tuple[set[str], set[str]]:
        """The people whose sets matter, and those who matter, where these have sets aimed at these (nobody named: at anybody), and the
        subject has goals. Where a goal may fall to others, it matters whether anybody of its side is left."""
        goals = set() if self.question.guards else goals
        matter, actors = {self.who, *goals}, {self.who}
        others = [aims for name, aims in doing.items() if name != self.who]
        mortal = goals - self.many
        if any(not fight.able(goal) or any(goal in aims or "" in aims for aims in others) for goal in mortal):
            sides = {fight.side_of(goal) for goal in goals}
            matter |= {fighter.name for fighter in fight.fighters if fighter.side in sides}
            matter |= {group.name for group in fight.groups if group.side in sides}
        while True:
            reached = matter - (self.many - (goals - self.whole))
            more = {name for name, aims in doing.items() if "" in aims or aims & reached or (name in matter and name in guards)}
            if more <= actors and actors <= matter:
                return actors, matter
            actors |= more
            matter |= actors

    def _heights(self) -> str:
        """The meaning of a blow's Height that nobody answers: "places" (where it strikes), "nothing", or "all"."""
        if self.rules.word("speed") == "height":
            return "all"
        if not uses_locations(self.rules):
            return "nothing"
        return "places" if self.rules.word("hit-location") == "height" else "all"

    # what they roll

    def _fallen(self, cast: Cast) -> Fallen:
        """The results of a person's roll; the effect on himself (luck spent, a weapon that kicks) is known at once."""
        return self._all_levelled(self._as_fell(cast))

    def _as_fell(self, cast: Cast) -> Fallen:
        odds = self._rolls(cast)
        was, fallen = self.fight.fighter(cast.who), Fallen(odds.total, {}, {}, bool(odds.unsettled))
        for result, weight in odds:
            if isinstance(result, Verdict):
                fallen.ended[result] = fallen.ended.get(result, 0) + weight
                continue
            (fighter, sets), at_once = result
            weights = fallen.known.setdefault((replace(fighter, spent=was.spent), at_once), {})
            weights[sets] = weights.get(sets, 0) + weight
        return fallen

    def _all_levelled(self, fallen: Fallen) -> Fallen:
        return fallen._replace(
            known={key: summed((self._levelled(sets), n) for sets, n in ways.items()) for key, ways in fallen.known.items()}
        )

    def _rolls(self, cast: Cast) -> Odds[Any]:
        """The odds of a person's roll: the same whatever the subject has declared, unless he looks at that."""
        if cast.blessed and leaves_it(self.fight.fighter(cast.who), self.solve):
            cast = replace(cast, blessed=False)
        if cast.waste and cast.actions > 1:
            cast = replace(cast, waste=False)  # it says no more than how many bullets are gone after this round
        if cast.who != self.who and not self.question.guards:
            unsaid = tuple([replace(plan, acts=Unsaid()) if plan.who == self.who else plan for plan in self.fight.plans])
            casts = tuple([candidate for candidate in self.fight.casts if candidate.who != self.who])
            try:
                return self.solve(sub(_alone, self.rules, replace(self.fight, plans=unsaid, casts=casts), cast, self.question))
            except Unseen:
                pass
        return self.solve(sub(_alone, self.rules, self.fight, cast, self.question))

    def _slipped(self, fallen: Fallen, spender: Fighter) -> Fallen:
        """The same, less what somebody's points make slip."""
        falls = tuple(dict.fromkeys([sets for weights in fallen.known.values() for sets in weights]))
        fight = replace(self.fight, plans=(), casts=())
        odds = self.solve(sub(slipped_blindly, self.rules, fight, falls, spender))
        if len(odds.weights) != 1:
            return fallen._replace(late=True)
        (result,) = odds.weights
        left = dict(zip(falls, result, strict=True))
        return fallen._replace(known={key: summed((left[sets], n) for sets, n in ways.items()) for key, ways in fallen.known.items()})

    def _fallen_of_all(self, name: str, cast: Cast | None) -> "tuple[tuple[int, list[tuple[Fighter | Group, Weights]]], bool]":
        """The sets of somebody else with the number of rolls, less what another's points make slip; and whether there was no time."""
        if cast is None:
            return (1, [(self.fight.fighter(name), {(): 1})]), False
        if self.spender is None or name not in rolls_against(self.fight, self.spender):
            fallen = self._fallen(cast)
            return (fallen.total, [(fighter, weights) for (fighter, _), weights in fallen.known.items()]), fallen.late
        own = next((candidate for candidate in self.fight.casts if candidate.who == self.spender.name), None)
        before = self._fallen(own) if own is not None else Fallen(1, {}, {(self.spender, None): {(): 1}}, late=False)
        left: dict[Fighter, int] = {}
        for (spender, _), weights in before.known.items():
            like = replace(self.spender, body=replace(self.spender.body, drama=spender.body.drama))
            left[like] = left.get(like, 0) + sum(weights.values())
        fell, number_by_pendings_by_fighter = self._as_fell(cast), dict[Fighter, Weights]()
        late = before.late or fell.late
        for spender, times in left.items():
            fallen = self._all_levelled(self._slipped(fell, spender))
            late |= fallen.late
            for (fighter, _), weights in fallen.known.items():
                into = number_by_pendings_by_fighter.setdefault(fighter, {})
                for sets, weight in weights.items():
                    into[sets] = into.get(sets, 0) + weight * times
        return (before.total * fell.total, [*number_by_pendings_by_fighter.items()]), late

    def _mooks_roll(self, group: Group) -> bool:
        """Whether a group of mooks has sets that can matter."""
        against = [name for name in self.matter if self.fight.group(name) is None and self.fight.side_of(name) != group.side]
        return group.able and bool(against) and any(plan.who == group.name for plan in self.fight.plans)

    def _mooks_fallen(self, name: str) -> tuple[int, Weights, bool]:
        """The sets that a group of mooks may have rolled, out of how many rolls, and whether there was no time for all of it; what they
        do to others does not matter."""
        odds, loses = self._fall_of(name), self._loses_dice(name)
        weights: Weights = {}
        for sets, weight in odds:
            kept = sets if loses else self._levelled(tuple([pending for pending in sets if pending.act.target in self.matter]))
            weights[kept] = weights.get(kept, 0) + weight
        return odds.total, weights, bool(odds.unsettled)

    def _fall_of(self, name: str) -> Odds[Sets]:
        """The odds of a mook group's roll: the same whatever others have declared, unless the person who speaks for them looks at that."""
        for fight in (replace(self.fight, plans=Unsaid(), casts=Unsaid()), self.fight):
            try:
                counted = fall_of_mooks(self.rules, fight, name, self.solve, self._same_heights(name))
                return counted if counted is not None else self.solve(sub(_of_mooks, self.rules, fight, name))
            except Unseen:
                continue
        return self.solve(sub(_of_mooks, self.rules, self.fight, name))

    def _loses_dice(self, name: str) -> bool:
        """Whether hits may cost a group of mooks dice: then it matters which of their sets is the highest, no matter at which target."""
        others = [aims for who, aims in self.doing.items() if who != self.who or self.question.guards]
        return self.rules.on("mooks-lose-dice") and any(name in aims or "" in aims for aims in others)

    def _same_heights(self, name: str) -> tuple[tuple[int, ...], ...]:
        """The groups of Heights of the mooks' sets that have the same effect, the highest first."""
        faces = range(sides(self.rules), 0, -1)
        foes = [fighter for fighter in self.fight.fighters if fighter.name in self.matter and fighter.side != self.fight.side_of(name)]
        answered = self.held or any(foe.name in self.guarded or self.fight.cover_from(name, foe).any for foe in foes)
        if self.heights == "all" or answered:
            return tuple([(face,) for face in faces])
        if self.heights == "nothing":
            return (tuple(faces),)
        parts = {face: self.struck.get(face, face) for face in faces}
        return tuple([tuple([face for face in faces if parts[face] == part]) for part in dict.fromkeys(parts.values())])

    def _levelled(self, sets: Sets) -> Sets:
        """Sets with Heights that stand for all that come to the same: of a blow that nobody answers it says no more than where it
        strikes. Of which of several a hit takes a die is said by their Heights."""
        if self.heights == "all" or not sets or (len(sets) > 1 and sets[0].who in self.acts):
            return sets
        return tuple([self._level(pending) for pending in sets])

    def _level(self, pending: Pending) -> Pending:
        act, action = pending.act, action_of(pending.act)
        if pending.counters or self.held or act.target in self.guarded or pending.speed[0] == 0:
            return pending
        group = self.fight.group(act.target) if act.target else None
        if group is not None:
            return replace(pending, height=min(pending.height, group.mob.threat)) if self._plain(pending.who, act) else pending
        if not self._plain(pending.who, act):
            own = pending.who == self.who and (action.by_width or not action.targeted)
            return replace(pending, height=1) if own else pending
        if act.location is not None or self.fight.cover_from(pending.who, self.fight.fighter(act.target)).any:
            return pending
        return replace(pending, height=self.struck.get(pending.height, pending.height) if self.heights == "places" else 1)


def summed(ways: Iterable[tuple[Sets, int]]) -> Weights:
    """The weights of what is the same, added up."""
    result: Weights = {}
    for sets, weight in ways:
        result[sets] = result.get(sets, 0) + weight
    return result
