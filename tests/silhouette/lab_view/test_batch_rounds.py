"""What a walk through a fight plays by itself comes to the same as in the whole fight."""

from msgspec.structs import replace

from rulewright.play import Player, Seeded
from rulewright.systems.silhouette.harm.body import OPEN_ENDED
from rulewright.systems.silhouette.lab_view.attack_excerpt import put_out
from rulewright.systems.silhouette.lab_view.batch_rounds import Rounds

from .test_attack_excerpt import group


def shared_moments(staged, fights):
    """Whoever acts next of those who act together, as sound as a moment ago, and the fight."""
    for seed in range(fights):
        state, player = staged.state, Player(Seeded(seed), staged.decide)
        while staged.scene.result(state) is None:
            if state.frozen and state.queue and state.turn is None and not state.todo:
                actor = state.fighter(state.queue[0][0])
                asleep = any(one.body.unconscious == OPEN_ENDED for one in state.fighters)  # for how long is rolled first
                if len(state.queue[0]) == 1 and actor.body == state.acting_body(actor) and not asleep:
                    yield actor, state
            state = player.run(staged.scene.step(state))


def enemies_fallen(state, actor):
    """The same fight with nobody left against somebody."""
    fallen = {one.name for one in state.fighters if one.side != actor.side}
    down = [replace(one, body=put_out(one.body)) for one in state.fighters if one.name in fallen]
    frozen = tuple([moment for moment in state.frozen if moment.name not in fallen])
    queue = tuple([left for group in state.queue if (left := tuple([name for name in group if name not in fallen]))])
    return replace(state.put(*down), frozen=frozen, queue=queue)


def test_whose_enemies_all_fell_in_the_same_moment_has_the_turn_of_somebody_alone():
    staged, met = group(count=3), 0
    rounds = Rounds(staged.scene.rules, Player(Seeded(0), staged.decide))
    for actor, state in shared_moments(staged, 4):
        before, player = enemies_fallen(state, actor), Player(Seeded(0), staged.decide)
        idle = rounds.idle(state.ground, replace(actor, x=0.0, y=0.0, attacked_by=()))
        after = player.run(staged.scene.step(before)).fighter(actor.name)
        assert idle is not None
        assert not player.rolls
        profile, body = replace(idle.profile, name=actor.name), replace(idle.body, name=actor.name)  # a walk keeps names apart
        assert replace(idle, profile=profile, body=body, x=after.x, y=after.y, attacked_by=after.attacked_by) == after
        assert (actor.x, actor.y) == (after.x, after.y)
        met += 1
    assert met > 5
