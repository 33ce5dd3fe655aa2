"""What time does to a body by itself: fire burns, Wounds bleed, and a body at its end fights for itself (book lines 4415-5251)."""

from msgspec.structs import replace

from rulewright.grammar import count
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset, rule
from rulewright.systems.ore.harm.body import AnyBody, Located, marked, shock_to, shrugs
from rulewright.systems.ore.harm.events import Suffered


def a_round_passes(rules: Ruleset, body: AnyBody, by: str = "") -> Play[AnyBody]:
    """The end of a round: what burns goes on burning, Wounds bleed, and a body at its end fights for itself."""
    if body.dead:
        return body
    if body.burning:
        body = yield from burns(rules, body, by)
    if body.wounds:
        body = yield from bleeds(rules, body, by)
    return (yield from fights_on(rules, body, by))


@rule("ore-4.13-continuous")
def burns(rules: Ruleset, body: AnyBody, by: str = "") -> Play[AnyBody]:
    """Whatever lasts (fire, acid) deals a point of Shock to every part of the body but the head, each round until it is remedied."""
    if isinstance(body, Located):
        for _ in body.burning:
            burnt = [part.location for part in body.parts if part.location != "head"]
            yield Tell(Suffered(by, "burns", "every part except the head", len(burnt), rule="ore-4.13-continuous"))
            for location in burnt:
                body, shock, _ = yield from shrugs(body, 1, by=by)
                body = marked(rules, body, location, shock)
    return body


@rule("ore-4.07-opt09-wounds")
def bleeds(rules: Ruleset, body: AnyBody, by: str = "") -> Play[AnyBody]:
    """Every Wound that nobody has staunched costs a point of Shock each time that Body rounds have passed; whoever is Hard To Kill may
    ignore it."""
    for place, wound in enumerate(body.wounds):
        if not wound.bleeding:
            continue
        rounds = wound.rounds + 1
        if rounds >= body.statistic:
            body, shock, _ = yield from shrugs(body, 1, by=by)
            if shock:
                label = f"bleeding Wound, every {count(body.statistic, 'round')}"
                yield Tell(Suffered(by, "bleeds", label, shock, location=wound.location, rule="ore-4.07-opt09-wounds"))
            rounds, body = 0, shock_to(rules, body, wound.location, shock) if shock else body
        wounds = (*body.wounds[:place], replace(wound, rounds=rounds), *body.wounds[place + 1 :])
        body = replace(body, wounds=wounds)
    return body


@rule("ore-4.07-opt07-down-out-tests")
def fights_on(rules: Ruleset, body: AnyBody, by: str = "") -> Play[AnyBody]:
    """Nobody has to fight for life and consciousness round after round, unless damage is abstract."""
    yield from ()
    return body


@rule("ore-4.13-continuous")
def set_alight(body: AnyBody, width: int = 2) -> AnyBody:
    """Somebody on whom an attack lasts: from the next round on it goes on hurting, by the Width of the attack where that counts."""
    return replace(body, burning=(*body.burning, width))


@rule("ore-4.13-continuous")
def remedied(body: AnyBody) -> AnyBody:
    """The fire is out, the acid washed off: nothing lasts any longer."""
    return replace(body, burning=())
