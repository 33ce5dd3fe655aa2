"""Named ways to decide in a fight."""

from rulewright import library
from rulewright.play import Choice, Seeded
from rulewright.scenes.encounter import Encounter
from rulewright.systems.silhouette.fight.tactics import CHARGE, TACTICS


def act_of(who: str):
    """The first thing that somebody of the quarry is asked to do, and the fight it is asked in."""
    staged = library.stage("silhouette/firefight")
    encounter, dice = Encounter.begin(staged.scene, staged.state), Seeded(1)
    for _ in range(500):
        at, request = encounter.open[0]
        if isinstance(request, Choice):
            if request.who == who and request.topic == "act" and any(key.startswith("aim:") for key in request.keys()):  # noqa: SIM118
                return request
            encounter.give(staged.decide(request), at)
        else:
            encounter.give(dice.faces(request), at)
    raise AssertionError(f"{who} was never asked")


def test_the_marksman_aims_at_those_who_can_neither_shoot_back_nor_be_there_at_once():
    choice = act_of("Sorin")
    fight = choice.about.fight
    me = fight.fighter("Sorin")
    assert not TACTICS["marksman"](choice).startswith("aim:"), "the squad has rifles"
    harmless = fight
    for foe in fight.enemies(me):
        assert me.distance(foe) > CHARGE
        harmless = harmless.change(foe.name, jammed=(True,) * len(foe.jammed))
    unarmed = choice.about._replace(fight=harmless)
    asked = Choice(choice.who, choice.ask_for, choice.options, unarmed, choice.topic)
    assert TACTICS["marksman"](asked).startswith("aim:")
