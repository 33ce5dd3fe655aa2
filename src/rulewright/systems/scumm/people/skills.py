"""Skills with special rules (book lines 116-120, 186-190, 230-240, 254-260)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Event, Play, Tell
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, at_least, limited, term, total
from rulewright.systems.scumm.resolution.tests import DIFFICULTIES, Mod, Test, action_test, passes, skill_pool, succeeds

UNFAMILIAR = -2


# --- Tinker -------------------------------------------------------------------------------------------------------------------


class Gadget(Struct, frozen=True):
    """Something jury-rigged: who made it, how hard that was, and whether it works."""

    maker: str
    threshold: int
    state: Literal["works", "malfunctions", "fell apart"] = "works"


class Tinkered(Event, frozen=True):
    """How a makeshift thing fares."""

    maker: str
    total: int
    threshold: int
    outcome: str

    def headline(self) -> str:
        return f"the device of {self.maker} {self.outcome}"

    def reasons(self) -> tuple[Reason, ...]:
        return (Reason("Tinker test", self.total, "=", "scumm-tinker"), Reason("Threshold", self.threshold, "against"))

    def tone(self) -> str:
        return "good" if self.outcome == "works" else "bad"


@rule("scumm-tinker")
def tinker(
    rules: Ruleset, level: int = 1, alertness: int = 0, threshold: int = 4, modifier: int = 0, maker: str = "someone"
) -> Play[Gadget]:
    """A makeshift machine or repair: a Tinker test against the Threshold of the task. A failure makes nothing that works."""
    test = yield from _tinker_test(rules, level, alertness, threshold, modifier=modifier, maker=maker)
    works = succeeds(rules, test)
    gadget = Gadget(maker, threshold, "works" if works else "fell apart")
    yield from Tell(Tinkered(maker, test.total, threshold, gadget.state))
    return gadget


def _tinker_test(rules: Ruleset, level: int, alertness: int, threshold: int, *, modifier: int, maker: str) -> Play[Test]:
    pool = skill_pool(rules, level, alertness, "Alertness", (Mod("situation", modifier),))
    return (yield from action_test(rules, pool, threshold, maker, "Tinker"))


@rule("scumm-tinker")
def strain(rules: Ruleset, gadget: Gadget, level: int = 1, alertness: int = 0, modifier: int = 0) -> Play[Gadget]:
    """Pushed or damaged, it is tested again against the same Threshold: a failure is a malfunction, a fumble the end of it."""
    if gadget.state == "fell apart":
        return gadget
    test = yield from _tinker_test(rules, level, alertness, gadget.threshold, modifier=modifier, maker=gadget.maker)
    if test.fumble:  # 120: a fumble is the end of it
        after = replace(gadget, state="fell apart")
    elif passes(rules, test.total, gadget.threshold):
        after = gadget
    else:
        after = replace(gadget, state="malfunctions")
    yield from Tell(Tinkered(gadget.maker, test.total, gadget.threshold, after.state))
    return after


@rule("scumm-tinker")
def fix(gadget: Gadget) -> Gadget:
    """A full-round action ends a malfunction; what fell apart stays so."""
    return replace(gadget, state="works") if gadget.state == "malfunctions" else gadget


@rule("scumm-tinker")
def use(gadget: Gadget, user: str, needed: bool = True) -> Gadget:
    """It lasts only as long as it is needed, and only in the hands of its maker."""
    return gadget if needed and user == gadget.maker else replace(gadget, state="fell apart")


# --- Forgery and Etiquette ----------------------------------------------------------------------------------------------------


@rule("scumm-forgery-unfamiliar")
def forgery(
    rules: Ruleset, level: int = 1, intelligence: int = 0, threshold: int = 4, familiar: bool = False, modifier: int = 0
) -> Play[Test]:
    """Making a forgery, or knowing one: a Forgery test, at -2 in a related field one is not familiar with."""
    mods = (Mod("unfamiliar field", 0 if familiar else UNFAMILIAR, "scumm-forgery-unfamiliar"), Mod("situation", modifier))
    return (yield from action_test(rules, skill_pool(rules, level, intelligence, "Intelligence", mods), threshold, what="Forgery"))


@rule("scumm-etiquette-unfamiliar")
def etiquette(rules: Ruleset, level: int = 1, spirit: int = 0, threshold: int = 4, familiar: bool = False, modifier: int = 0) -> Play[Test]:
    """Proper conduct: an Etiquette test, at -2 in a related milieu one is not familiar with."""
    mods = (Mod("unfamiliar milieu", 0 if familiar else UNFAMILIAR, "scumm-etiquette-unfamiliar"), Mod("situation", modifier))
    return (yield from action_test(rules, skill_pool(rules, level, spirit, "Spirit", mods), threshold, what="Etiquette"))


# --- Disguise -----------------------------------------------------------------------------------------------------------------


@rule("scumm-disguise-opposition")
def recognition_threshold(threshold: int, disguise_margin: int) -> Derived[int]:
    """The Margin of Success of a disguise is added to the Threshold of every test to see through it; a failed one adds nothing."""
    return total(
        "Threshold to see through the disguise",
        term("without disguise", threshold),
        term("Margin of Success of the Disguise test", max(0, disguise_margin)),
        rule="scumm-disguise-opposition",
    )


@rule("scumm-disguise-opposition")
def disguise(
    rules: Ruleset,
    level: int = 1,
    spirit: int = 0,
    threshold: int = 4,
    impersonation: int = 0,
    modifier: int = 0,
) -> Play[Test]:
    """A Disguise test; to pass for one certain person the gamemaster makes it harder by as much as he sees fit."""
    if impersonation < 0:
        raise UserError(f"passing for a certain person makes a disguise harder, not easier: {impersonation}")
    pool = skill_pool(rules, level, spirit, "Spirit", (Mod("situation", modifier),))
    return (yield from action_test(rules, pool, threshold + impersonation, what="Disguise"))


@rule("scumm-disguise-opposition")
def see_through(
    rules: Ruleset, notice: int = 1, alertness: int = 0, threshold: int = 2, disguise_margin: int = 0, modifier: int = 0
) -> Play[bool]:
    """Whether a person recognizes what is behind a disguise: a Notice test against the raised Threshold."""
    pool = skill_pool(rules, notice, alertness, "Alertness", (Mod("situation", modifier),))
    raised = recognition_threshold(threshold, disguise_margin).value
    test = yield from action_test(rules, pool, raised, what="Notice")
    return passes(rules, test.total, raised)


# --- Persuasion ---------------------------------------------------------------------------------------------------------------


@rule("scumm-persuasion-difficulty")
def persuade(rules: Ruleset, level: int = 1, spirit: int = 0, target: str = "moderate", relationship: int = 0, deal: int = 0) -> Play[Test]:
    """Winning a person for a deal: a Persuasion test against what the target, the relationship and the deal itself make of it.

    By id only.
    """
    threshold = persuasion_threshold(rules, target, relationship, deal).value
    return (yield from action_test(rules, skill_pool(rules, level, spirit, "Spirit"), threshold, what="Persuasion"))


@rule("scumm-persuasion-difficulty")
def persuasion_threshold(rules: Ruleset, target: str = "moderate", relationship: int = 0, deal: int = 0) -> Derived[int]:
    """Three things weigh: who the target is, how the two stand to each other, and the deal's risk against its reward.

    The book prints no numbers. Ruling: the gamemaster takes the target's difficulty from the table of Thresholds, and says by
    how much the other two make it harder (above 0) or easier; it never falls below 1.
    """
    row = DIFFICULTIES.get(rules, target)
    return limited(
        "Threshold of the Persuasion test",
        term(f"the target: {row.name}", row.threshold, rule="scumm-action-test"),
        term("the relationship", relationship),
        term("risk and reward", deal),
        limit=at_least(1),
        rule="scumm-persuasion-difficulty",
        source="ruling",
    )
