"""What the gamemaster sees before time passes: dues, and exact chances of milestones."""

from fractions import Fraction

import pytest

from rulewright.table.commands import campaign_messages as c
from rulewright.table.commands import messages as a
from rulewright.table.scenes.downtime_preview import preview
from table.group import gather


@pytest.fixture
def group(kept):
    return gather(kept, "scumm")


def seen(group, wanted):
    with group.tables.looking(group.table) as table:
        return preview(table, wanted, seconds=20)


def hurt(group, name, **condition):
    character = group.act("bea", a.AddCharacter(of="character", name=name)).made
    group.act("bea", a.ChangeCharacter(character, "condition", condition))
    return character


def test_healing_without_dice_has_a_certain_date(group):
    vesna = hurt(group, "Vesna", flesh=1, deep=1)
    group.act("bea", c.StartClock("3 March 1931"))
    assert [(due.name, due.words, due.on) for due in seen(group, c.PassTime("3 weeks")).dues] == [
        ("Vesna", "a Flesh wound heals", "Tuesday 10 March 1931, 00:00")
    ]
    well = seen(group, c.PassTime(milestone="no wounds", who=vesna)).chances[0]
    assert (well.chance, dict(well.by)) == (1.0, {"100%": "Thursday 9 April 1931"})


def test_a_bruise_has_the_odds_of_its_die(group):
    """A bad bruise fades after 1d6 days."""
    hurt(group, "Vesna", bruised_deep=1)
    group.act("bea", c.StartClock("3 March 1931"))
    for days in range(1, 7):
        chance = next(chance for chance in seen(group, c.PassTime(f"{days} days")).chances if chance.words.endswith("well again"))
        assert chance.chance == pytest.approx(float(Fraction(days, 6)))
    assert dict(chance.by) == {"50%": "Friday 6 March 1931", "95%": "Monday 9 March 1931"}
