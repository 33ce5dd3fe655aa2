"""Helpers of all builders: similar names, fields, the cheapest repair, and the log of experience."""

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.build.audit import (
    MOST_REPAIRS,
    Fault,
    Repair,
    Saving,
    change,
    cheapest,
    faults,
    field_of,
    near_to,
    short,
    signed,
    with_key,
    without_key,
    without_place,
)


class Bought(msgspec.Struct, frozen=True):
    what: str
    price: int = 1


class Owner(msgspec.Struct, frozen=True):
    skills: dict[str, int] = {}
    log: tuple[Bought, ...] = ()


def test_a_name_is_found_whatever_its_capitals_and_only_where_it_is_near():
    known = ("First Aid", "Free Fall", "Pilot")
    assert near_to("first aid", known) == "First Aid"
    assert near_to("PILOTT", known) == "Pilot"
    assert near_to("Cooking", known) is None
    assert near_to("pilt", known, alike=0.95) is None


def test_texts_and_numbers_are_cut_and_signed_for_messages():
    assert short("x" * 50) == "x" * 39 + "…"
    assert short("short") == "short"
    assert [signed(number) for number in (2, 0, -1)] == ["+2", "0", "-1"]


def test_an_entry_is_changed_or_left_out_whatever_it_is_called():
    owner = Owner({"aim": 1, "odd..name": 2})
    assert field_of("skills", "aim") == "skills.aim"
    assert field_of("skills", "odd..name") == "skills"
    assert change(owner, *with_key("skills", owner.skills, "aim", 3)).skills == {"aim": 3, "odd..name": 2}
    assert change(owner, *with_key("skills", owner.skills, "odd..name", 3)).skills == {"aim": 1, "odd..name": 3}
    assert change(owner, *without_key("skills", owner.skills, "odd..name")).skills == {"aim": 1}
    assert without_place("log", ["a", "b", "c"], 1) == ("log", ["a", "c"])
    assert without_place("log", ["a"], 0, MOST_REPAIRS) == ("", None)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 5)), max_size=6), st.integers(1, 25))
def test_the_cheapest_change_saves_enough_and_no_more_than_it_must(ways, over):
    savings = [Saving(points, hurts, (points, hurts)) for points, hurts in ways]
    found = cheapest(savings, over)
    enough = [way for way in ways if way[0] >= over]
    if enough:
        assert found == min(enough)
    elif ways:
        most = max(points for points, _ in ways)
        assert found == (most, min(hurts for points, hurts in ways if points == most))
    else:
        assert found is None


def test_faults_of_a_log_name_their_entry_and_bring_a_repair():
    owner = Owner(log=(Bought("aim"), Bought("nothing"), Bought("aim", -1)))

    def take(entry):
        if entry.what == "nothing":
            yield Fault("r-1", "there is no nothing")
        elif entry.price < 0:
            yield Fault("r-2", "a price below nothing", "pay 1", "price", 1, over=1)
        else:
            yield Fault("r-3", "to be known", warning=True)

    known, gone, cheap = faults("log", owner.log, take)
    assert (known.warning, known.repair, known.field) == (True, None, "log.0")
    assert gone.repair == Repair("leave it out", "log", [{"what": "aim", "price": 1}, {"what": "aim", "price": -1}])
    assert (cheap.field, cheap.over, cheap.repair) == ("log.2.price", 1, Repair("pay 1", "log.2.price", 1))
    assert change(owner, cheap.repair.field, cheap.repair.value).log[2].price == 1
