"""The two stories of the combat chapter, played from scripted dice and choices, interrupt by interrupt (book lines 3008-3018, 3300-3330).

What is printed stands in `transcripts/` as a text that can be read; a change of the rules shows there.
"""

from importlib.resources import files
from pathlib import Path

import pytest
from msgspec.structs import replace

from foresight.fights import RULES, Table, fight_of, someone
from rulewright.play import Roll
from rulewright.systems.foresight.combat.fighters import Area, CoverSpot, Ground
from rulewright.systems.foresight.fight.bonus_actions import bonus_task
from rulewright.systems.foresight.fight.turns import initiative_task
from rulewright.systems.foresight.fight.wait_actions import comes
from rulewright.systems.foresight.people.characters import Arm
from rulewright.systems.foresight.resolution.tests import chance_of

FOLDER = Path(__file__).parent / "transcripts"
SIX_SHOOTER = "Revolver (TL4.25)"


def same_as_kept(name, text):
    kept = FOLDER / f"{name}.txt"
    assert text == kept.read_text(encoding="utf-8"), f"the story is told otherwise than in {kept.name}"


# --- two gunslingers (3012-3018) ----------------------------------------------------------------------------------------------


def gunslinger(name, x, other, qr=4):
    """Dexterity 9, a bulky six-shooter cocked in its holster, waiting since before the story begins."""
    state = {"waiting": True, "qr": qr, "focus": other, "ready": (1,), "acts": 0}
    return someone(name, (x, 0.0), guns=(SIX_SHOOTER,), DX=9, PC=12, handguns=12, initiative=6, pain=6, state=state)


def street(joe=4, noname=4):
    return Table(fight_of(gunslinger("Joe", 0.0, "Noname", joe), gunslinger("Noname", 8.0, "Joe", noname), round=1))


BEGINNING = [
    ("Joe", "QR3"),
    ("Noname", "QR4"),
    ("Noname", "Joe"),  # focus is declared from the worst to the best
    ("Joe", "Noname"),
    ("Joe", "bonus:draw"),
    ("Joe", "QR4"),
    ("Joe", f"draw:{SIX_SHOOTER}"),
]


def test_two_gunslingers():
    table = street()
    assert table.asks() == [("Joe", "initiative"), ("Noname", "initiative")]
    table.play(*BEGINNING)
    joe = table.fighter("Joe")
    assert (joe.bonuses, joe.acts, joe.drawn) == (0, 2, 1)  # one bonus draw, used first: two normal actions to go
    assert table.asks() == [("Noname", "now")]
    table.play(("Noname", "now"), ("Noname", "draw"), ("Noname", "QR3"))
    table.play(("Noname", f"draw:{SIX_SHOOTER}"))
    noname = table.fighter("Noname")
    assert (noname.bonuses, noname.acts, noname.drawn) == (1, 2, 1)  # two bonus draws, the first of them used
    assert table.asks() == [("Joe", "act")]
    table.play(("Joe", f"draw:{SIX_SHOOTER}"))  # the weapon is prepared, one action is left
    assert (table.fighter("Joe").acts, table.fighter("Joe").weapon.name) == (1, SIX_SHOOTER)
    table.play(("Noname", "now"), ("Noname", f"draw:{SIX_SHOOTER}"))  # and so is Noname's, with the second bonus draw
    noname = table.fighter("Noname")
    assert (noname.bonuses, noname.acts, noname.weapon.name) == (0, 2, SIX_SHOOTER)
    table.play(("Joe", "fire:Noname"))
    assert table.asks() == [("Noname", "duck")]  # equal or worse initiative does not come first: Joe gets his shot off
    table.play(("Noname", "nothing"), ("Joe", "QR7"))
    # Noname has both actions left: he can aim and fire, or fire twice
    assert table.asks() == [("Noname", "now")]
    table.play(("Noname", "now"), ("Noname", "aim:Joe"))
    assert table.asks() == [("Noname", "turn")]  # Joe is done, and what Noname began goes on
    table.play(("Noname", "act"), ("Noname", "fire:Joe"))
    table.play(("Joe", "nothing"), ("Noname", "QR2"), ("Joe", 5), ("Joe", "QR7"))
    assert table.fighter("Joe").body.wounds == 2
    assert table.fighter("Joe").body.stunned
    assert table.asks() == [("Joe", "initiative"), ("Noname", "initiative")]
    same_as_kept("gunslingers", table.transcript())


