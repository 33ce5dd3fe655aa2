"""Showdowns before a duel (book lines 7259-7261)."""

from msgspec.structs import replace

from rulewright.play import Happened, Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.combat.fighters import Fight, Fighter
from rulewright.systems.silhouette.genres.practices import Duelist, showdown


def duelist(fighter: Fighter) -> Duelist:
    """Returns a fighter as a duelist."""
    profile = fighter.profile
    threat, eye = profile.trained("interrogation"), profile.trained("notice")
    return Duelist(
        name=fighter.name,
        interrogation=threat.level,
        willpower=profile.attribute("willpower"),
        notice=eye.level,
        psyche=profile.attribute("psyche"),
        interrogation_complexity=threat.complexity,
        notice_complexity=eye.complexity,
    )


def stare_down(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Plays the test of nerve before the first round of a duel; the winner adds the margin to the first initiative only."""
    if len(fight.fighters) != 2 or fight.round > 1:
        return fight
    if fight.round == 1:
        return fight.put(*[replace(candidate, body=replace(candidate.body, alert=0)) for candidate in fight.fighters])
    bonuses = yield from showdown(rules, duelist(fight.fighters[0]), duelist(fight.fighters[1]))
    for fighter, bonus in zip(fight.fighters, bonuses, strict=True):
        if bonus:
            yield Tell(Happened(fighter.name, f"wins the showdown by {bonus}", "good"))
            fight = fight.put(replace(fighter, body=replace(fighter.body, alert=fighter.body.alert + bonus)))
    return fight
