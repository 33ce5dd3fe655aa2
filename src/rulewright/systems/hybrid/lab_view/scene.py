"""A fight as the lab looks at it: what comes next by itself, and without what does not matter to a question."""

from msgspec.structs import replace

from rulewright.scenes.batch_play import Luck, Walk
from rulewright.systems.hybrid.combat.fighters import Fight, Fighter
from rulewright.systems.hybrid.fight import scene
from rulewright.systems.hybrid.harm.damage import Body, bleeding_counts
from rulewright.systems.hybrid.lab_view.batch_counts import Counts


class FightScene(scene.FightScene):
    """The same fight, with what exists for the lab alone."""

    def walker(self, luck: Luck) -> Walk[Fight]:
        return Counts(self.rules, luck)

    def lens(self, state: Fight, question: str) -> Fight:
        """Who wins does not depend on how late it is, beyond where wounds bleed next; nor on the dead."""
        if question in ("all", "rounds") or self.result(state) is not None:
            return state
        each = bleeding_counts(self.rules)
        passed = state.count // each * each
        return replace(state, count=state.count - passed, fighters=tuple(_levelled(one, passed) for one in state.fighters))


def _levelled(one: Fighter, passed: int) -> Fighter:
    """Somebody with the time taken off that is over; of the dead nothing but that they are."""
    if one.body.dead:
        return Fighter(one.profile, Body(one.name, pbd=0, dead=True), entered=True)
    doing = replace(one.doing, began=one.doing.began - passed) if one.doing is not None else None
    ends = max(0, one.body.shock_ends - passed)
    body = replace(one.body, shock_ends=ends) if ends != one.body.shock_ends else one.body
    holds = one.ward_ends - passed if one.ward_ends > passed else 0
    ward = one.ward if holds else 0
    return replace(one, at=max(0, one.at - passed), doing=doing, body=body, ward=ward, ward_ends=holds) if passed else one
