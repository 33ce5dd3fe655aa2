"""Log entries of a fight, and when a person is ready again (book lines 816-842)."""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.play import Event, Happened, Play, Roll, Tell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason, term, total
from rulewright.systems.hybrid.combat.fighters import Fight, speed_of
from rulewright.systems.hybrid.combat.initiative import Initiative, Timing, initiative_dice, preset_cost, settle
from rulewright.systems.hybrid.harm.energy import exert

COUNTS_A_SECOND = 10
SIMPLE_COUNTS = 10


class About(Struct, frozen=True, eq=False):
    """What a choice is about: the rules, the fight, who decides, and whom it concerns."""

    rules: Ruleset
    fight: Fight
    name: str
    other: str = ""


class OnCount(Event, frozen=True):
    """The clock moves on."""

    count: int

    def headline(self) -> str:
        return f"Count {self.count}"


def ready_after(rules: Ruleset, fight: Fight, name: str, preset: bool = False) -> Play[Initiative]:
    """An initiative roll in the middle of a fight."""
    me = fight.fighter(name)
    dice = initiative_dice(rules, speed_of(fight, me), perceived=True, ranked=me.arm.rank is not None, preset=preset)
    return settle(rules, (yield from Roll(dice, name, "initiative")))


class Ready(Event, frozen=True):
    """When a person will be ready again: from a count on, after initiative and what was lost while acting."""

    name: str
    at: int
    now: int
    late: int
    why: Timing

    def headline(self) -> str:
        return f"{self.name} will be ready at count {self.at}"

    def reasons(self) -> tuple[Reason, ...]:
        lost = (term("counts lost while acting", self.late),) if self.late else ()
        return (total("count", term("now", self.now), term("initiative", self.why.counts()), *lost, rule="hyb-7-initiative").reason,)


def react(rules: Ruleset, fight: Fight, name: str, now: int, preset: bool = False) -> Play[Fight]:
    """Initiative again: the next count on which a person decides. Speed points join those that are left."""
    me = fight.fighter(name)
    ready = yield from ready_after(rules, fight, name, preset)
    at = now + ready.count + me.late
    rolled = ready.count - ready.speed_points
    why = Timing(rules, rolled, speed_of(fight, me), ranked=me.arm.rank is not None, preset=preset)
    yield from Tell(Ready(name, at, now, me.late, why))
    return fight.change(name, at=at, late=0, points=me.points + ready.speed_points, doing=None, pace="no move")


def leaves_off(fight: Fight, name: str) -> Play[None]:
    """Log that a person abandons an action; waiting stays secret."""
    doing = fight.fighter(name).doing
    if doing is not None and doing.what != "wait":
        yield from Tell(Happened(name, f"abandons an action: {doing.words()}", "bad"))


def set_off(rules: Ruleset, fight: Fight, name: str, now: int) -> Play[Fight]:
    """Trigger a preset reaction, with the whole of Speed."""
    me = fight.fighter(name)
    began = me.doing.began if me.doing is not None else now
    cost = preset_cost(rules, me.profile.mst, now - began).value
    body = replace(me.body, mind=exert(rules, me.body.mind, cost)) if cost else me.body
    yield from Tell(Happened(name, "reacts: this is the event they waited for"))
    fight = fight.change(name, waiting=False, body=body)
    return (yield from react(rules, fight, name, now, preset=True))
