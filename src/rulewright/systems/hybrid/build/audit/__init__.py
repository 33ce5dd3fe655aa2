"""Character audit: every breach with its rule, the excess and the smallest repair (book chapters 9 to 12).

Repairs are applied from the top, so the order matters: first what is unknown or out of bounds, then what costs too much. Carrying out
the repairs one after another ends with a legal character.
"""

from rulewright.build.audit import Audit, faults
from rulewright.build.sheet_parts import Budget
from rulewright.rules import Ruleset
from rulewright.systems.hybrid.build.audit import people, pools, possessions, skills, traits
from rulewright.systems.hybrid.build.audit.audited_character import Checked
from rulewright.systems.hybrid.people.advancement import Standing
from rulewright.systems.hybrid.people.characters import Character, starting_points
from rulewright.systems.hybrid.people.creation import accounts


def audit(rules: Ruleset, character: Character) -> Audit:
    """Every breach of the rules in a character's file, and what was spent of every budget."""
    file = Checked(rules, character)
    accounted = accounts(rules, character)
    log = Standing(rules, character)
    problems = [
        *people.primary(file),
        *people.people(file),
        *skills.skills(file),
        *skills.related(file),
        *skills.packages(file),
        *skills.allowances(file),
        *people.bought(file),
        *traits.gifts(file),
        *traits.limitations(file),
        *possessions.ties(file),
        *possessions.careers(file),
        *possessions.gear(file),
        *pools.moves(file),
        *pools.pools(file, accounted),
        *faults("advancement", character.advancement, log.take),
    ]
    given = starting_points(rules, "stat", file.fair.race).value
    names = {"skill": "Skill points", "wealth": "Wealth points", "community": "Community points"}
    budgets = [Budget(name="Points for statistics", rule="hyb-9-primary-stats", allowed=given, spent=character.primary.total)]
    budgets += [
        Budget(name=names[pool], rule="hyb-10-pools", allowed=account.given.value, spent=account.spent)
        for pool, account in accounted.items()
    ]
    budgets += [Budget(name=f"Allowance: {field}", rule="hyb-9-cultural-points", allowed=a, spent=s) for field, a, s in skills.fields(file)]
    budgets.append(Budget(name="Experience points", rule="hyb-3-raising-skills", allowed=log.earned, spent=log.spent))
    return Audit(tuple(problems), tuple(budgets))
