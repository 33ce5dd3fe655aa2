"""Short stat blocks, and the injury track of the sheet (book lines 9618-9645)."""

from rulewright.errors import UserError
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.systems.silhouette.combat.arms import weapons_of
from rulewright.systems.silhouette.creatures.creatures import Creature
from rulewright.systems.silhouette.people.characters import Character, Person, abbreviation
from rulewright.systems.silhouette.people.secondary_attributes import secondary_of
from rulewright.systems.silhouette.people.skills import named

SHORT = ("agility", "appearance", "build", "creativity", "fitness", "influence", "knowledge", "perception", "psyche", "willpower")


class BoxRow(TableRow, frozen=True):
    """A box of the track: its penalty for real wounds and for bruises."""

    box: int
    wounds: int
    bruises: int | None = None


TRACK = Table("sil-h-character-sheet", BoxRow)


@rule("sil-h-character-sheet")
def track_penalty(rules: Ruleset, boxes: int, bruises: bool = False) -> int:
    """Returns the penalty of marked boxes: 1 each for real wounds, 1 for every second for bruises; it continues beyond the tenth.

    A view of the `penalty` of wounds and bruises.
    """
    if boxes < 0:
        raise UserError(f"the number of boxes must be at least 0, not {boxes}")
    rows = TRACK(rules)
    marked = [row for row in rows.values() if row.box <= boxes]
    if not marked:
        return 0
    if not bruises:
        return marked[-1].wounds - max(0, boxes - len(rows))
    return min([row.bruises or 0 for row in marked]) - (boxes // 2 - len(rows) // 2 if boxes > len(rows) else 0)


def stat_block(rules: Ruleset, being: Character | Creature) -> str:
    """Returns a stat block in a few lines: attributes, derived values, skills, weapons and notes."""
    person = Person.of(rules, being)
    values = {key: derived.value for key, derived in secondary_of(rules, person).items()}
    ten = (
        " ".join([f"{abbreviation(rules, name)} {person.attribute(name):+d}" for name in SHORT if person.attribute(name)])
        or "all attributes average"
    )
    skills = ", ".join(
        [f"{name} {level}/{person.complexity.get(name, 1)}" for name, level in sorted(person.skills.items()) if _is_skill(rules, name)]
    )
    wounds = "/".join([str(values[f"{name}_threshold"]) for name in ("flesh_wound", "deep_wound", "instant_death")])
    arms = ", ".join([f"{weapon.name} ×{weapon.damage}" for weapon in weapons_of(rules, person)])
    lines = [
        f"{being.name}{f' ({being.concept})' if being.concept else ''}",
        f"  {ten}",
        f"  STR {values['strength']:+d} HEA {values['health']:+d} STA {values['stamina']} wounds {wounds} SS {values['system_shock']}",
        f"  {skills or 'no skills'}",
        f"  {arms}",
    ]
    return "\n".join([*lines, *([f"  {being.notes}"] if being.notes else [])])


def _is_skill(rules: Ruleset, name: str) -> bool:
    try:
        named(rules, name)
    except UserError:
        return False
    return True
