"""Any powers in any fight: whatever is declared, under whatever rules, a round comes to its end and every number to its sum."""

import random

import pytest
from msgspec.structs import replace

from ore.powers.people import fight, plain, psychic
from rulewright.play import Choice, Player, Range, Seeded
from rulewright.rules.reasons import holds
from rulewright.systems.ore.combat.profiles import gather
from rulewright.systems.ore.fight.scene import FightScene
from rulewright.systems.ore.people.characters import Inherent
from rulewright.systems.ore.people.mook_file import Mook
from rulewright.systems.ore.powers.catalogue import effects
from rulewright.systems.ore.settings import BOOK

PLAIN = BOOK.ruleset()
ALL = [row.effect for row in effects(PLAIN).values() if row.set == "meta-psychic"]
RULES = {
    "book": PLAIN,
    "gritty": BOOK.ruleset("gritty"),
    "action": BOOK.ruleset("action"),
    "superhuman": BOOK.ruleset("superhuman"),
    "vital": BOOK.ruleset(settings={"damage-system": "vital", "speed": "height"}),
    "abstract": BOOK.ruleset(settings={"damage-system": "abstract", "getting-lucky": True}),
    "six": BOOK.ruleset(settings={"six-sided-dice": True, "drama-points": "drama points"}),
}


def any_answer(rng):
    """Somebody who declares powers whenever there are some, and answers everything else at random."""

    def decide(choice: Choice):
        if isinstance(choice.options, Range):
            return rng.randint(choice.options.low, choice.options.high)
        keys = choice.keys()
        gifted = [
            key
            for key in keys
            if key.startswith(("power:", "counter:", "hurl:", "release:", "fly", "gather", "steel", "static", "analgesic"))
        ]
        return rng.choice(gifted if gifted and rng.random() < 0.8 else keys)

    return decide


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("by", RULES.values(), ids=list(RULES))
def test_any_fight_with_powers_goes_on(by, seed):
    rng = random.Random(seed)
    feats = dict.fromkeys(("Electrokinesis", "Redaction", "Telepathy"), 3)
    people = [
        psychic(
            name,
            *rng.sample(ALL, 12),
            psi=6,
            skill=4,
            insight=1 + at,
            limit=rng.choice((0, 1, 2, 3, 4, 5)),
            feats=feats,
            weapons=("broadsword",),
        )
        for at, name in enumerate(("Ann", "Bob", "Cid"))
    ]
    people[0] = replace(people[0], inherent=(Inherent("Mist", 4), Inherent("Sway", 2, skill="focus", resist="nerve")))
    state = fight(
        by, *people[:2], friends=(people[2], plain("Dee", insight=4)), metres=rng.choice((0, 3, 12)), light=rng.choice(("bright", "dim"))
    )
    state = replace(state, groups=(gather(Mook("Thug", threat=2), ("Thug 1", "Thug 2", "Thug 3"), "b", metres=2),))
    scene = FightScene(by)
    player = Player(Seeded(seed), any_answer(rng))
    for _ in range(60):
        if scene.result(state) is not None:
            break
        state = scene.checked(player.run(scene.step(state)))
        scene.view(state, None)
    assert state.round
    for event in player.events:
        assert event.headline()
        assert all(holds(reason) for reason in event.reasons() if reason.terms)
