"""Audit and sheet of mooks."""

from rulewright.build.audit import Audit, Problem
from rulewright.build.sheet_parts import Section, Sheet, Value
from rulewright.grammar import join
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason
from rulewright.systems.ore.combat.mooks import MOST_THREAT, THREATS
from rulewright.systems.ore.people.mook_file import Mook


def audit(rules: Ruleset, mook: Mook) -> Audit:
    """All problems of a mook file."""
    problems = []
    if not 1 <= mook.threat <= MOST_THREAT:
        message = f"a Threat Rating goes from 1 to {MOST_THREAT}, not {mook.threat}"
        problems.append(Problem("ore-4.19-mooks", "threat", message, abs(mook.threat - min(max(mook.threat, 1), MOST_THREAT))))
    if min(mook.kill, mook.shock) < 0:
        problems.append(Problem("ore-4.19-mook-tuning", "kill" if mook.kill < 0 else "shock", "weapons add 0 or more to Width", 1))
    if not 0 <= mook.armour <= 9:
        problems.append(Problem("ore-4.19-mook-tuning", "armour", f"an Armour Rating goes from 0 to 9, not {mook.armour}", 1))
    return Audit(tuple(problems), ())


def sheet(rules: Ruleset, mook: Mook) -> Sheet:
    """The sheet of a mook."""
    examples = THREATS.numbered(rules).get(mook.threat)
    like = f"for example {join(examples)}" if examples is not None else ""
    values = (
        ("threat", "Threat Rating", mook.threat, "ore-4.19-mooks", like),
        ("armour", "Armour Rating", mook.armour, "ore-4.19-mook-tuning", ""),
        ("kill", "Kill beyond Width", mook.kill, "ore-4.19-mook-tuning", ""),
        ("shock", "Shock beyond Width", mook.shock, "ore-4.19-mook-tuning", ""),
    )
    pieces = tuple(
        [
            Value(name=name, rule=rule, key=key, value=value, note=note, reasons=(Reason(name, value, "+", rule),))
            for key, name, value, rule, note in values
        ]
    )
    return Sheet("ore", "mook", mook.name, mook.concept, (Section("Mook", pieces),))


def plain_mook(rules: Ruleset) -> Mook:
    """A default mook."""
    return Mook("Mook")
