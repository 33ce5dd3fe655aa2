"""Ongoing effects of wounds: bleeding until somebody treats it (book lines 1048-1050), and healing by rolls (a stand-in)."""

from msgspec.structs import replace

from rulewright.campaign.calendar import HOUR
from rulewright.campaign.downtime import OngoingEffect
from rulewright.campaign.downtime_rules import Case, EffectKind, again
from rulewright.grammar import count
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.hybrid.downtime.convalescents import FIRST_AID, Convalescent, Recovers
from rulewright.systems.hybrid.harm.damage import Body, bleed, bleeding_counts
from rulewright.systems.hybrid.harm.treatment import HEALING, Track, heal, treat
from rulewright.systems.hybrid.resolution.tests import Check, Checked, skill_check

Now = Case[Convalescent]
After = tuple[Convalescent, OngoingEffect | None]
COUNTS_A_SECOND = 10
TRACKS: tuple[Track, ...] = ("PBD", "MBD")


class Bleeding(EffectKind[Convalescent]):
    """Wounds cost a point each for every twenty counts, until the best first aider at hand stops the blood."""

    name = "bleeding"
    rules = ("hyb-8-bleeding",)
    company = True

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        return ("",) if _bleeds(case.life.body) else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return max(1, bleeding_counts(rules) // COUNTS_A_SECOND)

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        before = case.life.body
        body = bleed(rules, replace(before, bleeding=(0,) * len(before.bleeding)), 0, bleeding_counts(rules))
        yield from Tell(Recovers(case.name, _lost(before, body), "bad"))
        aider = best_first_aider(case, body)
        if aider is None or not _bleeds(body):
            return case.life.with_body(body), again(effect)
        name, check = aider
        degree = yield from skill_check(rules, check, name, "first aid")
        yield from Tell(Checked(name, f"first aid for {case.name}", degree.success, rules, check))
        treated = treat(rules, body, degree)
        yield from Tell(Recovers(name, f"{treated.words} of {case.name}", "good" if treated.stopped else "bad"))
        return case.life.with_body(treated.body), again(effect)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        wounds = count(len(case.life.body.bleeding), "wound")
        aider = best_first_aider(case, case.life.body)
        return f"{wounds} bleeding: {'nobody treats them' if aider is None else f'{aider[0]} gives first aid'}"


def best_first_aider(case: Now, body: Body) -> tuple[str, Check] | None:
    """The best first aider at the same place, the staff or the wounded person; None if nobody is awake."""
    aiders = [(other.name, other.life.first_aid) for other in case.company if other.life.body.awake]
    if body.awake:
        aiders.append((case.name, case.life.first_aid))
    staff = int(case.figure(FIRST_AID))
    if staff:
        aiders.append(("the staff", Check(staff)))
    return max(aiders, key=lambda aider: aider[1].df, default=None)


def _lost(before: Body, after: Body) -> str:
    """Says in words what bleeding cost."""
    lost = [(before.energy.fatigue - after.energy.fatigue, "PFT"), (before.pbd - after.pbd, "PBD")]
    costs = " and ".join(f"{points} {pool}" for points, pool in lost if points)
    return f"loses {costs or 'nothing'} to bleeding{' and dies' if after.dead else ''}"


class Healing(EffectKind[Convalescent]):
    """Lost body and mind heal by rolls, each easier than the one before. The data is how many rolls there have been."""

    name = "healing"
    rules = ("hyb-x-healing",)

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        body = case.life.body
        if body.dead or _bleeds(body):
            return ()
        return tuple(track for track in TRACKS if _left(body, track) < _full(body, track))

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return HEALING.get(rules, effect.about).hours * HOUR

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        body, track = case.life.body, TRACKS[TRACKS.index(effect.about)]
        rolls = int(effect.data[0]) if effect.data else 0
        healed = yield from heal(rules, track, body.pen if track == "PBD" else body.men, rolls, case.name)
        if healed:
            left = min(_full(body, track), _left(body, track) + healed)
            body = replace(body, **{track.lower(): left})
            yield from Tell(Recovers(case.name, f"recovers: {track} {left} of {_full(body, track)}", "good"))
        return case.life.with_body(body), again(effect, rolls + 1)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"a roll to heal {effect.about}"


def _left(body: Body, track: str) -> int:
    return body.pbd if track == "PBD" else body.mbd


def _full(body: Body, track: str) -> int:
    return body.pbd_full if track == "PBD" else body.mbd_full


def _bleeds(body: Body) -> bool:
    """Whether bleeding still costs something."""
    return bool(body.bleeding) and not body.dead and body.pbd > 0
