"""The audit of a character: every violation with its rule, excess and smallest repair (book lines 616-871, 1560-1627, 2327-2340).

The order matters for repairs from the top: unknown and out-of-range values first, then excessive costs. Applying the repairs one after
another always ends with a legal character.
"""

from rulewright.build.audit import Audit, faults
from rulewright.rules import Ruleset
from rulewright.systems.ore.build import combat_sheet
from rulewright.systems.ore.build.advancement import Standing
from rulewright.systems.ore.build.audit import advantages, powers, skills, statistics
from rulewright.systems.ore.build.audit.points import Spent, budget
from rulewright.systems.ore.people.characters import Character


def audit(rules: Ruleset, character: Character) -> Audit:
    """All problems of a character, and the points spent."""
    problems = [
        *statistics.packages(rules, character),
        *statistics.statistics(rules, character),
        *statistics.focuses(rules, character),
        *skills.skills(rules, character),
        *skills.fields(rules, character),
        *skills.special(rules, character),
        *skills.concentrations(rules, character),
        *advantages.advantages(rules, character),
        *powers.powers(rules, character),
        *skills.feats(rules, character),
        *combat_sheet.problems(rules, character),
    ]
    spent = Spent(rules, character)
    problems += budget(rules, character, spent)
    problems += faults("advancement", character.advancement, Standing(rules, character).take)
    return Audit(tuple(problems), spent.budgets())
