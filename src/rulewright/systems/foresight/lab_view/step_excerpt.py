"""Step excerpts: the people on whom the next step depends, and merging the result back.

Many fights hold the same step: a person like this sets about something, with that enemy before the gun and others waiting for it.
Seen by itself, under other names and in other places, it comes again and again, so that its odds can be remembered. (What the simulator
calls a focus is an excerpt here, since the game calls so what a person watches.)
"""

from collections.abc import Callable

from msgspec.structs import replace

from rulewright.play import Play
from rulewright.systems.foresight.combat.fighters import Action, Deed, Fight, Fighter, Pin
from rulewright.systems.foresight.fight.wait_actions import has_action
from rulewright.systems.foresight.harm.body import INCAPACITATED
from rulewright.systems.foresight.lab_view.anonymised import AWAY, OTHER, acting, fallen, met, put_out, spot_of, waiting
from rulewright.systems.foresight.resolution.tests import BOTCH, FAILURE

MOVED = 2
"""The round of an excerpt in which a person moved, so that it cannot be put back."""

Step = Callable[[Fight], Play[Fight]]


def by_side(fight: Fight) -> dict[str, list[str]]:
    """The names of each side."""
    result: dict[str, list[str]] = {}
    for fighter in fight.fighters:
        result.setdefault(fighter.profile.side, []).append(fighter.profile.name)
    return result


class Excerpt:
    """The people on whom a step depends, renamed, with their names in the whole fight.

    These are the acting person, the enemy in their focus or else the nearest, people who are about to do something with its target, and
    everybody who waits for any of it. A tactic is local if it acts upon nobody but that enemy, gives nobody the word, and on reflex
    neither shoots nor does anything about what is done to others: so nobody else needs to be there.
    """

    def __init__(
        self, fight: Fight, chooser: Fighter | None, foe: Fighter | None, people: list[Fighter], names: dict[str, list[str]]
    ) -> None:
        self.fight = fight
        self.chooser, self.foe, self.people = chooser, foe, people
        self.begins = not fight.deeds and not fight.turn
        self.goes_on = not fight.deeds and not self.begins
        self.turn = fight.turn or fight.order[0]
        pending = [deed for deed in fight.deeds if deed.stage == "before"]
        self.doing = {deed.who for deed in pending}
        """A person who is about to do something."""
        self.targets = {name for deed in pending for name in (deed.action.target, deed.action.to.partition(":")[2])}
        self.called = self._names(names)
        self.real = {short: name for name, short in self.called.items()}
        self.anywhere = self._anywhere()
        self.small = self._small()

    def _names(self, names: dict[str, list[str]]) -> dict[str, str]:
        """The name for each person shown: those of the first of their side, whose tactic is the same."""
        shown: dict[str, int] = {}
        called = {}
        for fighter in self.people:
            side = fighter.profile.side
            place = shown[side] = shown.get(side, -1) + 1
            called[fighter.profile.name] = names[side][place]
        return called

    def _anywhere(self) -> bool:
        """Whether nothing but one shot can be between two people in this step, for which places do not matter, only range and facing.

        Who will act has to be sure of it, since a move cannot be put back: then the step is played in full, whatever the dice say.
        """
        me, ground = self.chooser, self.fight.ground
        if me is None or me.lying or self.doing or ground.covers or ground.areas or (self.foe is not None and me.at(self.foe) is not None):
            return False
        return self.begins or not self.fight.deeds or me.roused or me.body.wounds < INCAPACITATED

    def _small(self) -> Fight:
        fight, called, me = self.fight, self.called, self.chooser
        return Fight(
            fight.ground,
            tuple([self._shown(fighter) for fighter in self.people]),
            1,
            order=(called[me.profile.name],) if me is not None and self.begins else (),
            turn=called[fight.turn] if fight.turn else "",
            deeds=tuple([_renamed(_begun(deed), called) for deed in fight.deeds]) if fight.deeds else (),
        )

    # what is shown

    def _shown(self, fighter: Fighter) -> Fighter:
        name, called, turn = fighter.profile.name, self.called, self.turn
        short = called[name]
        if fighter.out:
            return fallen(fighter, short)
        focus = _called(fighter.focus, called)
        engaged = called[turn] if fighter.engaged == turn else OTHER
        if fighter is self.chooser or name in self.doing:
            if self.foe is not None and not self.fight.deeds:
                focus = called[self.foe.profile.name]
            aim_at, just_hit = _called(fighter.aim_at, called), called.get(fighter.just_hit, OTHER)
            rank = self._rank(fighter) if self.goes_on else 0
            return acting(fighter, short, focus, engaged, aim_at, just_hit=just_hit, rank=rank, anywhere=self.anywhere)
        acts = int((fighter.waiting or name == turn) and has_action(fighter))
        if fighter is not self.foe and name not in self.targets and (fighter.focus or not fighter.waiting):
            return waiting(fighter, short, focus, engaged, acts, rank=self._rank(fighter))
        rank = self._rank(fighter) if fighter.waiting or self.begins else BOTCH if fighter.qr == BOTCH else FAILURE
        spot = None
        if self.anywhere and self.chooser is not None:
            spot = spot_of(self.chooser, fighter) if fighter is self.foe else AWAY
        return met(fighter, short, focus, engaged, acts, rank=rank, spot=spot)

    def _rank(self, fighter: Fighter) -> int:
        """A rating as good as theirs: in a turn under way only who has the better one matters, at its beginning only who of two."""
        me, fight = self.chooser, self.fight
        if fight.deeds or me is None:
            return fighter.qr
        if self.begins:
            mine, theirs = me.rolled or me.qr, fighter.rolled or fighter.qr
            return mine - 1 if theirs < mine else mine
        return 1 + len({other.qr for other in self.people if (other.waiting or other is me) and other.qr < fighter.qr})


