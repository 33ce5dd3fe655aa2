"""Days in the workshop: the book's machine (lines 5266-5272), labor over days, what is kept, what breaks, and the file afterwards."""

import pytest
from msgspec.structs import replace

from rulewright import library
from rulewright.errors import UserError
from rulewright.play import Player, Seeded, script
from rulewright.rules.reasons import holds
from rulewright.scenes.scenarios import Member, Placed, Scenario
from rulewright.scenes.scene import run
from rulewright.systems.silhouette.machines.vehicle import Fitted
from rulewright.systems.silhouette.people.characters import Character
from rulewright.systems.silhouette.repairs.events import Repaired
from rulewright.systems.silhouette.repairs.jobs import jobs_of, mended, threshold
from rulewright.systems.silhouette.repairs.scene import REPAIR_TACTICS, RepairsScene, begin, cheapest, labor, new_day
from rulewright.systems.silhouette.units.setup import enter
from rulewright.systems.silhouette.units.units import auxiliaries
from silhouette.battles import RULES, by
from silhouette.machines.designs import HUNTER as EASY

HUNTER = replace(EASY, perks=tuple(each for each in EASY.perks if each.name != "easy to modify"))

JACKIE = Character("Jackie", skills={"technical sciences (mechanics)": 3}, complexity={"technical sciences (mechanics)": 2})
BEATEN = {
    "wear.armor": 5,
    "wear.slowed": [{"type": "walker", "combat": 4, "top": 4}],
    "wear.maneuver": 2,
    "wear.failed": ["ground"],
}
"""Five points of Armor, four Movement Points, two of Maneuver and a power transfer failure, at Size 6."""


def shop(*members, rules=RULES, **place):
    scenario = Scenario("silhouette", "scenario", "Test", {"us": [Member("x")]}, scene="repairs", place={"days": 5, **place}, rounds=5)
    return begin(rules, scenario, members or (Placed(JACKIE, "Jackie", "us", None, {}), Placed(HUNTER, "Hunter", "us", None, dict(BEATEN))))


def morning(rules=RULES, **place):
    return shop(rules=rules, **place)


def work(state, key, faces, rules=RULES, choices=()):
    return script(labor(rules, state, "Jackie"), faces, [f"mend Hunter: {key}", *choices])


def left(state):
    return state.technician("Jackie").points


def test_the_machine_of_the_example_has_four_damages_and_its_technician_25_points():
    """Lines 5268-5270."""
    state = morning()
    assert [job.key for job in state.jobs] == ["power transfer ground", "movement points walker", "maneuver", "armor"]
    assert left(state) == 25


def test_the_example_pays_the_size_once_and_is_done_in_a_day():
    """Lines 5270-5272, by the example's own sums: 24 points, a three and a four for the Armor."""
    rules = by(repair_labor="once a day", repair_again="free")
    state = morning(rules=rules)
    state = work(state, "armor", [(2, 1, 1), (3, 1, 1)], rules).outcome
    assert left(state) == 25 - 11
    state = work(state, "movement points walker", [(6, 2, 1)], rules).outcome
    state = work(state, "maneuver", [(6, 6, 1)], rules).outcome
    assert left(state) == 25 - 11 - 4 - 4
    state = work(state, "power transfer ground", [(6, 2, 1)], rules).outcome
    assert left(state) == 1
    assert state.jobs == ()
    assert RepairsScene(rules).result(state).winner == "us"


def test_by_the_text_every_damage_costs_the_size_again():
    state = work(morning(), "armor", [(2, 1, 1)]).outcome
    assert left(state) == 25 - 11
    assert state.work(state.jobs[-1]).kept == 3
    again = work(state, "armor", [(3, 1, 1)]).outcome
    assert left(again) == 25 - 22
    assert [job.key for job in again.jobs] == ["power transfer ground", "movement points walker", "maneuver"]


def test_a_fumble_breaks_something_else_like_light_damage():
    """Lines 5272: the drive train, a Movement Point and a point of Armor."""
    played = work(morning(), "power transfer ground", [(1, 1, 1), (4,)])
    state = played.outcome
    event = next(event for event in played.events if isinstance(event, Repaired))
    assert event.verdict().name == "breaks more"
    wear = state.bench("Hunter").unit.wear
    assert (wear.armor, wear.lost_by("walker").top) == (6, 5)
    assert wear.failed == ("ground",)


def test_what_is_too_much_for_a_day_is_paid_over_days():
    poor = replace(JACKIE, skills={"technical sciences (mechanics)": 1}, complexity={})
    state = shop(Placed(poor, "Jackie", "us", None, {}), Placed(HUNTER, "Hunter", "us", None, dict(BEATEN)), parts=False, tools=False)
    assert left(state) == 2
    played = work(state, "armor", [])
    assert "2 of 11 Labor Points" in played.events[0].headline()
    later = script(new_day(played.outcome)).outcome
    assert work(later, "armor", []).outcome.works[0].paid == 4


