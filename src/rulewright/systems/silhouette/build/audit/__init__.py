"""Character audit: every rule violation with its rule, the excess and the smallest repair (book lines 943-1614, 7937-8042).

The order matters for repairs from the top: first invalid or unknown values, then excess costs. Applying the repairs one after another
always ends with a legal character.
"""

from rulewright.build.audit import Audit, faults
from rulewright.build.sheet_parts import Budget
from rulewright.grammar import count
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.build.audit import attributes, gear, skills, traits
from rulewright.systems.silhouette.build.audit.points import Points, skill_point_problems
from rulewright.systems.silhouette.creatures.audit import race_problems
from rulewright.systems.silhouette.creatures.powers import spell_problems
from rulewright.systems.silhouette.genres.profiles import genre_problems
from rulewright.systems.silhouette.people.advancement import Standing, standing
from rulewright.systems.silhouette.people.characters import Character
from rulewright.systems.silhouette.people.experience import experience_award


def audit(rules: Ruleset, character: Character) -> Audit:
    """Returns every rule violation in a character file, and the budgets."""
    points = Points(rules, character)
    problems = [
        *(race_problems(rules, character.race, "race.") if character.race is not None else ()),
        *attributes.attributes(rules, character, points),
        *skills.skills(rules, character),
        *skills.details(rules, character),
        *traits.traits(rules, character),
        *skill_point_problems(character, points),
        *gear.gear(rules, character),
        *gear.injuries(character),
        *gear.condition(character),
        *gear.taken_in(rules, character),
        *genre_problems(rules, character),
        *spell_problems(rules, character),
    ]
    log = Standing(rules, character)
    problems.extend(faults("advancement", character.advancement, log.take))
    return Audit(tuple(problems), _budgets(rules, points, log))


def budgets(rules: Ruleset, character: Character) -> tuple[Budget, ...]:
    """Returns the budgets without looking for violations."""
    return _budgets(rules, Points(rules, character), standing(rules, character))


def _budgets(rules: Ruleset, points: Points, log: Standing) -> tuple[Budget, ...]:
    expected = experience_award(rules, log.awards).value
    moved = f"{points.moved} moved from Character Points" if points.moved else ""
    return (
        Budget(name="Character Points", rule="sil-2.1.2-character-points", allowed=points.cp, spent=points.cp_spent + points.dice),
        Budget(name="Skill Points", rule="sil-2.2.1-skill-points", note=moved, allowed=points.sp, spent=points.sp_spent),
        Budget(
            name="Experience",
            rule="sil-2.5.1-xp-awards",
            note=f"{count(log.awards, 'award')}; the average would be {expected}" if log.awards else "",
            allowed=log.earned,
            spent=log.spent,
        ),
    )
