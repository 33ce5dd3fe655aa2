"""Batch simulation of rounds: initiative, focus and excerpts, looked up by the people involved.

What an excerpt shows, and what its outcomes make of the whole, follows from the people in it and from what is under way: it is put
together once and remembered by them.
"""

from bisect import bisect
from functools import partial
from math import hypot
from typing import NamedTuple

from msgspec.structs import replace

from rulewright.play import Roll, Sub
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.scenes.batch_play import Luck, Turn
from rulewright.systems.foresight.combat.fighters import Fight, Fighter
from rulewright.systems.foresight.fight.turns import declare_focus, initiative_task, refreshed, turn_order
from rulewright.systems.foresight.lab_view.anonymised import restored, standing
from rulewright.systems.foresight.lab_view.step_excerpt import MOVED, Excerpt, Step, by_side, deeds_after, played, thinks
from rulewright.systems.foresight.resolution.tests import reading

MOST_EXCERPTS, MOST_TURNS = 100_000, 30_000
"""Excerpts that are remembered, by who is in them, and the possible outcomes of them, by what those are: when there are more, all are
forgotten and
put together again where needed. An excerpt takes some 1.4 kB, and eight people meet in tens of thousands."""

NOBODY = -1


class Came(NamedTuple):
    """The result of an excerpt, by the places and the names of those in it."""

    changed: tuple[tuple[int, Fighter, Fighter], ...]
    """A person who has changed, as they were shown and as they are."""
    after: Fight
    fell: bool
    moved: bool


def _came_to(small: Fight, after: Fight) -> Came:
    both = enumerate(zip(small.fighters, after.fighters, strict=True))
    changed = tuple([(place, shown, now) for place, (shown, now) in both if now is not shown and now != shown])
    return Came(changed, after, fell=any(fighter.out for fighter in after.fighters), moved=after.round == MOVED)


class Seen(NamedTuple):
    """An excerpt of a whole fight: the possible outcomes of it, where those in it stand in the whole, and what they are called there."""

    turn: Turn[Fight, Came]
    small: Fight
    places: tuple[int, ...]
    real: dict[str, str]


def _strange(fighter: Fighter) -> bool:
    """Whether a person hides, holds, tends or has a strange style, and so may concern anybody."""
    return bool(fighter.unaware_of or fighter.pins or fighter.style or fighter.faced or fighter.tending)


@cached(50_000)
def _watching(fighter: Fighter, focus: str) -> Fighter:
    return replace(fighter, focus=focus)


class Excerpts:
    """Plays fights excerpt by excerpt: the walk of a ForeSight fight."""

    def __init__(self, rules: Ruleset, luck: Luck, step: Step) -> None:
        self.rules = rules
        self.luck = luck
        self.step = step
        self.seen: dict[tuple[object, ...], Seen] = {}
        self.turns: dict[tuple[bool, Fight], tuple[Turn[Fight, Came], Fight]] = {}
        self.real: dict[tuple[object, ...], dict[str, str]] = {}
        self.ratings: dict[Fighter, tuple[list[float], list[tuple[int, Fighter]]]] = {}
        self.watched: dict[tuple[object, ...], str] = {}

    def __call__(self, fight: Fight, until: int) -> Fight:
        """The fight as far as excerpts go."""
        if fight.declaring or not fight.bare:
            return fight
        for fighter in fight.fighters:
            if _strange(fighter):
                return fight
        return _Walk(self, fight).run(min(until, fight.rounds))

    def excerpt(self, key: tuple[object, ...], shown: Excerpt, places: tuple[int, ...]) -> Seen:
        """An excerpt that was not met before; the possible outcomes of it may be known, since others are the same but for names."""
        if len(self.seen) >= MOST_EXCERPTS:
            self.seen.clear()
            self.real.clear()
        if len(self.turns) >= MOST_TURNS:
            self.turns.clear()
        alike = (shown.anywhere, shown.small)
        known = self.turns.get(alike)
        if known is None:
            part = Sub(played, (self.step, *alike))
            known = self.turns[alike] = Turn(part, partial(_came_to, shown.small)), shown.small
        real = self.real.setdefault((*shown.real.values(), *shown.real), shown.real)
        result = self.seen[key] = Seen(*known, places, real)
        return result

    def begins(self, fighter: Fighter) -> tuple[list[float], list[tuple[int, Fighter]]]:
        """A person's initiative: what it can come to, and the person that goes into the round with it."""
        results, sums = self.luck.roll_table(Roll(reading(self.rules, initiative_task(self.rules, fighter)), fighter.name))
        if len(self.ratings) >= MOST_TURNS:
            self.ratings.clear()
        result = self.ratings[fighter] = (sums, [(candidate.qr, refreshed(self.rules, fighter, candidate.qr)) for candidate in results])
        return result

    def focus(self, fight: Fight, here: tuple[Fighter, ...], name: str) -> str:
        """Whom a person watches: a local tactic says so by where everybody stands, and by nothing else."""
        key = (name, here)
        result = self.watched.get(key)
        if result is None:
            if len(self.watched) >= MOST_TURNS:
                self.watched.clear()
            small = Fight(fight.ground, here, 1, declaring=True)
            result = self.watched[key] = self.luck.run(declare_focus(self.rules, small, name)).fighter(name).focus
        return result


