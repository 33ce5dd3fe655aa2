"""Fights between people with any feats, any weapons and any answers go on to their end, and every sum in them holds."""

from random import Random

import pytest
from msgspec.structs import replace

from rulewright.play import Range, Seeded, play
from rulewright.rules.reasons import holds
from rulewright.systems.ore.combat.fighters import Fight, Ground
from rulewright.systems.ore.combat.profiles import enter, gather
from rulewright.systems.ore.fight.rounds import next_step
from rulewright.systems.ore.people.characters import Character, Statistics
from rulewright.systems.ore.people.feats import paths
from rulewright.systems.ore.people.mook_file import Mook
from rulewright.systems.ore.people.skills import selection
from rulewright.systems.ore.settings import BOOK

WEAPONS = (
    *("broadsword", "dagger", "staff", "epee", "battle axe", "mace: bludgeon 3", "longbow: pull 3", "laser: energy rifle 2 magazine 6"),
    *("plasma: energy pistol 2", "sonic: energy pistol 2", "shotgun: shotgun 3", ".38 special", "uzi 9mm", "knife: trajectory 1"),
    *("bottle: hurled 1", "cannon: heavy rifle 4", "rifle: rifle 3"),
)
CAMPAIGNS = (
    {},
    {"wounds": True, "weapon-reach": True, "penetration": True, "hits-interrupt-aim": True},
    {"speed": "waste"},
    {"speed": "height", "drama-points": "drama points"},
    {"damage-system": "vital", "simple-mooks": True},
    {"damage-system": "abstract", "random-initiative": True, "getting-tired": True},
)


@pytest.mark.parametrize("seed", range(18))
def test_any_fight_with_feats_goes_on(seed):
    random = Random(seed)
    rules = BOOK.ruleset(settings=CAMPAIGNS[seed % len(CAMPAIGNS)])
    state = a_meeting(rules, random)

    def decide(choice):
        options = choice.options
        return random.randint(options.low, options.high) if isinstance(options, Range) else random.choice(options).key

    for _ in range(60):
        standing = {one.side for one in (*state.fighters, *state.groups) if one.able}
        if len(standing) < 2 or not any(fighter.able for fighter in state.fighters) or state.round > 4:
            break
        done = play(next_step(rules, state), dice=Seeded(random.random()), decide=decide)
        for event in done.events:
            assert event.headline() is not None
            assert all(holds(reason) for reason in event.reasons()), event.headline()
        state = done.outcome


def a_meeting(rules, random):
    skills = {name: 5 for name, skill in selection(rules).items() if not skill.subject and not skill.named} | {"ride: horses": 4}
    metres = random.choice((0, 6, 20))
    people = []
    for name, side in (("Ann", "a"), ("Bob", "b"), ("Cid", "a"), ("Dot", "b")):
        feats = {path: 5 for path in paths(rules) if random.random() < 0.5}
        statistics = Statistics(*[random.randint(2, 5) for _ in range(6)])
        weapons = tuple(random.sample(WEAPONS, 2))
        character = Character(name, statistics=statistics, skills=skills, weapons=weapons, feats=feats)
        fighter = enter(rules, character, name, side, 0 if side == "a" else metres)
        people.append(replace(fighter, mounted=random.random() < 0.3))
    groups = (gather(Mook("Thug", threat=2), ("Thug 1", "Thug 2", "Thug 3"), "b", metres=metres),)
    return Fight(Ground(metres, cover="50% right", parley=True), tuple(people), groups, rounds=5)
