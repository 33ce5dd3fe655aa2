"""How the table's page is drawn, without a browser."""

import pytest
from msgspec.structs import replace

from rulewright.build.sheet_parts import Card, Place, SceneView
from rulewright.library import stage
from rulewright.scenes.chances import TOO_LONG, Estimate, Outcome, Weighed
from rulewright.table.state import HouseRules, Map
from rulewright.table.views import MemberShown, SceneShown, TableShown
from rulewright.web.table import board, questions


def _seen(places: tuple[Place, ...], grid: str = "square") -> tuple[TableShown, SceneShown]:
    me = MemberShown("m1", "Gitte", "gamemaster", True, False, True)
    view = SceneView("Fight", "Round 1", tuple(Card(place.name, place.name[0], ()) for place in places), None, places)
    scene = SceneShown(1, "Fight", False, view, (), (), between_steps=True)
    return TableShown("t", "T", "scumm", "", me, (me,), (), (scene,), (), Map(grid), (), HouseRules(), ()), scene


def test_the_map_shows_everybody_and_keeps_its_shape():
    seen, scene = _seen((Place(0, 0, name="Ana"), Place(300, 40, name="Bo")))
    drawn = board.board(seen, scene)
    assert drawn is not None
    assert drawn.width / drawn.height == board.MIN_WIDTH / board.MIN_HEIGHT
    for each in drawn.counters:
        assert drawn.left < each.x < drawn.left + drawn.width
        assert drawn.top < each.y < drawn.top + drawn.height
    assert drawn.width / drawn.cell <= board.MAX_LINES
    assert all(each.movable for each in drawn.counters)


def test_those_on_one_spot_are_drawn_beside_each_other():
    seen, scene = _seen((Place(3, 3, name="Ana"), Place(3, 3, name="Bo"), Place(3, 3, name="Cy")), "hex")
    drawn = board.board(seen, scene)
    assert drawn is not None
    assert drawn.hexes
    assert len({each.shift for each in drawn.counters}) == 3
    assert {(each.x, each.y) for each in drawn.counters} == {(3, 3)}


def test_no_map_where_nobody_has_a_place():
    seen, scene = _seen(())
    assert board.board(seen, scene) is None


def test_outcomes_go_from_nothing_to_the_worst():
    outcomes = tuple(Outcome(name, 0.2, place, place > 0) for place, name in enumerate(("miss", "bruise", "flesh", "deep", "death")))
    (prospect,) = questions.prospects([Weighed("shoot", outcomes)])
    assert prospect.large == "80.0 %"
    assert [part.kind for part in prospect.bar] == ["bad0", "bad1", "bad2", "bad2", "bad3"]
    (pinned,) = questions.prospects([Weighed("pin", (Outcome("no", 0.25, 0, False), Outcome("pinned", 0.75, 1, True)), 0.1)])
    assert [part.kind for part in pinned.bar] == ["bad0", "good"]
    assert pinned.words.startswith("at least")
    assert (pinned.large, pinned.hoped) == ("≥ 75.0 %", None)
    assert prospect.hoped == 0.8


def test_touched_without_harm_has_a_shade_of_its_own_and_harm_begins_light():
    scale = ("miss", "nothing", "flesh", "deep", "death")
    struck = tuple(Outcome(name, 0.2, place, place > 1) for place, name in enumerate(scale))
    met = tuple(Outcome(name, 0.2, place, place < 2) for place, name in enumerate(scale))
    for outcomes in (struck, met):
        (prospect,) = questions.prospects([Weighed("shoot", outcomes)])
        assert [part.kind for part in prospect.bar] == ["bad0", "graze", "bad1", "bad2", "bad3"]


def test_the_large_number_is_the_sum_of_the_small_ones():
    shares = (0.02851, 0.04849, 0.08649, 0.01249, 0.82402)
    outcomes = tuple(Outcome(f"{place}", share, place, place == 0) for place, share in enumerate(shares))
    (prospect,) = questions.prospects([Weighed("block", outcomes, counts="unhurt")])
    assert prospect.large == prospect.bar[0].percent
    assert sum(float(part.percent.removesuffix(" %")) for part in prospect.bar) == pytest.approx(100)


