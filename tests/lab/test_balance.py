"""The search for a fair fight."""

import pytest

from rulewright.errors import UserError
from rulewright.lab import Variant, balance, solve
from rulewright.lab.examples.coins import Coins, Lives

HEROES = {"weak": 6, "strong": 3}


def against(quality: str, number: int) -> Variant:
    return Variant(Coins(), Lives(HEROES.get(quality, 4), number))


def exactly(quality: str, number: int) -> float:
    return solve(Coins(), Lives(HEROES[quality], number)).sides["left"].chance


def test_everything_in_the_range_is_found_for_every_quality() -> None:
    found = balance(against, ("weak", "strong"), side="left", between=(0.25, 0.75), most=16, seed=5)
    for quality in HEROES:
        right = [number for number in range(1, 17) if 0.25 <= exactly(quality, number) <= 0.75]
        assert sorted(one.number for one in found.found if one.quality == quality) == right
    middle = [abs(one.chance.chance - 0.5) for one in found.found if one.fits]
    assert middle == sorted(middle)
    assert len(found.tried) < 16
    assert all(one.fits is False for one in found.tried if not 0.2 < one.chance.chance < 0.8)
    assert found.public()["found"][0]["fits"] is True


def test_where_nothing_fits_nothing_is_found() -> None:
    assert balance(against, ("weak",), side="left", between=(0.0, 0.01), most=3).found == ()
    assert balance(against, ("strong",), side="left", between=(0.99, 1.0), most=3).found == ()


def test_it_stops_when_told_and_keeps_what_was_tried() -> None:
    told: list[str] = []

    def stop(progress: object) -> bool:
        told.append(progress.what)  # type: ignore[attr-defined]
        return len(told) < 2

    found = balance(against, ("weak",), side="left", between=(0.4, 0.6), fights=(2_000_000_000,), progress=stop)
    assert found.interrupted
    assert told[0] == "1 × weak"


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"between": (0.7, 0.6)}, "give a range from a smaller"),
        ({"between": (0.2, 1.6)}, "give a range from a smaller"),
        ({"between": (0.2, 0.6), "most": 0}, "give at least one opponent"),
        ({"between": (0.2, 0.6), "side": "middle"}, "no side 'middle'; there are left, right"),
    ],
)
def test_what_makes_no_sense_is_refused(wrong: dict[str, object], says: str) -> None:
    with pytest.raises(UserError, match=says):
        balance(against, **{"side": "left", **wrong})  # type: ignore[arg-type]