class _Walk:
    """One fight on its way through a round."""

    def __init__(self, excerpts: Excerpts, fight: Fight) -> None:
        self.excerpts = excerpts
        self.fight = fight
        self.people = list(fight.fighters)
        self.names = by_side(fight)
        self.number = {fighter.profile.name: at for at, fighter in enumerate(self.people)}
        self.out = [fighter.out for fighter in self.people]
        self.order, self.turn, self.deeds = list(fight.order), fight.turn, fight.deeds
        self.round = fight.round
        self.walked = False

    def run(self, until: int) -> Fight:
        """Round after round."""
        moved = self._turns()
        while moved is False and self.round < until and self._begin():
            moved = self._turns()
        if moved:
            return self.excerpts.luck.run(self.excerpts.step(self._put_back()))
        return self._put_back() if self.walked else self.fight

    def _begin(self) -> bool:
        """The next round, unless a person may come to or has to be asked first."""
        excerpts, people, out = self.excerpts, self.people, self.out
        if not self._goes_on():
            return False
        for fighter in people:
            if fighter.senseless or fighter.choking:
                return False
        rolling, ratings, random = [], [], excerpts.luck.random
        for at, fighter in enumerate(people):
            if not out[at]:
                sums, results = excerpts.ratings.get(fighter) or excerpts.begins(fighter)
                qr, people[at] = results[bisect(sums, random())]
                rolling.append(at)
                ratings.append(qr)
        scores = tuple([people[at].profile.initiative.score for at in rolling])
        places = [rolling[place] for place in turn_order(excerpts.rules, tuple(ratings), scores)]
        self.order = [people[at].profile.name for at in places]
        self.round += 1
        self.turn, self.deeds, self.walked = "", (), True
        self._watch(places)
        return True

    def _watch(self, places: list[int]) -> None:
        """Everybody says whom they watch, from the worst rating to the best."""
        people, excerpts = self.people, self.excerpts
        here = tuple([standing(result) for result, out in zip(people, self.out, strict=True) if not out])
        for at in reversed(places):
            fighter = people[at]
            if fighter.able and not fighter.frozen:
                focus = excerpts.focus(self.fight, here, fighter.profile.name)
                if focus != fighter.focus:
                    people[at] = _watching(fighter, focus)

    def _turns(self) -> bool | None:
        """Excerpt after excerpt to the end of the round: True where the next step moves a person, None where it ends before."""
        luck, people, number, out = self.excerpts.luck, self.people, self.number, self.out
        while self.turn or self.order:
            if self.deeds and any(deed.action.kind == "signal" for deed in self.deeds):
                return None  # the word, if it is given, may concern anybody
            chooser = self._chooser()
            if chooser != NOBODY and out[chooser]:
                return None  # nothing is done
            turn, small, places, real = self._excerpt(chooser)
            changed, after, fell, moved = turn.draw(luck)
            self.walked = True
            if moved:
                return True
            strange = False
            for place, shown, now in changed:
                at = places[place]
                people[at] = fighter = restored(people[at], shown, now, *thinks(now, real))
                out[at] = fighter.out
                strange = strange or _strange(fighter)
            order = self.order if self.deeds or self.turn else self.order[1:]
            if after.order:
                first = [real[name] for name in after.order]
                order = [*first, *[name for name in order if name not in first]]
            if after.deeds or self.deeds:
                self.deeds = deeds_after(self.deeds, small.deeds, after.deeds, real)
            self.turn = real[after.turn] if after.turn else ""
            if not self.turn:
                order = [name for name in order if not out[number[name]]]
            self.order = order
            if strange or (fell and not self._goes_on()):
                return None
        return False

    def _chooser(self) -> int:
        """The number of the person who decides in the next step, or `NOBODY`."""
        if not self.deeds:
            return self.number[self.turn or self.order[0]]
        top = self.deeds[-1]
        return NOBODY if top.stage == "done" else self.number[top.granted[0]]

    def _excerpt(self, chooser: int) -> Seen:
        """The next excerpt, as it is remembered by people who are in it."""
        me = self.people[chooser] if chooser != NOBODY else None
        foe = self._at_hand(me) if me is not None else None
        involved = self._involved(me, foe)
        key = (self.turn, self.turn or self.order[0], chooser, foe.profile.name if foe is not None else "", self.deeds, *involved)
        result = self.excerpts.seen.get(key)
        if result is None:
            shown = Excerpt(self._put_back(), me, foe, involved, self.names)
            result = self.excerpts.excerpt(key, shown, tuple([self.number[fighter.profile.name] for fighter in involved]))
        return result

    def _at_hand(self, me: Fighter) -> Fighter | None:
        """The enemy in a person's focus, or else the nearest."""
        nearest, least = None, 0.0
        side, focus, x, y = me.profile.side, me.focus, me.x, me.y
        for foe, out in zip(self.people, self.out, strict=True):
            if not out and foe.profile.side != side:
                if foe.profile.name == focus:
                    return foe
                meters = hypot(foe.x - x, foe.y - y)
                if nearest is None or meters < least:
                    nearest, least = foe, meters
        return nearest

    def _involved(self, me: Fighter | None, foe: Fighter | None) -> list[Fighter]:
        """The people on whom the step depends, as the excerpt shows them."""
        turn, deeds = self.turn or self.order[0], self.deeds
        begins = not deeds and not self.turn
        shown = {turn}
        watched = set() if me is None or begins else {me.profile.name}
        for deed in deeds:
            shown.add(deed.who)
            shown.update(deed.granted)
            if deed.stage == "before":
                shown.add(deed.action.target)
                shown.add(deed.action.to.partition(":")[2])
            if deed.stage != "after":
                watched.add(deed.who)
        fighters = []
        for fighter in self.people:
            if fighter is me or fighter is foe or fighter.engaged == turn or fighter.profile.name in shown:
                fighters.append(fighter)
            elif fighter.waiting and not begins:
                focus = fighter.focus
                if focus in watched or not focus or focus.startswith("area:"):
                    fighters.append(fighter)
        return fighters

    def _goes_on(self) -> bool:
        return len({fighter.profile.side for fighter, out in zip(self.people, self.out, strict=True) if not out}) > 1

    def _put_back(self) -> Fight:
        """The whole fight as it stands."""
        return replace(self.fight, fighters=tuple(self.people), round=self.round, order=tuple(self.order), turn=self.turn, deeds=self.deeds)
