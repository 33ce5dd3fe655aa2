"""The fight scene for simulation: forced steps are played on, and irrelevant state is dropped."""

from collections.abc import Mapping

from msgspec.structs import replace

from rulewright.scenes.batch_play import Luck, Walk
from rulewright.systems.hybrid.combat.fighters import Fight, Fighter
from rulewright.systems.hybrid.fight import scene
from rulewright.systems.hybrid.fight.log_events import COUNTS_A_SECOND
from rulewright.systems.hybrid.harm.damage import Body, bleeding_counts
from rulewright.systems.hybrid.lab_view.batch_counts import Counts
from rulewright.systems.hybrid.lab_view.position import position


class FightScene(scene.FightScene):
    """The same fight, with what exists for the simulator alone."""

    def elapsed(self, state: Fight) -> float:
        """In seconds, with the counts of the present one."""
        return state.count / COUNTS_A_SECOND

    def position(self, state: Fight, side: str) -> Mapping[str, float]:
        return position(self.rules, state, side)

    def walker(self, luck: Luck) -> Walk[Fight]:
        return Counts(self.rules, luck)

    def lens(self, state: Fight, question: str) -> Fight:
        """Leaves out what does not decide who wins: the time, beyond where wounds bleed next, and the dead."""
        if question in ("all", "rounds") or self.result(state) is not None:
            return state
        number = bleeding_counts(self.rules)
        passed = state.count // number * number
        return replace(state, count=state.count - passed, fighters=tuple(_levelled(fighter, passed) for fighter in state.fighters))


def _levelled(fighter: Fighter, passed: int) -> Fighter:
    """A person with the time taken off that is over; of the dead nothing but that they are."""
    if fighter.body.dead:
        return Fighter(fighter.profile, Body(fighter.name, pbd=0, dead=True), entered=True)
    doing = replace(fighter.doing, began=fighter.doing.began - passed) if fighter.doing is not None else None
    ends = max(0, fighter.body.shock_ends - passed)
    body = replace(fighter.body, shock_ends=ends) if ends != fighter.body.shock_ends else fighter.body
    holds = fighter.ward_ends - passed if fighter.ward_ends > passed else 0
    ward = fighter.ward if holds else 0
    return replace(fighter, at=max(0, fighter.at - passed), doing=doing, body=body, ward=ward, ward_ends=holds) if passed else fighter
