"""Powers that can be used now, their targets and limits (book lines 6015-6022)."""

from typing import Literal, NamedTuple

from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.fighters import REACH, Fight, Fighter, apart
from rulewright.systems.ore.fight.powers.active import DAZED
from rulewright.systems.ore.harm.body import hindered
from rulewright.systems.ore.people.feat_effects import Try, helps
from rulewright.systems.ore.powers.catalogue import EffectRow
from rulewright.systems.ore.powers.repertoire import Known
from rulewright.systems.ore.powers.timed_effects import flying_metres, gathering_rounds
from rulewright.systems.ore.powers.usage import use_costs

GiftKind = Literal["power", "touch power", "invoke", "counter power", "innate"]
STATIC, ANALGESIC = "static touch", "analgesic touch"


class Gift(NamedTuple):
    """A way to use a power now: action and targets; none for powers on the user."""

    effect: str
    kind: GiftKind
    targets: tuple[str, ...] = ()
    harmful: bool = False


def gifts_of(rules: Ruleset, fight: Fight, fighter: Fighter, walk: int) -> tuple[Gift, ...]:
    """All powers that can be used now."""
    gifts: list[Gift] = []
    for known in fighter.profile.powers:
        row = known.row(rules)
        if row.at_once and _allowed(rules, fighter, known) and not _lacks_light(fight, fighter, row):
            gifts += _ways(fight, fighter, known, row, walk)
    return tuple(gifts)


def _allowed(rules: Ruleset, fighter: Fighter, known: Known) -> bool:
    """Whether the limit allows a use."""
    return not fighter.reserve.lacks(known, use_costs(rules, known.level, known.limit))


def _lacks_light(fight: Fight, fighter: Fighter, row: EffectRow) -> bool:
    needs = gathering_rounds(fight.ground.light) if row.charge else 0
    return needs is None or fighter.reserve.light < needs


def can_gather(rules: Ruleset, fight: Fight, fighter: Fighter) -> bool:
    """Whether light can be gathered for a power."""
    needs = gathering_rounds(fight.ground.light)
    charged = any(known.row(rules).charge for known in fighter.profile.powers)
    return charged and needs is not None and fighter.reserve.light < needs


def _ways(fight: Fight, fighter: Fighter, known: Known, row: EffectRow, walk: int) -> list[Gift]:
    if not known.rolled:
        return [Gift(known.effect, "innate")]
    if row.at_others:
        kind: GiftKind = "touch power" if row.reach == "touch" else "power"
        foes = tuple([foe for foe in fight.foes(fighter.side) if _reaches(fight, fighter, known, row, foe=foe, walk=walk)])
        gifts = [Gift(known.effect, kind, foes, row.harmful)] if foes else []
        return [*gifts, Gift(known.effect, "invoke"), Gift(known.effect, "counter power")] if row.works == "force" else gifts
    if row.works in ("heal", "cure"):
        return [Gift(known.effect, "invoke", patients)] if (patients := _patients(fight, fighter, row, walk)) else []
    if row.works == "fetch":
        lying = [place for place, dropped in enumerate(fight.floor) if apart(dropped, fighter) <= row.far * known.psi]
        return [Gift(known.effect, "invoke", tuple(map(str, lying)))] if lying else []
    gifts = [Gift(known.effect, "invoke")]
    return [*gifts, Gift(known.effect, "counter power")] if row.counter else gifts


def _reaches(fight: Fight, fighter: Fighter, known: Known, row: EffectRow, *, foe: str, walk: int) -> bool:
    metres = fight.distance(fighter.name, foe)
    if row.reach == "touch":
        return metres <= REACH + walk
    if row.works == "inflame" and fight.group(foe) is not None:
        return False
    return row.reach != "metres" or metres <= row.far * known.psi


def _patients(fight: Fight, fighter: Fighter, row: EffectRow, walk: int) -> tuple[str, ...]:
    """Injured friends in reach, including the user."""
    own = [candidate for candidate in fight.fighters if candidate.side == fighter.side and not candidate.body.dead]
    near = [candidate for candidate in own if apart(candidate, fighter) <= REACH + walk]
    return tuple([candidate.name for candidate in near if row.works == "cure" or candidate.body.record() != "unhurt"])


def kept_by(fight: Fight, name: str) -> tuple[str, ...]:
    """Sustained powers that can be released."""
    return tuple(dict.fromkeys([power.effect for power in fight.powers if power.by == name and power.kept]))


def flies(fight: Fight, name: str) -> int:
    """Metres of flight per round; 0 without."""
    return next((flying_metres(power.height).value for power in fight.powers if power.on == name and power.effect == "Flight"), 0)


def confused(rules: Ruleset, fight: Fight, fighter: Fighter) -> bool:
    """Whether a daze can be shaken off for a round: confusion can, pain cannot."""
    for working in fight.powers:
        if working.on == fighter.name and working.word == DAZED:
            return fight.group(working.by) is None and fight.fighter(working.by).profile.power(working.effect).row(rules).works == "daze"
    return False


def touches(rules: Ruleset, fighter: Fighter) -> tuple[str, ...]:
    """Touches that Secret Feats allow."""
    feats = fighter.profile.feats
    names = [word for word in (STATIC, ANALGESIC) if feats and helps(rules, feats, Try(on=(word,))).by]
    return tuple(names)


def pained(rules: Ruleset, fight: Fight, fighter: Fighter, walk: int) -> tuple[str, ...]:
    """Friends in reach with injury penalties."""
    own = [
        candidate
        for candidate in fight.fighters
        if candidate.side == fighter.side and candidate.able and apart(candidate, fighter) <= REACH + walk
    ]
    return tuple([candidate.name for candidate in own if hindered(rules, candidate.body).dice])


def minds_threaten(rules: Ruleset, fight: Fight, side: str) -> bool:
    """Whether an enemy has a power that dazes minds."""
    foes = [fighter for fighter in fight.fighters if fighter.side != side and fighter.profile.powers and fighter.able]
    return any(known.row(rules).works == "daze" for foe in foes for known in foe.profile.powers)
