"""Psychics for tests, and a round of a fight with them."""

from rulewright.play import script
from rulewright.systems.ore.combat.fighters import Fight, Ground
from rulewright.systems.ore.combat.profiles import enter
from rulewright.systems.ore.fight.declarations import options_for
from rulewright.systems.ore.fight.rounds import next_step
from rulewright.systems.ore.people.characters import Character, Owned, PowerSet, Statistics
from rulewright.systems.ore.powers.catalogue import effect_named
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()
VITAL = BOOK.ruleset(settings={"damage-system": "vital"})
ABSTRACT = BOOK.ruleset(settings={"damage-system": "abstract"})


def psychic(name, *effects, psi=3, skill=2, insight=1, limit=1, **more):
    """Somebody with these effects, each at the same dice; Ann declares before Bob."""
    skills = {effect_named(RULES, effect).skill: skill for effect in effects}
    own = PowerSet("meta-psychic", psi, skills, effects, energy=more.pop("energy", 0))
    right = Owned("arcane apprentice", first=5, second=limit, choice="meta-psychic")
    statistics = Statistics(body=3, coordination=3, psyche=3, insight=insight, command=3)
    learnt = {"close combat": 3, "ranged combat": 3, "focus": 2, "athletics": 2, **more.pop("skills", {})}
    return Character(name, statistics=statistics, skills=learnt, advantages=(right,), powers=(own,) if effects else (), **more)


def plain(name="Bob", *weapons, insight=2, **more):
    """Somebody without powers."""
    return psychic(name, insight=insight, weapons=weapons, **more)


def fight(by, *people, metres=0, friends=(), **place):
    """The first against the others; friends stand beside the first."""
    found = [enter(by, people[0], people[0].name, "a")]
    found += [enter(by, one, one.name, "a") for one in friends]
    found += [enter(by, one, one.name, "b", metres) for one in people[1:]]
    return Fight(Ground(metres, **place), tuple(found))


def a_round(by, state, faces, choices):
    """One round, with these dice and these answers; the fight after it, and what was told."""

    def go(now):
        now = yield from next_step(by, now)
        while now.phase != "begin":
            now = yield from next_step(by, now)
        return now

    done = script(go(state), faces, choices)
    return done.outcome, [event.headline() for event in done.events]


def keys(by, state, name="Ann"):
    """What somebody could declare."""
    return {option.key for option in options_for(by, state, name)}


def part(state, name, location):
    """Kill and Shock in a part of somebody's body."""
    found = state.fighter(name).body.part(location)
    return found.kill, found.shock