def test_technicians_work_together_with_their_average_rounded_up():
    helper = Character("Olu", skills={"tinker": 1})
    state = shop(
        Placed(JACKIE, "Jackie", "us", None, {}), Placed(helper, "Olu", "us", None, {}), Placed(HUNTER, "Hunter", "us", None, dict(BEATEN))
    )
    state = replace(state, technicians=(replace(state.technician("Jackie"), points=5), state.technician("Olu")))
    state = work(state, "armor", []).outcome
    played = script(labor(RULES, state, "Olu"), [(6, 5)], ["mend Hunter: armor"])
    assert len(played.rolls[0].faces) == 2
    assert "armor" not in [job.key for job in played.outcome.jobs]


def test_every_damage_of_a_machine_can_be_mended_and_then_it_is_whole():
    state = {
        **BEATEN,
        "wear.compartment": True,
        "wear.destroyed": "structure",
        "arms.assault rifle": {"accuracy": 2},
        "arms.rocket pack": {"broken": True},
    }
    fresh = enter(RULES, HUNTER, "Hunter", "us", state={})
    state["wear.auxiliaries"] = [1] * len(auxiliaries(fresh.machine))
    begun = shop(Placed(JACKIE, "Jackie", "us", None, {}), Placed(HUNTER, "Hunter", "us", None, state), days=300)
    begun = replace(begun, shop=replace(begun.shop, days=300))
    scene = RepairsScene(RULES)
    ended = Player(Seeded(4), cheapest).run(run(scene, begun))
    assert scene.result(ended).winner == "us"
    assert jobs_of(ended.benches[0].unit) == ()
    assert ended.benches[0].unit == fresh


def test_scrap_is_not_repaired():
    state = {"wear.destroyed": "overkill", "wear.armor": 3}
    begun = shop(Placed(JACKIE, "Jackie", "us", None, {}), Placed(HUNTER, "Hunter", "us", None, state))
    assert begun.jobs == ()
    assert "cannot be repaired" in RepairsScene(RULES).result(begun).why


@pytest.mark.parametrize(
    ("members", "why"),
    [
        ((Placed(HUNTER, "Hunter", "us", None, {}),), "at least one character"),
        ((Placed(JACKIE, "Jackie", "us", None, {}),), "at least one vehicle"),
        ((Placed(JACKIE, "Jackie", "us", None, {}), Placed(HUNTER, "Hunter", "them", None, {})), "on one side"),
        ((Placed(JACKIE, "Jackie", "us", None, {"points": 3}), Placed(HUNTER, "Hunter", "us", None, {})), "no field 'points'"),
    ],
)
def test_a_workshop_that_cannot_be_is_refused(members, why):
    with pytest.raises(UserError, match=why):
        shop(*members)


def test_what_is_mended_is_written_into_the_file():
    staged = library.stage("silhouette/scenarios/workshop")
    player = Player(Seeded(2), staged.decide)
    ended = player.run(run(staged.scene, staged.state))
    lasts = staged.scene.lasting(ended, "Heron One")
    assert lasts["wear.armor"].value == 0
    assert not lasts["wear.slowed"].value
    assert set(REPAIR_TACTICS) == {"urgent", "cheapest"}


def test_every_sum_of_a_repair_holds():
    played = work(morning(), "armor", [(2, 1, 1)])
    assert all(holds(reason) for event in played.events for reason in event.reasons())


def test_worn_shields_and_burnt_boosters_are_mended_too():
    """A blade that parried is as sound as before; a booster takes a complete overhaul (line 9064), with what overburning left worse."""
    fitted = replace(HUNTER, perks=(*HUNTER.perks, Fitted("power booster", 3)))
    name = HUNTER.systems[0].name
    state = {"wear.burnt": 2, "wear.overburnt": ["maneuver"], f"arms.{name}.worn": 4}
    worn = enter(RULES, fitted, "Hunter", "us", state=state)
    jobs = {job.key: job for job in jobs_of(worn)}
    assert {key: job.words for key, job in jobs.items()} == {
        f"accuracy worn {name}": f"4 damage of the {name}",
        "structural failure power booster": "the power booster, by an overhaul",
    }
    assert threshold(RULES, jobs["structural failure power booster"]).value == 8
    whole = worn
    for job in jobs.values():
        whole = mended(whole, job)
    assert (whole.wear.burnt, whole.wear.overburnt, whole.arms[0].worn) == (0, (), 0)
    assert jobs_of(whole) == ()


def test_every_section_and_component_stands_in_the_workshop_by_itself():
    crawler = library.take("silhouette/vehicles/tortoise-crawler", "vehicle").thing
    trident = library.take("silhouette/vehicles/trident-combiner", "vehicle").thing
    beaten = {"sections.fore turret.wear.armor": 3, "sections.aft turret.wear.destroyed": "overkill"}
    state = shop(
        Placed(JACKIE, "Jackie", "us", None, {}),
        Placed(crawler, "Tortoise", "us", None, beaten),
        Placed(trident, "Trident", "us", None, {"wear.destroyed": "overkill", "components.scout.wear.armor": 1}),
    )
    assert {(job.machine, job.words) for job in state.jobs} == {
        ("Tortoise's fore turret", "3 Armor"),
        ("Trident", "the structure"),
        ("Trident's scout", "1 Armor"),
    }
    kept = RepairsScene(RULES).lasting(state, "Tortoise")
    assert (kept["sections.fore turret.wear.armor"].value, kept["sections.aft turret.wear.destroyed"].value) == (3, "overkill")
    assert RepairsScene(RULES).lasting(state, "Trident")["components.scout.wear.armor"].value == 1
