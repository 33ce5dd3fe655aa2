"""Several declared actions: their number and dependencies."""

from rulewright.systems.ore.combat.fighters import Act, Fight
from rulewright.systems.ore.fight.actions.registry import action_of

Acts = tuple[Act, ...]


def cost_of(acts: Acts) -> int:
    """The number of actions: a volley counts as one, free actions as none."""
    single = sum([not action_of(act).free for act in acts if act.mode == "single"])
    return single + any(act.mode != "single" for act in acts)


def resting_on(fight: Fight, name: str, acts: Acts) -> tuple[int, ...]:
    """For each action the number of the last earlier rolled action it depends on; 0 for none."""
    fighter = fight.fighter(name)
    numbers = []
    for place, act in enumerate(acts):
        before = [
            i
            for i, result in enumerate(acts[:place], 1)
            if action_of(result).rolled and action_of(result).enables(fight, fighter, result, act)
        ]
        numbers.append(before[-1] if before else 0)
    return tuple(numbers)