def test_a_better_initiative_shoots_first():  # 3018
    table = street(noname=2)
    table.play(*BEGINNING)
    table.play(("Noname", "first"), ("Noname", "draw"), ("Noname", "QR3"), ("Noname", f"draw:{SIX_SHOOTER}"))
    assert (table.fighter("Noname").drawn, table.fighter("Joe").drawn) == (1, 1)  # and the rest of his turn follows Joe's doings
    table.play(("Noname", "now"), ("Noname", f"draw:{SIX_SHOOTER}"), ("Joe", f"draw:{SIX_SHOOTER}"))
    assert table.asks() == [("Noname", "now")]  # a step ahead of Joe, who has only just drawn
    table.play(("Noname", "now"), ("Noname", "fire:Joe"), ("Joe", "nothing"), ("Noname", "QR1"), ("Joe", 10), ("Joe", "QR7"))
    assert table.fighter("Joe").out  # a shot to the head, and Joe never fires
    assert table.fighter("Noname").ammo[1] == 5
    assert table.fighter("Joe").ammo[1] == 6
    assert table.encounter.result.winner == "Noname"


def test_only_the_first_action_of_a_turn_comes_before_another():  # 2980
    table = street(noname=2)
    table.play(*BEGINNING)
    table.play(("Noname", "first"), ("Noname", "none"), ("Noname", f"draw:{SIX_SHOOTER}"), ("Noname", "wait"))
    assert table.fighter("Noname").acted
    table.play(("Joe", f"draw:{SIX_SHOOTER}"))
    assert table.asks() == [("Noname", "now")]  # not "first": Joe has drawn
    table.play(("Noname", "wait"), ("Joe", "fire:Noname"))
    assert table.asks() == [("Noname", "duck")]
    assert [comes(RULES, 2, 3), comes(RULES, 2, 3, first=False)] == ["before", "after"]


def test_an_old_rating_holds_only_until_the_next_turn():  # 2978
    table = street(noname=2)
    table.play(("Joe", "QR3"), ("Noname", "QR4"), ("Noname", "Joe"), ("Joe", "Noname"))
    assert table.fighter("Noname").qr == 2
    table.play(("Joe", "wait"), ("Noname", "wait"))
    assert table.fighter("Noname").qr == 4  # his turn has come up: the new rating counts
    table.play(("Joe", "QR3"), ("Noname", "QR3"), ("Noname", "Joe"), ("Joe", "Noname"))
    assert table.fighter("Noname").qr == 4


def test_the_game_shows_the_story_as_it_is_played():
    page = files("rulewright.systems.foresight").joinpath("README.md").read_text(encoding="utf-8")
    assert (FOLDER / "gunslingers.txt").read_text(encoding="utf-8") in page


# --- the sniper (3300-3330) ---------------------------------------------------------------------------------------------------

GROUND = Ground(
    covers=(
        CoverSpot("the crates", 0, 0, "2/3 cover", bare=("head",), barriers=("8",)),
        CoverSpot("the wall", 6, 0, "out of sight", barriers=("3", "3")),
    ),
    areas=(Area("the corner", 6, 0, 2),),
)
RIFLE = Arm("Cartridge Laser Rifle", ("Heavy", "Target"), name="target rifle")
AUTOMATIC = Arm("SL Rifle", ("Advanced", "Auto Long Burst"), ("dc", "jam"), name="automatic rifle")
SIDEARM = Arm("SL Pistol (TL5)", name="sidearm")