def thinks(now: Fighter, real: dict[str, str]) -> tuple[str, str, str, str, tuple[Pin, ...]]:
    """Whom a person who was shown has in mind, and whom they hold, by their own names."""
    focus, aim_at, just_hit, engaged = now.focus, now.aim_at, now.just_hit, now.engaged
    pins = tuple([replace(pin, of=real[pin.of]) for pin in now.pins]) if now.pins else ()
    return _called(focus, real), _called(aim_at, real), _called(just_hit, real), _called(engaged, real), pins


def deeds_after(deeds: tuple[Deed, ...], small: tuple[Deed, ...], after: tuple[Deed, ...], real: dict[str, str]) -> tuple[Deed, ...]:
    """Carries the actions under way in an excerpt back into those of the whole fight."""
    if after == small:
        return deeds
    result = []
    for place, deed in enumerate(after):
        shown = small[place] if place < len(small) else None
        if shown is not None and (deed.who, deed.action) == (shown.who, shown.action):
            before, more = deeds[place], deed.answered[len(shown.answered) :]
            answered = (*before.answered, *[real[name] for name in more])
            result.append(replace(before, stage=deed.stage, granted=tuple([real[name] for name in deed.granted]), answered=answered))
        else:
            result.append(_renamed(deed, real))
    return tuple(result)


def played(step: Step, anywhere: bool, small: Fight) -> Play[Fight]:
    """Step after step, up to the first that another person decides about or that leaves a mark on anybody.

    Where places do not matter it ends before a move; if that is the first step, nothing is said but that.
    """
    after = yield from step(small)
    if anywhere and _moves(small, after):
        return replace(small, round=MOVED)
    while _goes_on(small, after):
        later = yield from step(after)
        if anywhere and _moves(small, later):
            break
        after = later
    down = [put_out(now) for before, now in zip(small.fighters, after.fighters, strict=True) if now is not before and now.out]
    return after.put(*down) if down else after


def _moves(small: Fight, after: Fight) -> bool:
    for before, now in zip(small.fighters, after.fighters, strict=True):
        if now is not before and (now.x, now.y, now.facing, now.lying) != (before.x, before.y, before.facing, before.lying):
            return True
    return False


def _goes_on(small: Fight, after: Fight) -> bool:
    """Whether people who wait are still to be asked, or the same person acts on and has done nothing yet but get ready."""
    if after.deeds:
        top = after.deeds[-1]
        if top.stage == "done":
            return True
        name = top.granted[0]
        if not small.deeds or small.deeds[-1].stage == "done" or name != small.deeds[-1].granted[0]:
            return False
    elif small.deeds or not after.turn or not small.turn:
        return False
    else:
        name = after.turn
    for before, now in zip(small.fighters, after.fighters, strict=True):
        if now is not before and (now.profile.name != name or now.body is not before.body):
            return False
        if now.ammo != before.ammo or now.attacks != before.attacks:
            return False
    return True


def _called(name: str, called: dict[str, str]) -> str:
    return called.get(name, OTHER) if name and not name.startswith("area:") else name


def _begun(deed: Deed) -> Deed:
    """An action of which it does not matter what it was, once it is done and everybody has been asked about it."""
    return replace(deed, action=_DONE) if deed.stage == "after" else deed


_DONE = Action("")


def _renamed(deed: Deed, called: dict[str, str]) -> Deed:
    how, _, to = deed.action.to.partition(":")
    to = f"{how}:{called[to]}" if to in called else deed.action.to
    action = replace(deed.action, target=_called(deed.action.target, called), to=to)
    granted, answered = [tuple([_called(name, called) for name in names]) for names in (deed.granted, deed.answered)]
    return Deed(called[deed.who], action, deed.stage, granted, answered)
