"""The end of a round: areas, fire, bleeding, tiredness, fear (book lines 4415-4419, 4529, 4843-4871, 5221-5253, 5477)."""

from msgspec.structs import replace

from rulewright.grammar import count
from rulewright.play import Happened, Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.fighters import Fight, Fighter
from rulewright.systems.ore.combat.hazards import in_area, mooks_in_area
from rulewright.systems.ore.drama.points import fortunate_test
from rulewright.systems.ore.fight.events import Readied, TestRolled
from rulewright.systems.ore.fight.feats.effects import trait
from rulewright.systems.ore.fight.map_positions import area_at, cover_near
from rulewright.systems.ore.fight.penalties import height_lost, hindering
from rulewright.systems.ore.fight.resolution.movement import in_cover
from rulewright.systems.ore.gear.armour import encumbered, encumbrance
from rulewright.systems.ore.harm.body import AnyBody
from rulewright.systems.ore.harm.endurance import MOST_DIFFICULTY, Stamina, exerted, exertion_pool, must_test, perished, rests, strains
from rulewright.systems.ore.harm.over_time import a_round_passes
from rulewright.systems.ore.log_phrases import verb
from rulewright.systems.ore.people.feat_effects import helped
from rulewright.systems.ore.resolution.tests import dice_in


def time_passes(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Applies areas, fire, bleeding, body tests and fear, and ends grapples without a holder."""
    ground = fight.ground
    for fighter in fight.fighters:
        after = yield from a_round_older(rules, fight, fighter)
        if fighter.diving:
            near = cover_near(fight, fighter) if not ground.cover else None
            if near is not None or ground.cover:
                yield Tell(Happened(fighter.name, f"is now behind cover ({near.name if near is not None else ground.cover})"))
                after = in_cover(fight, after)
            after = replace(after, diving=False)
        if after.body.dead and fight.with_feats:
            after = remembered(after, fight.round)
        if after is not fighter and after != fighter:
            fight = fight.put(after)
    for group in [candidate for candidate in fight.groups if candidate.able and area_at(fight, candidate.at)[0]]:
        mob = yield from mooks_in_area(rules, group.mob, area_at(fight, group.at)[0])
        gone, name = group.mob.number - mob.number, group.name
        words = f"{verb(name, 'loses', 'lose')} {count(gone, 'mook')}" if gone else verb(name, "suffers", "suffer")
        yield Tell(Happened(name, f"{words} from the dangerous area"))
        fight = fight.put_group(replace(group, mob=mob))
    return fight


def remembered(dead: Fighter, number: int) -> Fighter:
    """A dead fighter with the round of death, for feats."""
    if any(word == "died" for word, _ in dead.marks):
        return dead
    return replace(dead, marks=(*dead.marks, ("died", str(number))))


def a_round_older(rules: Ruleset, fight: Fight, fighter: Fighter) -> Play[Fighter]:
    """A fighter after the round."""
    body, stamina = fighter.body, fighter.stamina
    area, form = area_at(fight, fighter.at)
    if area and not body.dead and not fighter.fled:
        body = yield from in_area(rules, body, area, form, by=fighter.name)
    body = yield from a_round_passes(rules, body, fighter.name)
    if fighter.able and _is_exerting(rules, fight, fighter):
        body, stamina = yield from _test_exertion(rules, fighter, body, strains(rules, stamina))
        body = perished(body) if stamina.dead else body
    else:
        stamina = rests(stamina)
    if stamina.boxes != fighter.stamina.boxes or stamina.body_lost != fighter.stamina.body_lost:
        lost = f" with {stamina.body_left} Body left" if stamina.body_lost else ""
        yield Tell(Happened(fighter.name, f"is {stamina.state}{lost}", "bad" if stamina.boxes >= fighter.stamina.boxes else "good"))
    text = fighter.held_by if fighter.held_by and fight.able(fighter.held_by) and body.able else ""
    if fighter.held_by and not text:
        yield Tell(Happened(fighter.name, "is no longer held"))
    if fighter.afraid:
        yield Tell(Happened(fighter.name, f"is less afraid: -{fighter.afraid - 1}d" if fighter.afraid > 1 else "is no longer afraid"))
    if body is fighter.body and stamina is fighter.stamina and not (fighter.afraid or fighter.held_by or fighter.choked):
        return fighter
    afraid, choked = max(0, fighter.afraid - 1), fighter.choked if text else 0
    return replace(fighter, body=body, stamina=stamina, afraid=afraid, held_by=text, choked=choked)


def _is_exerting(rules: Ruleset, fight: Fight, fighter: Fighter) -> bool:
    """Whether a fighter exerts themselves: any action counts, and so does too heavy armour."""
    name = fighter.profile.name
    acts = [act for plan in fight.plans if plan.who == name for act in plan.acts if act.kind not in ("pass", "speak")]
    return bool(acts) or encumbered(encumbrance(rules, fighter.worn).value, fighter.profile.body)


def _test_exertion(rules: Ruleset, fighter: Fighter, body: AnyBody, tired: Stamina) -> Play[tuple[AnyBody, Stamina]]:
    """Makes an Exertion Test if due, with all penalties."""
    if not must_test(rules, tired):
        return body, tired
    if tired.difficulty > MOST_DIFFICULTY:
        return body, exerted(tired)
    now = replace(fighter, body=body, stamina=Stamina())  # weariness weighs on actions, not on this test (ruling)
    pool = exertion_pool(fighter.profile.endurance, tired).plus(*hindering(rules, now))
    if fighter.profile.feats:
        pool, _ = helped(rules, pool, trait(rules, now, "tiring"))
    lost = height_lost(rules, now)
    yield Tell(Readied(fighter.name, "exertion", pool, dice_in(rules, pool), tired.difficulty, lost))
    body, outcome = yield from fortunate_test(rules, body, pool, tired.difficulty, fighter.name, "exertion", height=lost)
    yield Tell(TestRolled(fighter.name, "exertion", outcome.width, outcome.height, lost))
    return body, exerted(tired, outcome.success)
