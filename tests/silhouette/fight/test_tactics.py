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


def with_ammo(choice: Choice, left: int) -> Choice:
    """The same question with so many shots in every magazine of the one who is asked."""
    fight = choice.about.fight
    loaded = fight.change(choice.who, ammo=(left,) * len(fight.fighter(choice.who).ammo))
    return Choice(choice.who, choice.ask_for, choice.options, choice.about._replace(fight=loaded), choice.topic)


def test_shooters_reload_only_a_magazine_that_is_nearly_empty():
    choice = act_of("Sorin")
    full = choice.about.fight.fighter("Sorin").weapon.magazine
    asked = {left: TACTICS["shooter"](with_ammo(choice, left)) for left in range(1, full + 1)}
    assert {left for left, answer in asked.items() if answer == "load"} == set(range(1, full // 4 + 1))


def test_shooters_fire_bursts_while_the_magazine_lasts_and_marksmen_single_shots():
    choice = act_of("Sorin")
    full = choice.about.fight.fighter("Sorin").weapon.magazine
    ways = {name: TACTICS[name](with_ammo(choice, full)).partition(":")[0] for name in ("shooter", "marksman", "automatic")}
    assert ways == {"shooter": "shoot how", "marksman": "shoot", "automatic": "shoot how"}
    assert TACTICS["shooter"](with_ammo(choice, full // 4 + 1)).startswith("shoot:")


def test_nobody_reloads_every_round_at_the_mill():
    staged = library.stage("silhouette/mill")
    encounter, dice, loads, shots = Encounter.begin(staged.scene, staged.state), Seeded(1), 0, 0
    while staged.scene.result(encounter.state) is None:
        at, request = encounter.open[0]
        given = staged.decide(request) if isinstance(request, Choice) else dice.faces(request)
        loads, shots = loads + (given == "load"), shots + str(given).startswith("shoot")
        encounter.give(given, at)
    assert shots > 5
    assert loads * 4 < shots
