import pytest

from rulewright.dice import HighestDie, Percentile, Reading, Sum, sum_of, weights_of
from rulewright.errors import UserError


class Lowest(Reading[int], frozen=True):
    def sides(self):
        return (4, 4)

    def read(self, faces):
        return min(faces)


class Doubles(Reading[bool], frozen=True):
    def sides(self):
        return (4, 4)

    def read(self, faces):
        return faces[0] == faces[1]


def test_a_reading_explains_its_number_unless_it_says_otherwise():
    assert Lowest().explain((3, 2)) == (("dice", 2),)


def test_a_reading_of_anything_but_a_number_explains_nothing_unless_it_says_so():
    assert Doubles().explain((3, 3)) == ()


def test_all_dice_are_kept_unless_the_reading_says_otherwise():
    assert Lowest().kept((3, 2)) == (0, 1)


def test_dice_are_written_as_people_write_them():
    assert str(Sum((6, 10, 6))) == "2d6+1d10"


def test_faces_that_the_dice_cannot_show_are_refused():
    with pytest.raises(UserError, match="3d6 needs 3 faces, 2 given"):
        HighestDie(3).check((1, 2))
    with pytest.raises(UserError, match="a d6 cannot show 7"):
        HighestDie(2).check((7, 1))
    with pytest.raises(UserError, match="1d100 needs 1 face, 0 given"):
        Percentile().check(())
    HighestDie(2).check((6, 1))


def test_weights_are_computed_once_for_equal_readings():
    assert weights_of(sum_of(2, 6)) is weights_of(sum_of(2, 6))
    assert weights_of(sum_of(2, 6)) == sum_of(2, 6).weights()
