"""Effects of time on a body: fire, bleeding and body tests (book lines 4415-5251)."""

from msgspec.structs import replace

from rulewright.grammar import count
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset, rule
from rulewright.systems.ore.harm.body import AnyBody, Located, marked, shock_to, shrugs
from rulewright.systems.ore.harm.events import Suffered

SECONDS_A_ROUND = 5
"""The length of a round (line 4173)."""


def a_round_passes(rules: Ruleset, body: AnyBody, by: str = "") -> Play[AnyBody]:
    """The end of a round: fire, bleeding and body tests."""
    if body.dead:
        return body
    if body.burning:
        body = yield from burns(rules, body, by)
    if body.wounds:
        body = yield from bleeds(rules, body, by)
    return (yield from fights_on(rules, body, by))


@rule("ore-4.13-continuous")
def burns(rules: Ruleset, body: AnyBody, by: str = "") -> Play[AnyBody]:
    """Continuous damage (fire, acid): 1 Shock to every location except the head, each round until remedied."""
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
    """Every unstaunched Wound costs 1 Shock every Body rounds; Hard To Kill may ignore it."""
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
    """Body tests each round: none except with abstract damage."""
    yield from ()
    return body


@rule("ore-4.13-continuous")
def set_alight(body: AnyBody, width: int = 2) -> AnyBody:
    """A body with continuous damage from the next round on, by the Width of the attack."""
    return replace(body, burning=(*body.burning, width))


@rule("ore-4.13-continuous")
def remedied(body: AnyBody) -> AnyBody:
    """A body without continuous damage."""
    return replace(body, burning=())
