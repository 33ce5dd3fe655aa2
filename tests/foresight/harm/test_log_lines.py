"""Every roll behind a wound has a line or a term of its own (book lines 2560-2714, 2761-2770)."""

import pytest
from msgspec.structs import replace

from rulewright import library
from rulewright.play import script
from rulewright.rules.reasons import holds
from rulewright.system import find
from rulewright.systems.foresight.harm.body import SOMEBODY
from rulewright.systems.foresight.harm.damage import Blow, be_hit
from rulewright.systems.foresight.harm.hazards import fall
from rulewright.systems.foresight.resolution.damage_classes import Cover

RULES = library.ruleset(find("foresight"))


def lines(event):
    return [f"{why.label}: {why.value}" for root in event.reasons() for _, why in root.walk()]


@pytest.mark.parametrize(("roll", "said"), [(5, "covered"), (9, "bare")])
def test_armor_that_covers_a_part_says_whether_it_was_in_the_way(roll, said):  # 2632-2636
    body = replace(SOMEBODY, covers=(Cover("chest", 7, "3A", "3A", "3A"),))
    hit = script(be_hit(RULES, body, Blow("6i", 3, "chest")), [(roll,), (1,)]).events[0]
    assert f"partly covered place: armor in the way: {said}" in lines(hit)
    assert any(line.startswith("armor:") for line in lines(hit)) == (said == "covered")
    assert any(line.startswith("yield of QR3") for line in lines(hit))
    assert all(holds(why) for why in hit.reasons())


def test_a_landing_is_told_with_its_chance_and_what_it_takes_off():  # 2765-2770
    played = script(fall(RULES, SOMEBODY, 3, "controlled fall", 10, 5), [(1,)])
    assert played.events[0].headline() == "somebody tries a controlled fall from 3 m: QR1, as a fall of 0 m"
    assert any(line.startswith("success chance") for line in lines(played.events[0]))
    assert any(line.startswith("controlled fall: 4") for line in lines(played.events[0]))
