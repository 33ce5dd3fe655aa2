"""Log entries about hits, pain, fatigue, willpower and death."""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.grammar import count
from rulewright.play import Event, Happened
from rulewright.rules.reasons import Derived, Reason, at_least, divided, less, remark, rounded, term, times, total
from rulewright.systems.foresight.resolution.damage_classes import DamageClass, Protection
from rulewright.systems.foresight.resolution.locations import LEGS, Location
from rulewright.systems.foresight.resolution.tests import Weighed

_PARTS = "fs-armor-locations"


class OfARoll(Event, frozen=True, kw_only=True):
    """Log entries about a roll, with the success chance behind it where it is known."""

    of: Weighed | None = None

    def reasons(self) -> tuple[Reason, ...]:
        return () if self.of is None else (self.of.why().reason,)


class Attempted(Happened, frozen=True, kw_only=True):
    """What a person did by a roll, with the success chance of everybody who rolled for it."""

    of: tuple[tuple[str, Weighed], ...] = ()

    def reasons(self) -> tuple[Reason, ...]:
        return tuple([replace(weighed.why().reason, label=f"{name}: success chance") for name, weighed in self.of])


class Reckoned(Struct, frozen=True, kw_only=True):
    """What the damage of a hit was reckoned from."""

    dc: DamageClass
    percent: int
    """The yield of its rating."""
    ds: float
    armor: Protection
    """What armor and barriers leave after piercing."""
    head: int = 0
    head_first: bool = False
    """Whether the head adds before armor absorbs."""
    vital: int = 0
    by_table: bool = False
    """Whether the damage class is divided by the damage scale before it is read in the table."""
    rating: int = 0
    """The rating of the hit; 0: no hit that was rolled."""
    in_the_way: tuple[bool, ...] = ()
    """For each piece of armor that covers a part of the place: whether it was in the way."""

    def levels(self) -> Derived[int]:
        """The wound levels, term by term."""
        scale = [divided("damage scale", self.ds, rule="fs-damage-scale")] if self.ds != 1 else []
        head = [term("head", self.head, rule="fs-hit-location")] if self.head else []
        absorbed = [less("absorbed", self.armor.absorbs, rule="fs-armor-protection"), at_least(0)] if self.armor.absorbs else []
        bare = self.dc.amount - self.armor.number <= 0
        parts = [
            remark("partly covered place", f"armor in the way: {'covered' if hit else 'bare'}", rule=_PARTS) for hit in self.in_the_way
        ]
        rating = f"QR{self.rating}" if self.rating else "the rating"
        return total(
            "wound levels",
            term(f"damage class {self.dc}", self.dc.amount, rule="fs-dc-notation"),
            *parts,
            *([less("armor", self.armor.number, rule="fs-armor-protection")] if self.armor.number else []),
            *([at_least(0)] if bare else []),
            *([*scale, rounded()] if self.by_table and scale else []),
            times(f"yield of {rating}, percent", self.percent, rule="fs-yield-time-pm"),
            divided("of a hundred", 100),
            divided("half is wound levels", 2, rule="fs-damage-formula"),
            *([] if self.by_table else scale),
            rounded(),
            *([*head, *absorbed] if self.head_first else [*absorbed, *head]),
            *([term("vital hit", self.vital, rule="fs-vital-hit-extra")] if self.vital else []),
            rule="fs-damage-formula",
        )


class Hit(Event, frozen=True):
    """A blow that reached a body, and what armor left of it."""

    name: str
    location: Location
    qr: int
    levels: int
    level: str = ""
    """The wound level that it makes, in a word."""
    stuns: bool = True
    stun: int = 0
    """Stun points after it, where it is of a stun weapon."""
    reckoned: Reckoned | None = None

    def headline(self) -> str:
        if self.stun:
            return f"{self.name} takes {count(self.levels, 'stun point')} to the {self.location}"
        if self.levels:
            return f"{self.name} takes {count(self.levels, 'wound level')} to the {self.location}: {self.level}"
        if self.stuns:
            return f"{self.name} is hit in the {self.location} without a wound"
        armored = self.reckoned is not None and (self.reckoned.armor.number or self.reckoned.armor.absorbs)
        return f"{self.name} is hit in the {self.location}, and {'armor stops it' if armored else 'it has no effect'}"

    def reasons(self) -> tuple[Reason, ...]:
        return () if self.reckoned is None else (self.reckoned.levels().reason,)

    def tone(self) -> str:
        return "bad" if self.levels else "plain"


class Pain(OfARoll, frozen=True):
    """How a person bore a wound."""

    name: str
    qr: int
    stunned: bool
    unconscious: bool
    limb: str = ""
    """The arm that lets go or the leg that gives way, if the pain stuns."""

    def headline(self) -> str:
        if self.unconscious:
            return f"{self.name} falls unconscious"
        if not self.stunned:
            return f"{self.name} bears the pain"
        more = "" if not self.limb else " and falls" if self.limb in LEGS else f", and the {self.limb} lets go of what it held"
        return f"{self.name} is stunned by the pain{more}"

    def tone(self) -> str:
        return "bad" if self.stunned or self.unconscious else "plain"


class Came(OfARoll, frozen=True):
    """What became of a stunned character's effort."""

    name: str
    qr: int
    stun: int
    stunned: bool
    unconscious: bool

    def headline(self) -> str:
        if self.unconscious:
            return f"{self.name} passes out"
        if not self.stunned:
            return f"{self.name} shakes it off"
        left = f" ({count(self.stun, 'stun point')})" if self.stun else ""
        return f"{self.name} is still stunned{left}"

    def tone(self) -> str:
        return "bad" if self.unconscious else "plain"


class PulledTogether(OfARoll, frozen=True):
    """An effort of will against grave wounds."""

    name: str
    qr: int
    able: bool
    unconscious: bool
    lost: int = 0

    def headline(self) -> str:
        if self.unconscious:
            return f"{self.name} passes out"
        if not self.able:
            return f"{self.name} cannot pull themselves together"
        return f"{self.name} pulls themselves together{', but loses an action' if self.lost else ''}"

    def tone(self) -> str:
        return "plain" if self.able else "bad"


class CameTo(OfARoll, frozen=True):
    """An effort of will to wake from a critical wound."""

    name: str
    qr: int
    awake: bool

    def headline(self) -> str:
        return f"{self.name} {'comes to' if self.awake else 'stays unconscious'}"

    def tone(self) -> str:
        return "plain" if self.awake else "bad"


class Landed(OfARoll, frozen=True, kw_only=True):
    """How a person who fell tried to land."""

    name: str
    how: str
    qr: int
    meters: float
    eased: Derived[float]
    """The meters that the landing takes off."""

    def headline(self) -> str:
        left = max(0, self.meters - self.eased.value)
        return f"{self.name or 'somebody'} tries a {self.how} from {self.meters:g} m: QR{self.qr}, as a fall of {left:g} m"

    def reasons(self) -> tuple[Reason, ...]:
        return (*super().reasons(), self.eased.reason)


class Overtaxed(OfARoll, frozen=True):
    """Fatigue that may wound: stamina below minus endurance, or days without rest."""

    name: str
    what: str
    qr: int
    level: str
    """The wound level that it makes, where the endurance roll fails."""

    def headline(self) -> str:
        said = f"takes a wound level: {self.level}" if self.level else "endures it"
        return f"{self.name} {said} ({self.what})"

    def tone(self) -> str:
        return "bad" if self.level else "plain"
