"""Results of rules as plain data and in words."""

from msgspec import Struct

from rulewright.show.serialize import plain, words


class Whole(Struct, frozen=True):
    """Shows every field."""

    down: bool = False
    metres: int = 0


class Brief(Struct, frozen=True, omit_defaults=True):
    """Shows only fields that differ from their default."""

    down: bool = False
    metres: int = 0
    where: str | None = None


def test_a_structure_shows_all_its_fields():
    assert plain(Whole(metres=2)) == {"down": False, "metres": 2}
    assert words(plain(Whole())) == "not down, metres 0"


def test_one_that_omits_its_defaults_shows_only_the_rest():
    assert plain(Brief(metres=2)) == {"metres": 2}
    assert plain(Brief(True, 0, "arm")) == {"down": True, "where": "arm"}
    assert words(plain(Brief())) == "nothing"