def raid():
    sniper = someone(
        "Sniper",
        (0.0, 240.0),
        side="police",
        guns=(RIFLE,),
        PC=12,
        DX=12,
        longarms=12,
        initiative=10,
        weapon="target rifle",
        state={"stance": "prone", "braced": True, "shouldered": True, "awareness": 3},
    )
    gunman = someone(
        "Gunman",
        (0.0, 0.0),
        side="crew",
        guns=(AUTOMATIC,),
        DX=9,
        longarms=8,
        initiative=7,
        pain=8,
        weapon="automatic rifle",
        state={"cover": "the crates", "awareness": -2, "shouldered": True, "unaware_of": ("Sniper",)},
    )
    amy = someone("Amy", (14.0, 0.0), side="police", guns=(SIDEARM,), armor=(("Silkweave", "Vest"),), handguns=8, initiative=7, pain=5)
    fight = fight_of(sniper, gunman, amy, ground=GROUND, round=0)
    return Table(fight.change("Gunman", facing=0))


def test_the_sniper_who_waits():
    table = raid()
    sniper = table.fighter("Sniper")
    # the first round: QR3, QR4 and QR4; the unseen sniper's roll is a secret
    secret = {request.by: request.secret for _, request in table.encounter.open if isinstance(request, Roll)}
    assert secret == {"Sniper": True, "Gunman": False, "Amy": False}
    table.play(("Sniper", "QR3"), ("Gunman", "QR4"), ("Amy", "QR4"))
    table.play(("Amy", "Gunman"), ("Gunman", "area:the corner"), ("Sniper", "Gunman"))
    table.play(("Sniper", "bonus:aim"))
    assert (
        chance_of(RULES, bonus_task(RULES, sniper.profile, sniper.body, sniper.weapon, "aim")) == 108
    )  # 7 x 12, and the sights of a target rifle
    table.play(("Sniper", 63))  # QR4: two bonus aims
    for _ in range(3):
        table.play(("Sniper", "aim:Gunman"))
    assert (table.fighter("Sniper").aim, table.fighter("Sniper").bonuses) == (3, 0)
    table.play(("Sniper", "wait"), ("Gunman", "wait"))
    table.play(("Amy", "bonus:draw"), ("Amy", "QR4"), ("Amy", "move"), ("Amy", "cover:the wall"))
    table.play(("Amy", "draw:sidearm"), ("Amy", "draw:sidearm"))
    assert (table.fighter("Amy").weapon.name, table.fighter("Amy").x) == ("sidearm", 9.0)
    assert table.asks()[0] == ("Sniper", "initiative")

    # the second: the gamemaster thinks again of who knows what; QR3, QR3, QR4
    changes = [(f"fighters.{at}.awareness", value) for at, value in enumerate((2, 0, 0))]
    changes += [("fighters.2.x", 6.0), ("fighters.2.cover", "the wall")]
    table.encounter.overrule(*changes, why="Amy stops at the wall; the gunman has heard her")
    table.play(("Sniper", "QR3"), ("Gunman", "QR3"), ("Amy", "QR4"))
    table.play(("Amy", "Gunman"), ("Gunman", "Amy"), ("Sniper", "Gunman"))
    assert table.asks() == [("Sniper", "turn")]  # a tie goes to the better Initiative
    table.play(("Sniper", "wait"), ("Gunman", "bonus:fire"))
    table.play(("Gunman", 62))  # 7 x 9 = 63: QR4, one bonus fire action
    assert table.fighter("Gunman").bonuses == 1
    table.play(("Gunman", "fire how:Amy"), ("Gunman", "area burst"))
    assert table.asks() == [("gamemaster", "guess")]
    table.play(("gamemaster", 2))
    assert table.asks() == [("Sniper", "reflex")]  # the same rating does not pre-empt, whatever the scores; a reflex has no aim
    table.play(("Sniper", "nothing"), ("Gunman", "QR3"))  # half of six rounds hit
    # where, the random rating, the vest in the way or not, the pain
    table.play(("Amy", 3), ("Amy", 5), ("Amy", 4), ("Amy", "QR4"))
    table.play(("Amy", 3), ("Amy", 5), ("Amy", 4), ("Amy", "QR4"))
    table.play(("Amy", 7), ("Amy", 5), ("Amy", 10), ("Amy", "QR7"))  # QR3 where the vest is not
    amy = table.fighter("Amy").body
    assert (amy.wounds, amy.stunned) == (2, True)

    # right after it, one action of the sniper's: a bonus fire action by a failed roll
    assert table.asks() == [("Sniper", "now")]
    table.play(("Sniper", "now"), ("Sniper", "fire"), ("Sniper", "QR7"))
    assert table.fighter("Sniper").bonuses == 1
    table.play(("Sniper", "fire how:Gunman"), ("Sniper", "head"))
    (_, shot), *_ = table.encounter.open
    assert table.asks() == [("Sniper", "shot")]
    # -3 range, +1 braced and prone, +3 aims, -4 head, +1 unaware are the -2 of the story; the weapon's own +1 is left out there.
    # Longarms 24 is 20+1: base ease factor 4, less 1, plus 1
    assert shot.reading.limits[3] == 20 * 4
    table.play(("Sniper", "QR4"), ("Gunman", "QR4"))
    gunman = table.fighter("Gunman").body
    assert (gunman.wounds, gunman.stunned) == (2, False)  # 1 and one for the head; the book says 2 and 3

    # the gunman's second action, and the sniper's second shot
    table.play(("Gunman", "fire:Sniper"), ("Sniper", "nothing"), ("Gunman", "QR7"))
    assert table.fighter("Sniper").just_hit == "Gunman"
    table.play(("Sniper", "now"), ("Sniper", "fire how:Gunman"), ("Sniper", "head"))
    table.play(("Gunman", "QR7"), ("Sniper", 1))  # his attention is on Amy: he does not notice in time to duck
    assert table.fighter("Gunman").out
    assert table.fighter("Sniper").acts == 1  # the sniper still has an action left
    same_as_kept("sniper", table.transcript())


