"""Character audit: every breach with its rule, the excess and the smallest repair (book lines 425-1184).

Repairs are applied from the top, so the order matters: first what is unknown or out of bounds, then what costs too much. Every repair
takes something away or lowers it, so carrying them out one after another always ends with a legal character.
"""

from rulewright.build.audit import Audit, faults
from rulewright.build.sheet_parts import Budget
from rulewright.rules import Ruleset
from rulewright.systems.foresight.build.audit import abilities, background, people, points, wealth
from rulewright.systems.foresight.people.advancement import Standing
from rulewright.systems.foresight.people.characters import Character, species_of
from rulewright.systems.foresight.people.creation import accounts, sound, spread_of


def audit(rules: Ruleset, character: Character) -> Audit:
    """Every breach of the rules in a character's file, and what was spent of every budget."""
    whole = sound(rules, character)
    books = accounts(rules, character)
    log = Standing(rules, character)
    problems = [
        *people.names(rules, character),
        *people.species(rules, character, whole),
        *people.attributes(rules, whole),
        *background.background(rules, character),
        *background.traits(rules, character, whole),
        *people.trained(rules, whole),
        *abilities.skills(rules, character, whole),
        *abilities.fields(rules, character, whole),
        *abilities.places(rules, character),
        *abilities.favors(rules, character, whole),
        *abilities.sold(rules, character, whole),
        *wealth.wealth(rules, character, whole),
        *wealth.gear(rules, character),
        *people.injuries(character),
        *points.points(rules, character, whole, books),
        *faults("experience", character.experience, log.take),
    ]
    species = species_of(rules, whole)
    owned = int(min(wealth.gear_cost(rules, character.gear).value, 1e15))
    budgets = (
        Budget(
            name="Attribute points",
            rule="fs-attribute-points",
            allowed=spread_of(rules, species.ranges).value,
            spent=sum(character.attributes.each().values()),
        ),
        Budget(
            name="Background factors",
            rule="fs-character-competence",
            allowed=character.factors,
            spent=len(character.background) + int(species.factor),
        ),
        *[
            Budget(name=f"{kind.capitalize()} points", rule="fs-spending-cps", allowed=account.given.value, spent=account.spent)
            for kind, account in books.items()
        ],
        Budget(name="Wealth, svu", rule="fs-wealth", allowed=wealth.worth_of(rules, whole).value, spent=owned),
        Budget(name="Experience", rule="fs-spending-experience", allowed=log.earned, spent=log.spent),
    )
    return Audit(tuple(problems), budgets)
