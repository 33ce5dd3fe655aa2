"""The gamemaster's tables make notes: printed rows, what is chosen stays, what is not is rolled (book lines 6406-6890)."""

import pytest

from rulewright.campaign.activities.plan_text import Around, read_arguments
from rulewright.errors import UserError
from rulewright.play import Player, Seeded, script
from rulewright.system import find
from rulewright.systems.silhouette.story.tables import PLOTS, PROMPTS

SILHOUETTE = find("silhouette")
RULES = SILHOUETTE.book.ruleset()
GENERATORS = {generator.name: generator for generator in SILHOUETTE.generators}


def drafted(name, *dice, seed=1, **given):
    generator = GENERATORS[name]
    procedure = generator.generate(RULES, read_arguments(generator, given, Around()))
    return script(procedure, list(dice)).outcome if dice else Player(Seeded(seed)).run(procedure)


def test_every_plot_mover_can_be_rolled_in_both_versions():
    rows = list(PLOTS(RULES).values())
    drafts = [drafted("plot mover", (place,), (way,)) for place in range(1, 13) for way in (1, 2)]
    assert [draft.text for draft in drafts] == [f"{row.premise}: {how}" for row in rows for how in (row.first, row.second)]


def test_a_chosen_plot_is_only_rolled_for_its_version():
    assert drafted("plot mover", (2,), title="Home Front").text.endswith("kills one of them as a warning")
    with pytest.raises(UserError, match="home frnt"):
        drafted("plot mover", title="home frnt")


def test_every_fumble_of_the_table_makes_a_note():
    for row in PROMPTS(RULES).values():
        dice = [(row.roll,), (4,)] if row.turns else [(row.roll,)]
        draft = drafted("fumble", *dice, kind=row.kind)
        assert draft.text == (f"{row.what} (turns: 4)" if row.turns else row.what)


@pytest.mark.parametrize(("cast", "named", "rated"), [("extra", False, False), ("supporting cast", True, False), ("lead", True, True)])
def test_the_part_in_the_cast_says_how_much_is_known(cast, named, rated):
    draft = drafted("somebody", seed=3, cast=cast, stereotype="rogue")
    assert "rogue" in draft.text
    assert (draft.title.split(",")[0].count(" ") == 1) == named
    assert ("wounds" in draft.text) == rated


def test_a_list_of_names_is_as_long_as_wanted():
    assert drafted("names", names=17).text.count("- ") == 17


def test_a_page_of_the_campaign_has_the_parts_of_the_sheet_and_a_thread():
    draft = drafted("campaign page", episode="the ferry")
    assert draft.title == "Campaign the ferry"
    assert draft.text.count("# ") == 6
    assert draft.text.count("- ") == 1
