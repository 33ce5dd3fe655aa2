"""Which of somebody's powers can be used now, on whom, and what is left of what limits them (book lines 6015-6022)."""

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
    """A way to use a power now: by which action, and on whom or what, by name; on nobody where it is for oneself."""

    effect: str
    kind: GiftKind
    targets: tuple[str, ...] = ()
    harmful: bool = False


def gifts_of(rules: Ruleset, fight: Fight, fighter: Fighter, walk: int) -> tuple[Gift, ...]:
    """Every power that somebody could use now."""
    found: list[Gift] = []
    for known in fighter.profile.powers:
        row = known.row(rules)
        if row.at_once and _allowed(rules, fighter, known) and not _lacks_light(fight, fighter, row):
            found += _ways(fight, fighter, known, row, walk)
    return tuple(found)


def _allowed(rules: Ruleset, fighter: Fighter, known: Known) -> bool:
    """Whether its limit leaves a use."""
    cost = use_costs(rules, known.level, known.limit)
    if cost.once and known.effect in fighter.reserve.used:
        return False
    return not cost.energy or known.energy - fighter.reserve.spent(known.set) >= cost.energy


def _lacks_light(fight: Fight, fighter: Fighter, row: EffectRow) -> bool:
    needs = gathering_rounds(fight.ground.light) if row.charge else 0
    return needs is None or fighter.reserve.light < needs


def can_gather(rules: Ruleset, fight: Fight, fighter: Fighter) -> bool:
    """Whether somebody could draw in light for a power, and has not enough of it yet."""
    needs = gathering_rounds(fight.ground.light)
    charged = any(known.row(rules).charge for known in fighter.profile.powers)
    return charged and needs is not None and fighter.reserve.light < needs


def _ways(fight: Fight, fighter: Fighter, known: Known, row: EffectRow, walk: int) -> list[Gift]:
    if not known.rolled:
        return [Gift(known.effect, "innate")]
    if row.at_others:
        kind: GiftKind = "touch power" if row.reach == "touch" else "power"
        foes = tuple([foe for foe in fight.foes(fighter.side) if _reaches(fight, fighter, known, row, foe=foe, walk=walk)])
        found = [Gift(known.effect, kind, foes, row.harmful)] if foes else []
        return [*found, Gift(known.effect, "invoke"), Gift(known.effect, "counter power")] if row.works == "force" else found
    if row.works in ("heal", "cure"):
        return [Gift(known.effect, "invoke", patients)] if (patients := _patients(fight, fighter, row, walk)) else []
    if row.works == "fetch":
        lying = [place for place, each in enumerate(fight.floor) if apart(each, fighter) <= row.far * known.psi]
        return [Gift(known.effect, "invoke", tuple(map(str, lying)))] if lying else []
    found = [Gift(known.effect, "invoke")]
    return [*found, Gift(known.effect, "counter power")] if row.counter else found


def _reaches(fight: Fight, fighter: Fighter, known: Known, row: EffectRow, *, foe: str, walk: int) -> bool:
    metres = fight.distance(fighter.name, foe)
    if row.reach == "touch":
        return metres <= REACH + walk
    if row.works == "inflame" and fight.group(foe) is not None:
        return False
    return row.reach != "metres" or metres <= row.far * known.psi


def _patients(fight: Fight, fighter: Fighter, row: EffectRow, walk: int) -> tuple[str, ...]:
    """Those of one's own side, oneself among them, who are hurt and near enough."""
    own = [each for each in fight.fighters if each.side == fighter.side and not each.body.dead]
    near = [each for each in own if apart(each, fighter) <= REACH + walk]
    return tuple([each.name for each in near if row.works == "cure" or each.body.record() != "unhurt"])


def kept_by(fight: Fight, name: str) -> tuple[str, ...]:
    """The powers that somebody keeps up, and could let go."""
    return tuple(dict.fromkeys([each.effect for each in fight.powers if each.by == name and each.kept]))


def flies(fight: Fight, name: str) -> int:
    """Metres a round that somebody flies; 0 for whoever does not."""
    return next((flying_metres(each.height).value for each in fight.powers if each.on == name and each.effect == "Flight"), 0)


def confused(rules: Ruleset, fight: Fight, fighter: Fighter) -> bool:
    """Whether what dazes somebody can be shaken off for a round: confusion can, pain cannot."""
    for each in fight.powers:
        if each.on == fighter.name and each.word == DAZED:
            return fight.group(each.by) is None and fight.fighter(each.by).profile.power(each.effect).row(rules).works == "daze"
    return False


def touches(rules: Ruleset, fighter: Fighter) -> tuple[str, ...]:
    """What Secret Feats let somebody do by a touch."""
    feats = fighter.profile.feats
    found = [word for word in (STATIC, ANALGESIC) if feats and helps(rules, feats, Try(on=(word,))).by]
    return tuple(found)


def pained(rules: Ruleset, fight: Fight, fighter: Fighter, walk: int) -> tuple[str, ...]:
    """Those of one's own side near enough whom injuries cost dice."""
    own = [each for each in fight.fighters if each.side == fighter.side and each.able and apart(each, fighter) <= REACH + walk]
    return tuple([each.name for each in own if hindered(rules, each.body).dice])


def minds_threaten(rules: Ruleset, fight: Fight, side: str) -> bool:
    """Whether an enemy could daze a mind, so that it is worth steeling one's own."""
    foes = [each for each in fight.fighters if each.side != side and each.profile.powers and each.able]
    return any(known.row(rules).works == "daze" for each in foes for known in each.profile.powers)
