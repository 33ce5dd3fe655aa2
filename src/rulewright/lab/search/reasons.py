"""Why an answer is better than another, in words: the figure of the position that it changes most."""

from collections.abc import Mapping

from msgspec import Struct

from rulewright.play.position_value import OWN, SHARE, Weights

LEAST = 0.04
"""A smaller change in the logarithm of the odds is no reason."""

STATES: dict[str, str] = {
    "able": "still in the fight",
    "mooks": "still in the fight",
    "down": "on the ground",
    "downed": "on the ground",
    "flat": "on the ground",
    "prone": "on the ground",
    "pinned": "pinned down",
    "held": "held fast",
    "entangled": "entangled",
    "snared": "entangled",
    "stunned": "stunned",
    "shock": "in shock",
    "confused": "confused",
    "unwary": "unwary",
    "unaware": "unaware of somebody",
    "waits": "still to act",
    "not yet acted": "still to act",
    "ready": "ready to act first",
    "unarmed": "without a weapon",
    "within": "past a longer weapon",
    "off balance": "off balance",
    "bare": "without a defense",
    "attacks": "about to strike",
    "spent": "exhausted",
    "aimed at": "under fire",
    "hull down": "hull-down",
    "evading": "evading",
    "burning": "on fire",
    "unmanned": "without a driver",
    "harried": "harried",
    "fast": "at Top Speed",
}
"""Figures that count members in a state, with the state."""
QUALITIES: dict[str, str] = {
    "sound": "strength left",
    "vital": "health left",
    "limbs": "use of their limbs",
    "body left": "health left",
    "mind": "strength of mind left",
    "threat": "striking power",
    "power": "fighting power",
    "shot": "chance of a good shot",
    "armed": "working weapons",
    "cover": "cover",
    "aim": "aim",
    "energy": "energy",
    "stamina": "stamina",
    "luck": "luck to spend",
    "drama": "drama to spend",
    "position": "advantage of Position",
    "crew": "crew left",
    "speed": "speed",
    "mook dice": "mooks",
    "wing": "fighters left",
    "rating": "delay",
    "delay": "delay",
    "hindered": "dice lost",
    "choked": "breath lost",
    "bleeding": "open wounds",
    "handling lost": "handling lost",
    "slowed": "speed lost",
    "system hits": "damaged systems",
}
"""Figures that are more or less of something."""
ALONE: dict[str, tuple[str, str]] = {
    "progress": ("it comes nearer to its edge", "the enemy stays farther from its edge"),
    "left the field": ("more of it leave the field", "fewer enemies leave the field"),
    "prey's lead": ("the distance changes in its favour", "the distance changes in its favour"),
}
"""Figures of a side as a whole, with what to say of an advantage of its own, and of one over the others."""


class Reason(Struct, frozen=True):
    """A figure that tells for an answer: its name, how much it adds to the logarithm of the odds, and how far it moves on both sides."""

    name: str
    tells: float
    own: float
    others: float

    @property
    def words(self) -> str:
        """The reason as a clause; empty if there are no words for it."""
        mine = abs(self.own) >= abs(self.others)
        change = self.own if mine else self.others
        if self.name in ALONE:
            return ALONE[self.name][0 if mine else 1]
        if self.name in STATES:
            many = "more" if change > 0 else "fewer"
            return f"{many} of your side are {STATES[self.name]}" if mine else f"{many} enemies are {STATES[self.name]}"
        if self.name in QUALITIES:
            much = "more" if change > 0 else "less"
            return f"{'your side' if mine else 'the enemy'} has {much} {QUALITIES[self.name]}"
        return ""


def reasons(weights: Weights, answer: Mapping[str, float], other: Mapping[str, float]) -> list[Reason]:
    """What tells for an answer against another one, by the mean features of the positions after both; the strongest first."""
    reason_by_name: dict[str, Reason] = {}
    for feature, weight in weights.weights.items():
        tells = weight * (answer.get(feature, 0.0) - other.get(feature, 0.0))
        name = feature.removeprefix(SHARE)
        own = answer.get(OWN + name, 0.0) - other.get(OWN + name, 0.0)
        whole = answer.get(name, 0.0) - other.get(name, 0.0)
        before = reason_by_name.get(name)
        reason_by_name[name] = Reason(name, tells + (before.tells if before is not None else 0.0), own, own - whole)
    return sorted([reason for reason in reason_by_name.values() if reason.tells > LEAST and reason.words], key=lambda reason: -reason.tells)