def test_the_gunman_knows_nothing_of_the_sniper():
    table = raid()
    table.play(("Sniper", "QR3"), ("Gunman", "QR4"), ("Amy", "QR4"))
    view = table.encounter.scene.view(table.fight, "Gunman")
    assert {card.name for card in view.cards} == {"Gunman", "Amy"}
    table.play(("Amy", "Gunman"), ("Gunman", "area:the corner"), ("Sniper", "Gunman"))
    table.play(("Sniper", "bonus:aim"), ("Sniper", "QR4"), ("Sniper", "aim:Gunman"), ("Sniper", "wait"))
    seen = [line for line in table.encounter.log if not line.hidden_from("Gunman")]
    assert not any("Sniper" in str(line.what) for line in seen)
    assert any("Sniper" in str(line.what) for line in table.encounter.log if not line.hidden_from("Amy"))  # she was told


def test_what_the_unseen_are_asked_is_a_secret():
    table = raid()
    table.play(("Sniper", "QR3"), ("Gunman", "QR4"), ("Amy", "QR4"), ("Amy", "Gunman"), ("Gunman", "area:the corner"))
    for given in ("Gunman", "bonus:aim", "QR4", "aim:Gunman"):
        (_, request), *_ = table.encounter.open
        assert request.secret
        table.play(("Sniper", given))


@pytest.mark.parametrize(("rating", "before"), [(2, True), (3, False), (4, False)])
def test_the_sniper_of_the_waiting_rules(rating, before):  # 2984-2990: fire now, or afford to see whether the gunman fires
    fight = raid().fight.change("Sniper", waiting=True, qr=rating, focus="Gunman", acts=2, aim=3, aim_at="Gunman")
    fight = fight.change("Gunman", qr=3, acts=2, unaware_of=("Sniper",), focus="Amy")
    table = Table(replace(fight, round=1, turn="Gunman"))
    table.play(("Gunman", "fire how:Amy"), ("Gunman", "area burst"), ("gamemaster", 4))
    assert table.asks() == ([("Sniper", "first")] if before else [("Sniper", "reflex")])


def test_initiative_is_rolled_with_awareness():  # 2945-2960
    sniper = raid().fighter("Sniper")
    assert initiative_task(RULES, sniper).modifier == 3