def test_where_nothing_good_can_come_of_it_the_large_number_is_none():
    (prospect,) = questions.prospects([Weighed("follow", (Outcome("falls behind", 1.0, 2, False),), counts="gains")])
    assert (prospect.large, prospect.counts) == ("0.0 %", "gains")


def test_what_is_not_counted_in_time_is_a_part_of_the_bar():
    (prospect,) = questions.prospects([Weighed("walk", (Outcome("falls behind", 0.62, 0, False),), 0.38, counts="gains")])
    assert [(part.name, part.percent) for part in prospect.bar] == [("falls behind", "62.0 %"), (questions.NOT_COUNTED, "38.0 %")]


def test_an_estimate_says_about_in_whole_percents_with_its_margin_and_is_compared_with_nothing():
    outcomes = (Outcome("no set", 0.6625, 0, False), Outcome("hurt", 0.204, 1, True), Outcome("down", 0.1335, 2, True))
    late = Weighed("suppress", why_not=TOO_LONG, counts="hits", about=Estimate(outcomes, 240, 0.0621))
    bound = Weighed("wait", outcomes[:1], 0.3375, counts="hits", about=Estimate(outcomes, 240, 0.0621))
    for prospect in questions.prospects([late, bound]):
        assert (prospect.large, prospect.counts, prospect.margin) == ("about 34 %", "hits", "± 6")
        assert prospect.about == "240 simulations: 34 % ± 6"
        assert [(part.name, part.percent) for part in prospect.bar] == [("no set", "66 %"), ("hurt", "21 %"), ("down", "13 %")]
        assert prospect.words == "about no set 66 % · hurt 21 % · down 13 %"
        assert (prospect.why_not, prospect.hoped) == ("", None)
    (exact,) = questions.prospects([Weighed("shoot", outcomes)])
    assert (exact.margin, exact.about) == ("", "")
    (nothing,) = questions.prospects([Weighed("suppress", why_not=TOO_LONG)])
    assert (nothing.large, nothing.why_not, nothing.hoped) == ("", TOO_LONG, None)


def test_a_banner_says_how_long_it_is():
    assert questions.Banner("", ("Ana walks 2 m",), (), "").size == ""
    assert questions.Banner("", ("x" * 60, "y" * 20), (), "").size == " long"
    assert questions.Banner("", ("x" * 60, "y" * 80), (), "").size == " long longer"


def test_names_are_told_apart_by_two_letters():
    assert [board.initials(name) for name in ("Guard 2", "Ana", "Sergeant Voss")] == ["G2", "An", "SV"]


def test_the_same_outcome_has_the_same_colour_beside_every_option():
    from rulewright.scenes.chances import Outcome, Weighed

    nothing = Outcome("no set", 0.5, 0, False)
    hurt, down = Outcome("hurt", 0.3, 1, True), Outcome("down", 0.2, 2, True)
    attack, shot = questions.prospects((Weighed("attack", (nothing, hurt, down)), Weighed("shot", (nothing, down))))
    assert [part.kind for part in attack.bar] == ["bad0", "bad1", "bad3"]
    assert [part.kind for part in shot.bar] == ["bad0", "bad3"]
    (alone,) = questions.prospects((Weighed("shot", (nothing, down)),))
    assert [part.kind for part in alone.bar] == ["bad0", "good"]


def test_the_hexes_that_somebody_takes_up_are_drawn_from_where_they_stand():
    staged = stage("silhouette/scrapyard")
    view = staged.scene.view(staged.state, None)
    seen, scene = _seen(())
    drawn = board.board(seen, replace(scene, view=view))
    eater = next(each for each in drawn.counters if each.name == "Rust-eater")
    assert eater.covers == ((0.0, 1.0), (0.0, 2.0))
    assert all(not each.covers for each in drawn.counters if each.name != "Rust-eater")
