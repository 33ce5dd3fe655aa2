"""What remains after a fight: lost body, mind, fatigue and exhaustion, and bleeding wounds."""

from rulewright.scenes.scenarios import Lasts, counted
from rulewright.systems.hybrid.combat.fighters import LASTING, Fighter
from rulewright.systems.hybrid.harm.damage import Body
from rulewright.systems.hybrid.harm.energy import Energy

CARRIES = LASTING
"""The fields of a fighter's state that a scene begins with and leaves behind."""


def aftermath(fighter: Fighter) -> dict[str, Lasts]:
    """Returns what a person takes along into the next scene. Shock, wards and posture pass before that."""
    return body_left(fighter.body)


def body_left(body: Body) -> dict[str, Lasts]:
    """Returns the lasting state of a body and mind, by field."""
    return {
        "pbd": Lasts(body.pbd, f"PBD {body.pbd} of {body.pbd_full}"),
        "mbd": Lasts(body.mbd, f"MBD {body.mbd} of {body.mbd_full}"),
        **_energy("energy", body.energy, "PFT", "PEX"),
        **_energy("mind", body.mind, "MFT", "MEX"),
        "bleeding": Lasts([0] * len(body.bleeding), f"{counted(len(body.bleeding), 'wound')} bleeding"),
        "dead": Lasts(body.dead, "dead" if body.dead else "alive"),
    }


def _energy(part: str, energy: Energy, fatigue: str, exhaustion: str) -> dict[str, Lasts]:
    return {
        f"{part}.fatigue": Lasts(energy.fatigue, f"{fatigue} {energy.fatigue} of {energy.most_fatigue}"),
        f"{part}.exhaustion": Lasts(energy.exhaustion, f"{exhaustion} {energy.exhaustion} of {energy.most_exhaustion}"),
        f"{part}.worn": Lasts(energy.worn, f"{energy.worn} of {fatigue} used since it last cost {exhaustion}"),
    }
