"""Machines that change their form in a battle (book lines 3949-3961)."""

from msgspec.structs import replace

from rulewright import library
from rulewright.play import script
from rulewright.systems.silhouette.battle.actions.registry import action_of, options_of
from rulewright.systems.silhouette.battle.aftermath import settle
from rulewright.systems.silhouette.battle.rounds import end_round
from rulewright.systems.silhouette.units.crews import actions_left
from rulewright.systems.silhouette.units.forms import at_home, in_form
from rulewright.systems.silhouette.units.setup import enter, unit_after
from silhouette.battles import RULES, battle, unit

MAGPIE = library.take("silhouette/vehicles/magpie-transformer", "vehicle").thing
FLIGHT = "Magpie in flight"


def scene():
    return battle(unit("One", design=MAGPIE, pace="combat"), unit("Two", "blue", (9, 9)))


def change(state, into):
    deed = {option.key: option for option in options_of(RULES, state, state.unit("One"))}[f"change into {into}"].value
    return script(action_of("transform").do(RULES, state, state.unit("One"), deed))


def test_the_first_change_of_a_turn_is_free_and_each_further_one_an_action():
    begun = scene()
    actions = actions_left(RULES, begun.unit("One"))
    once = change(begun, FLIGHT)
    assert once.outcome.unit("One").way == "air"
    assert once.outcome.unit("One").course.landed
    assert actions_left(RULES, once.outcome.unit("One")) == actions
    assert "One changes into Magpie in flight" in [event.headline() for event in once.events if event.logged]
    twice = change(once.outcome, "Magpie").outcome
    assert actions_left(RULES, twice.unit("One")) == actions - 1
    later = script(end_round(RULES, twice)).outcome
    assert later.unit("One").transformed == 0


def test_damage_to_what_both_forms_have_goes_along_and_the_rest_waits():
    one = unit("One", design=MAGPIE)
    arm = replace(one.arms[0], accuracy=2, left=(40,))
    parts = tuple([1 if "arm" in label else 3 if "sensors" in label else 0 for label in one.machine.auxiliaries])
    hurt = replace(one.with_arm(0, arm), wear=replace(one.wear, armor=3, maneuver=1, auxiliaries=parts))
    flying = in_form(hurt, FLIGHT)
    assert (flying.wear.armor, flying.wear.maneuver, flying.arms[0].accuracy, flying.arms[0].left) == (3, 1, 2, (40,))
    assert flying.auxiliary("sensors") == -3
    assert not flying.has("manipulator arm")
    back = in_form(flying, "Magpie")
    assert back.wear.auxiliaries == parts
    assert (back.arms, back.wear, back.way, back.stowed_parts) == (hurt.arms, hurt.wear, hurt.way, ())


def test_in_the_air_only_a_form_that_flies_is_offered():
    up = change(scene(), FLIGHT).outcome
    flying = up.put(replace(up.unit("One"), altitude=3, course=replace(up.unit("One").course, landed=False), used=0))
    assert not [option.key for option in options_of(RULES, flying, flying.unit("One")) if option.key.startswith("change into")]


def test_after_the_battle_the_file_knows_the_form_that_it_describes():
    up = change(scene(), FLIGHT).outcome.change("Two", crew=replace(unit("Two").crew, lost=1, dead=1))
    over = script(settle(RULES, up), []).outcome
    assert over.unit("One").machine.name == "Magpie"
    again = enter(RULES, MAGPIE, "One", "red", state={key: kept.value for key, kept in unit_after(at_home(up.unit("One"))).items()})
    assert again.arms == unit("One", design=MAGPIE).arms
