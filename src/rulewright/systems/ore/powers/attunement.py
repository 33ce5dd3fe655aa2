"""Attunement, psi signatures and Secret Feats (book lines 6179-6234)."""

from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.play import Play
from rulewright.rules import Column, Ruleset, rule
from rulewright.rules.reasons import Derived, row, term, times, total
from rulewright.systems.ore.people.feats import SECRET_FEATS
from rulewright.systems.ore.resolution.outcomes import Outcome
from rulewright.systems.ore.resolution.tests import Mod, Pool, make_test

SIX = Pool(6)
LISTED = 10
MOST_ATTUNEMENT = 20


ATTUNEMENT = Column("ore-5.04-attunement", "attunement", int, metres=int)
"""The range of an Attunement."""
SIGNATURES = Column("ore-5.04-psi-signatures", "difficulty", int, situation=str)
"""The Difficulty to read a psi signature."""


@rule("ore-5.04-attunement", "ore-5.04-feats-clairsentience")
def attunement(psi: int = 3, focus: int = 2, clairsentience: int = 0, feat: bool = False) -> Derived[int]:
    """Attunement is Psi and Focus; the Secret Feat of that name adds the Clairsentience skill."""
    terms = [term("Psi", psi), term("Focus", focus)]
    if feat:
        terms.append(term("Clairsentience", clairsentience, rule="ore-5.04-feats-clairsentience"))
    return total("Attunement", *terms, rule="ore-5.04-attunement")


@rule("ore-5.04-attunement")
def sensing_range(rules: Ruleset, attunement: int = 5) -> Derived[int]:
    """The sensing range in metres: by the list up to 10, doubled for every point above; none below 1."""
    if not 0 <= attunement <= MOST_ATTUNEMENT:
        raise UserError(f"Attunement goes from 0 to {MOST_ATTUNEMENT}, not {attunement}")
    listed = min(attunement, LISTED)
    metres = ATTUNEMENT.of(rules, str(listed)) if listed else 0
    terms = [row(f"Attunement {listed}", metres)]
    if attunement > LISTED:
        terms.append(times(f"doubled {count(attunement - LISTED, 'time')}", 2 ** (attunement - LISTED)))
    return total("Metres", *terms, rule="ore-5.04-attunement")


@rule("ore-5.04-psi-signatures")
def read_signature(rules: Ruleset, pool: Pool = SIX, difficulty: int = 2, cloak: int = 0, by: str = "") -> Play[Outcome]:
    """Reads a psi signature with Insight and Focus; a Psi Cloak takes its Width in dice. By id only."""
    SIGNATURES.get(rules, str(difficulty))
    cloaked = Mod("Psi Cloak", -max(0, cloak), "ore-5.04-effects-clairsentience")
    return (yield from make_test(rules, pool.plus(cloaked), difficulty, by=by, what="psi signature"))


@rule("ore-5.04-feats-clairsentience")
def psi_sight(psi: int = 3) -> str:
    """The strength of a Psi in words: weak 1, moderate 2 to 4, strong 5. By id only."""
    return "none" if psi < 1 else "weak" if psi == 1 else "moderate" if psi < 5 else "strong"


@rule(
    "ore-5.04-feats-clairsentience",
    "ore-5.04-feats-electrokinesis",
    "ore-5.04-feats-psychokinesis",
    "ore-5.04-feats-redaction",
    "ore-5.04-feats-telepathy",
)
def secret_feats(rules: Ruleset, skill: str = "telepathy", rating: int = 3) -> tuple[str, ...]:
    """The Secret Feats of a Power Skill: one per level. By id only."""
    feat_rows = [row for table in SECRET_FEATS for row in table(rules).values() if row.skill == skill.lower()]
    if not feat_rows:
        raise UserError(f"there are no Secret Feats of {skill!r}")
    return tuple([feat_row.name for feat_row in sorted(feat_rows, key=lambda feat_row: feat_row.level) if feat_row.level <= rating])


@rule("ore-5.04-feats-telepathy")
def projected_words(psi: int = 3) -> int:
    """The words that Projection sends: Psi. By id only."""
    return max(0, psi)


@rule("ore-5.04-feats-redaction")
def eased_pain(penalty: int = 2) -> int:
    """The pain penalty under an Analgesic Touch: one die less. A view of powers in fights."""
    return max(0, penalty - 1)
