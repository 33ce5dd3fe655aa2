"""A fight at a table: what the page says of counts, deeds under way and reactions, and undo across counts."""

from table.group import asked, gather

from rulewright.play import Seeded
from rulewright.table.commands import messages as a
from rulewright.table.service import Tables
from rulewright.web.table.board import fighters


def knives(tmp_path):
    """Ana and Cleo with knives; dice as they fall."""
    tables = Tables(str(tmp_path / "tables.db"), dice=Seeded(12))
    group = gather(tables, "hybrid")
    ours = [group.act(who, a.AddCharacter(ready=ready, name=name)).made for who, ready, name in WHO]
    sides = {
        side: (a.Placing(one, at=(1.5 * n, 0.0), state={"weapon": "knife"}),) for n, (side, one) in enumerate(zip("ab", ours, strict=True))
    }
    group.act("bea", a.BeginScene(name="Knives", sides=sides, rounds=60))
    return tables, group


WHO = (("ana", "changer", "Pell"), ("cleo", "archer", "Ilvane"))


def act(group, *wanted):
    """Whoever is asked answers with the first wanted thing that is open; dice roll by themselves."""
    for who in ("ana", "cleo", "bea"):
        question = asked(group, who)
        if question is None:
            continue
        if question.sort == "roll":
            group.act(who, a.RollDice(1, question.at, question.mark))
            return question.who, "roll"
        keys = [option.key for option in question.options]
        given = next((key for key in wanted if key in keys), keys[-1])
        group.act(who, a.Answer(1, given, question.at, question.mark))
        return question.who, given
    raise AssertionError("nobody is asked")


def page(group, who="bea"):
    """The cards of the page: name, whose turn, count and deed, tags."""
    seen, scene = group.view(who), group.scene(who)
    return {one.name: (one.now, one.turn, {item.piece.name for item in one.items}) for one in fighters(seen, scene)}


def shown(group, who):
    scene = group.scene(who)
    return scene.view, scene.questions, scene.result


def until(group, topic):
    """Play on until somebody has chosen this."""
    for _ in range(60):
        name, given = act(group, "attack:Pell", "attack:Ilvane", "defend")
        if given.startswith(topic):
            return name
    raise AssertionError(f"nobody came to {topic}")


def test_the_page_says_who_is_due_when_what_is_under_way_and_who_can_still_react(tmp_path):
    tables, group = knives(tmp_path)
    attacker = until(group, "attack")
    other = "Pell" if attacker == "Ilvane" else "Ilvane"
    cards = page(group)
    count = int(group.scene("bea").view.headline.removeprefix("Count "))
    now, turn, _ = cards[attacker]
    assert turn == f"{count}: attacks {other} with the knife"  # the clock stands where it takes effect
    assert now
    due, _, what = cards[other][1].partition(": ")
    assert (int(due) > count, what) == (True, "decides")
    assert "can react" in cards[other][2]
    assert sorted(cards) == sorted([attacker, other])  # cards keep their order; the strip of turns says who acts
    turns = group.scene("bea").view.timeline.turns
    assert [(each.who, each.now) for each in turns] == [(attacker, True), (other, False)]
    tables.close()


def test_undo_at_the_table_goes_back_over_several_counts_to_the_same_page(tmp_path):
    tables, group = knives(tmp_path)
    stood = []
    while len({view.headline for (view, _, _), _ in stood}) < 6:
        before = shown(group, "bea"), shown(group, "cleo")
        _, given = act(group, "attack:Pell", "attack:Ilvane", "defend")
        if given != "roll":
            stood.append(before)
    end = shown(group, "bea"), shown(group, "cleo")
    for views in reversed(stood):
        group.act("bea", a.Undo(1))
        found = shown(group, "bea"), shown(group, "cleo")
        assert [view for view, _, _ in found] == [view for view, _, _ in views]
        assert [questions for _, questions, _ in found] == [questions for _, questions, _ in views]
    for _ in stood:
        group.act("bea", a.Redo(1))
    assert (shown(group, "bea")[0], shown(group, "cleo")[0]) == (end[0][0], end[1][0])
    tables.close()
