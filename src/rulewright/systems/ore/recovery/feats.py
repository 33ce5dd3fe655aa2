"""Healing feats: first aid without a roll, dressed wounds, a trance, fast healing (book lines 2946-2952, 3214-3232, 3342)."""

from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Play
from rulewright.rules import Ruleset, rule
from rulewright.systems.ore.combat.abstract import HARDEST
from rulewright.systems.ore.harm.body import Located, Vital
from rulewright.systems.ore.harm.locations import Location
from rulewright.systems.ore.harm.wounds import staunched_one
from rulewright.systems.ore.people.characters import Character, Person
from rulewright.systems.ore.people.feat_effects import RULE, Try, feats_of, helps
from rulewright.systems.ore.people.feat_tests import attempted
from rulewright.systems.ore.people.pools import skill_pool, usable_pool
from rulewright.systems.ore.recovery.medicine import medicine
from rulewright.systems.ore.resolution.tests import Pool, make_test

A_BODY = Located()
MEDIC = Character("a medic", skills={"medicine": 4}, feats={"First Aid": 4})
MONK = Character("a monk", skills={"focus": 4}, feats={"Inner Clarity": 4})


@rule(RULE)
def first_aid(rules: Ruleset, body: Located = A_BODY, location: Location = "torso", medic: Character = MEDIC) -> Located:
    """Ten minutes after an injury, without a roll and once each: heals 1 Shock and stops a Wound; a higher level heals 1 Kill too. By id
    only."""
    given = helps(rules, feats_of(Person.of(rules, medic).feats), Try(on=("treat",)))
    if not given.amount("shock healed"):
        raise UserError(f"{medic.name} has no feat for first aid without a roll")
    part = body.part(location)
    after = replace(part, shock=max(0, part.shock - given.amount("shock healed")), kill=max(0, part.kill - given.amount("kill healed")))
    done = staunched_one(body.put(after))
    assert isinstance(done, Located)
    return done


@rule(RULE)
def tended(
    rules: Ruleset,
    body: Located,
    location: Location = "torso",
    medic: Character = MEDIC,
    dressed: bool = False,
    hard_to_kill: int = 0,
) -> Play[Located]:
    """Medicine with all feats: the kit, and sets of at least Height 5 on a dressed wound. By id only."""
    person = Person.of(rules, medic)
    return (yield from medicine(rules, body, location, remedy_pool(rules, person, dressed), person.name, hard_to_kill))


def remedy_pool(rules: Ruleset, person: Person, dressed: bool = False) -> Pool:
    """The pool of a medicine roll, with feats."""
    when = ("recovering from harm", *(["on a wound that you dressed"] if dressed else []))
    return attempted(rules, person, "remedy", Try.of(rules, "remedy", "psyche", when), statistic="psyche").pool


@rule(RULE)
def healing_trance(rules: Ruleset, body: Located | Vital, monk: Character = MONK) -> Play[Located | Vital]:
    """Once a day Body and Focus, with lost boxes as Difficulty: heals Width in Shock, where it is most first (ruling). By id only."""
    person = Person.of(rules, monk)
    if "heals width of Shock" not in helps(rules, feats_of(person.feats), Try(on=("healing trance",))):
        raise UserError(f"{monk.name} has no healing trance")
    lost = sum([part.shock + part.kill for part in body.parts]) if isinstance(body, Located) else body.kill_lost + body.vital_lost
    if not 0 < lost <= HARDEST:
        return body
    outcome = yield from make_test(
        rules, usable_pool(rules, skill_pool(rules, person, "focus", "body")), lost, by=person.name, what="trance"
    )
    if isinstance(body, Vital):
        return replace(body, shock=max(0, body.shock - outcome.width))
    for _ in range(outcome.width):
        worst = max(body.parts, key=lambda part: part.shock)
        body = body.put(replace(worst, shock=max(0, worst.shock - 1)))
    return body
