"""What tells how a side is doing in a fight: figures of each person who can still act. No rules."""

from collections.abc import Mapping

from rulewright.play.position_value import compared, within_reach
from rulewright.rules import Ruleset
from rulewright.systems.hybrid.combat.fighters import REACH, Fight, Fighter

COUNTS = 10


def position(rules: Ruleset, fight: Fight, side: str) -> Mapping[str, float]:
    """The figures of a side compared with those of the others."""
    able = [fighter for fighter in fight.fighters if fight.able(rules, fighter)]
    members = [(fighter.profile.side, _figures(fight, fighter, able)) for fighter in able]
    return compared(members, side, ("able", "power"))


def _figures(fight: Fight, fighter: Fighter, able: list[Fighter]) -> dict[str, float]:
    profile, body, arm, doing = fighter.profile, fighter.body, fighter.arm, fighter.doing
    nearest = min([fighter.distance(foe) for foe in able if foe.profile.side != profile.side], default=0.0)
    reach = within_reach(nearest, REACH) if arm.use == "melee" else 1.0
    sound = max(0.0, body.pbd / max(1, body.pbd_full))
    mind = max(0.0, body.mbd / max(1, body.mbd_full))
    harm = (sum([(die + 1) / 2 for die in arm.dice]) + arm.flat) / 6
    skill = (24 - arm.check.df) / 12
    threat = max(0.1, skill) * harm * reach
    energy = body.energy.fatigue / max(1, body.energy.most_fatigue)
    return {
        "able": 1.0,
        "sound": sound,
        "mind": mind,
        "body left": body.pbd / 24,
        "threat": threat,
        "power": threat * sound * mind,
        "speed": profile.speed / 4,
        "defense": profile.pdf / 12,
        "energy": energy,
        "spent": float(body.energy.exhausted),
        "armour": len(body.armour) / 6,
        "bleeding": float(len(body.bleeding)),
        "shock": float(bool(body.shock)),
        "prone": float(body.prone),
        "unarmed": float(arm.name == "fist"),
        "within": float(bool(fighter.inside)),
        "held": float(fight.holder(profile.name) is not None),
        "off balance": float(fighter.off_balance > 0 or bool(fighter.fooled_by)),
        "bare": float(bool(fighter.all_out)),
        "attacks": float(doing is not None and doing.what in ("attack", "cast")),
        "delay": max(0.0, min(2.0, (fighter.at - fight.count) / COUNTS)),
    }
