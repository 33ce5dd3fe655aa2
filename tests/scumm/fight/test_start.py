"""What a fight begins with: wounds past System Shock, gear as printed, and comrades who need help."""

import pytest
from msgspec.structs import replace

from rulewright.play import Tell, script
from rulewright.scenes.scenarios import Placed
from rulewright.systems.scumm.build.audit import audit
from rulewright.systems.scumm.build.sheet import sheet
from rulewright.systems.scumm.combat.fighters import enter
from rulewright.systems.scumm.combat.shots import spray
from rulewright.systems.scumm.combat.suppression import COMRADE, suppress
from rulewright.systems.scumm.fight.moves import move_options
from rulewright.systems.scumm.fight.scene import _started
from rulewright.systems.scumm.harm.body import Patient
from rulewright.systems.scumm.people.characters import Attributes, Character, Gear, Injuries

from ..fights import RULES, fight_of, someone, take_turn, told

WEAK = Character("Imke", attributes=Attributes(3, 0, 1, 1))  # System Shock 6


@pytest.mark.parametrize(
    ("flesh", "deep", "fate"),
    [
        (1, 2, ""),
        (0, 3, "dying, with 6 minutes left"),
        (1, 3, "dying, with 5 minutes left"),
        (1, 5, "dying, with 1 minute left"),
        (0, 6, "dead"),
    ],
)
def test_wounds_past_system_shock_are_dying_in_file_and_state(flesh, deep, fate):  # lines 55, 553
    hurt = replace(WEAK, injuries=Injuries(flesh=flesh, deep=deep))
    loaded = enter(RULES, hurt, "Imke", "a")
    described = _started(enter(RULES, WEAK, "Imke", "a"), Placed(WEAK, "Imke", "a", None, {"flesh": flesh, "deep": deep}))
    for fighter in (loaded, described):
        body = fighter.body
        assert body.able == (fate == "")
        assert body.dead == (fate == "dead")
        assert (body.trauma is not None) == fate.startswith("dying")
    noted = [problem.message for problem in audit(RULES, hurt).problems if problem.field == "injuries"]
    assert [message.endswith(f"the character is {fate}") for message in noted] == [True] * bool(fate)


def test_a_person_who_was_brought_back_is_not_dying_again():
    hurt = replace(WEAK, injuries=Injuries(deep=3))
    assert Patient.of(RULES, replace(hurt, condition={"resuscitated": True})).trauma is None
    assert Patient.of(RULES, replace(hurt, condition={"trauma": None})).able


@pytest.mark.parametrize(
    ("part", "printed"), [("guns", "9mm SMG"), ("guns", "Automatic shotgun"), ("melee", "Baseball bat"), ("armor", "Leather")]
)
def test_gear_is_accepted_as_printed(part, printed):  # lines 608-648
    owned = replace(WEAK, gear=replace(Gear(wealth=99), **{part: printed if part == "armor" else (printed,)}))
    assert not [problem for problem in audit(RULES, owned).problems if problem.field.startswith(f"gear.{part}") and not problem.warning]
    assert not [
        row for section in sheet(RULES, owned).sections for piece in section.pieces for row in getattr(piece, "rows", ()) if "?" in row
    ]
    carried = enter(RULES, owned, "Imke", "a")
    if part != "armor":
        named = _started(carried, Placed(owned, "Imke", "a", None, {"weapon": printed}))
        assert named.weapon.name == printed.lower()


def test_one_can_go_to_a_comrade_who_is_dying():
    doc, hurt = someone("Doc", side="a"), someone("Hurt", (9, 0), side="a", wounds={"trauma": 5})
    whole, foe = someone("Whole", (0, 9), side="a"), someone("Foe", (30, 0), side="b")
    fight = fight_of(doc, hurt, whole, foe)
    offered = {option.key for option in move_options(fight, fight.fighter("Doc"))}
    assert {"walk to Hurt", "run to Hurt", "walk to Foe"} <= offered
    assert "walk to Whole" not in offered


def test_getting_up_to_walk_is_told():
    fight = fight_of(someone("Ann", state={"mode": "prone"}), someone("Bob", (9, 0)), queue=(("Ann",),))
    assert "Ann stands up and walks 7 m" in told(take_turn(fight, "walk to Bob", "pass"))


def test_acting_at_the_same_moment_is_told():  # line 370
    ann, bob = (
        someone(name, at, guns=(".45 revolver",), pistols=3, state={"initiative": 4}) for name, at in (("Ann", (0, 0)), ("Bob", (5, 0)))
    )
    first = take_turn(fight_of(ann, bob, queue=(("Ann", "Bob"),)), "stay", "shoot:Bob", faces=[(6, 6, 6), (2,)])
    assert not first.outcome.fighter("Bob").body.able
    then = take_turn(first.outcome, "stay", "pass")
    assert "Bob acts at the same moment, not yet hindered by what has just happened" in told(then)


def verdicts_of(procedure, faces, by):
    """The verdicts that a procedure reports about what a person did."""
    found = []

    def watched():
        answer = None
        while True:
            try:
                request = procedure.send(answer)
            except StopIteration as end:
                return end.value
            if isinstance(request, Tell) and (verdict := request.event.verdict()) is not None and verdict.by == by:
                found.append(verdict)
            answer = yield request

    script(watched(), faces)
    return found


@pytest.mark.parametrize(("side", "good"), [("a", False), ("b", True)])
def test_harm_to_a_comrade_is_no_good_outcome(side, good):
    ann = someone("Ann", side="a", guns=("9mm smg",), pistols=3)
    fight = fight_of(ann, someone("Bo", (8, 0), side=side), someone("Cy", (40, 0), side="b"))
    found = verdicts_of(suppress(RULES, fight, "Ann", (8.0, 0.0), weapon_index=1), [(6, 5, 5), (2,)], "Ann")
    assert [(verdict.name == COMRADE, verdict.good) for verdict in found] == [(not good, good)]
    two = fight_of(ann, someone("Bo", (8, 0), side=side), someone("Cy", (8, 1), side="b"))
    found = verdicts_of(spray(RULES, two, "Ann", ("Bo", "Cy"), weapon_index=1), [(6, 5, 5), (2,), (3, 2, 2), (6,)], "Ann")
    assert [verdict.good for verdict in found] == [good]
