"""Skills, packages and the allowances of a culture (book chapters 3, 9, 10 and 12)."""

from collections.abc import Iterator
from typing import Any

from rulewright.build.audit import MOST_REPAIRS, Problem, Repair, short
from rulewright.systems.hybrid.build.audit.audited_character import Checked
from rulewright.systems.hybrid.people.advancement import near_to
from rulewright.systems.hybrid.people.characters import ALLOWANCES, PACKAGES, Skill
from rulewright.systems.hybrid.people.creation import given_ranks, package_known, plain_field, skill_price
from rulewright.systems.hybrid.people.skills import HIGHEST_RANK, RELATIONS, SKILLS, known
from rulewright.systems.hybrid.people.statistics import STATISTICS, stat_name


def skills(file: Checked) -> Iterator[Problem]:
    """Skills with ranks that can be, and pools of skills that are had."""
    rules, who = file.rules, file.character
    given = given_ranks(rules, file.fair)
    names = tuple(SKILLS(rules))
    for skill, entry in who.skills.items():
        field, rank = plain_field("skills", skill), who.skill(skill).rank
        if rank < 0:
            value: Any = 0 if not isinstance(entry, Skill) else {**file.plain["skills"][skill], "rank": 0}
            message = f"{short(skill)}: there is no rank {rank}"
            yield Problem("hyb-9-skill-cost", field, message, -rank, file.put("skills", skill, value, "raise it to 0"))
        elif rank > HIGHEST_RANK:
            lower: Any = HIGHEST_RANK if not isinstance(entry, Skill) else {**file.plain["skills"][skill], "rank": HIGHEST_RANK}
            message = f"{short(skill)} {rank}: ranks end at {HIGHEST_RANK}"
            repair = file.put("skills", skill, lower, f"lower it to {HIGHEST_RANK}")
            yield Problem("hyb-3-ranks", field, message, rank - HIGHEST_RANK, repair)
        elif rank <= given.get(skill, -1):
            price = skill_price(rules, rank, given[skill]).value
            message = f"{short(skill)} {rank} is no better than the rank {given[skill]} that was given, and costs {price}"
            yield Problem("hyb-9-skill-cost", field, message, repair=file.drop("skills", skill), warning=True)
        if isinstance(entry, Skill):
            yield from _described(file, skill, entry, field)
        if known(rules, skill) is None and not (isinstance(entry, Skill) and entry.type is not None):
            near = near_to(skill, names) if file.dropped < MOST_REPAIRS else None
            file.dropped += 1
            message = f"{short(skill)!r} is not a skill of the book: give its type, so that it has a base cost"
            rename = file.rename("skills", skill, near) if near and near not in who.skills else None
            yield Problem("hyb-3-skill-format", field, message, repair=rename, warning=True)
    for pool, members in who.skill_pools.items():
        missing = [name for name in members if name not in given and name not in who.skills]
        if missing:
            message = f"skill pool {short(pool)}: {short(', '.join(missing))} without a rank does not count"
            yield Problem("hyb-3-skill-pools", plain_field("skill_pools", pool), message, warning=True)


def related(file: Checked) -> Iterator[Problem]:
    """Skills that stand in for others."""
    rule_id, who = "hyb-3-related-skills", file.character
    owned = {*given_ranks(file.rules, file.fair), *who.skills}
    for skill, other in who.related.items():
        field = plain_field("related", skill)
        if other.relation not in RELATIONS(file.rules):
            message = f"{short(skill)}: {short(other.relation)!r} is not a relation; the relations are {', '.join(RELATIONS(file.rules))}"
            yield Problem(rule_id, field, message, repair=file.drop("related", skill))
        elif other.skill not in owned or skill in owned:
            why = f"{short(other.skill)} has no rank" if other.skill not in owned else "it has a rank of its own"
            message = f"{short(skill)}: {short(other.skill)} does not replace it, since {why}"
            yield Problem(rule_id, field, message, warning=True)


def _described(file: Checked, skill: str, entry: Skill, field: str) -> Iterator[Problem]:
    plain = file.plain["skills"][skill]
    strange = [stat for stat in entry.stat_base if stat_name(stat) not in STATISTICS]
    if strange:
        kept = {**plain, "stat_base": [stat for stat in entry.stat_base if stat not in strange]}
        message = f"{short(skill)} uses {short(', '.join(strange))}, which is not a statistic"
        yield Problem("hyb-3-skill-format", field, message, repair=file.put("skills", skill, kept, "leave that out"))
    if entry.kind == "support" and not entry.of:
        message = f"{short(skill)} is a support skill without a skill that it supports"
        repair = file.put("skills", skill, {**plain, "kind": "specific"}, "make it a skill of its own")
        yield Problem("hyb-3-general-support-skills", field, message, repair=repair)


def packages(file: Checked) -> Iterator[Problem]:
    """Packages that are known or agreed on, bought once."""
    rule_id, seen = "hyb-9-skill-packages", set()
    for place, package in enumerate(file.character.packages):
        field = f"packages.{place}"
        if not package_known(file.rules, package):
            near = near_to(package.package, tuple(PACKAGES(file.rules)))
            message = f"package {short(package.package)!r} is not in the book: it needs skills and a price agreed with the gamemaster"
            repair = Repair(f"write {near}", f"{field}.package", near) if near else file.drop("packages", place)
            yield Problem(rule_id, field, message, repair=repair)
            continue
        if package.rank < 0:
            message = f"{short(package.package)}: there is no rank {package.rank}"
            yield Problem(rule_id, f"{field}.rank", message, -package.rank, Repair("raise it to 0", f"{field}.rank", 0))
        if package.rank > HIGHEST_RANK:
            message = f"{short(package.package)} {package.rank}: ranks end at {HIGHEST_RANK}"
            lower = Repair(f"lower it to {HIGHEST_RANK}", f"{field}.rank", HIGHEST_RANK)
            yield Problem("hyb-3-ranks", f"{field}.rank", message, package.rank - HIGHEST_RANK, lower)
        if package.cost is not None and package.cost < 0:
            message = f"{short(package.package)}: a price of {package.cost} would give points back"
            value = None if package.package in PACKAGES(file.rules) else 0
            yield Problem(rule_id, f"{field}.cost", message, -package.cost, Repair("pay its price", f"{field}.cost", value))
        if package.package in seen:
            message = f"package {short(package.package)} was bought twice"
            yield Problem(rule_id, field, message, repair=file.drop("packages", place))
        seen.add(package.package)


def _takes_allowances(file: Checked) -> bool:
    """Whether the character's culture gives allowances of points: by chapter 9, and by chapter 10 to all but Theneans."""
    chapter = file.rules.word("culture-skills")
    return chapter == "chapter 9" or (chapter == "chapter 10" and file.character.culture != "Thenean")


def fields(file: Checked) -> Iterator[tuple[str, int, int]]:
    """Every allowance, what it holds and what was taken."""
    if _takes_allowances(file):
        for field, row in ALLOWANCES(file.rules).items():
            yield field, row.points, sum(1 + max(0, rank) for rank in file.character.cultural.get(field, {}).values())


def allowances(file: Checked) -> Iterator[Problem]:
    """Checks the skills that were paid from the allowances of a culture."""
    rule_id, rows, cultural = "hyb-9-cultural-points", ALLOWANCES(file.rules), file.character.cultural
    if not _takes_allowances(file):
        if cultural:
            message = "allowances of points count only where a campaign follows chapter 9; the culture gives fixed ranks"
            yield Problem(rule_id, "cultural", message, repair=Repair("leave them out", "cultural", {}), warning=True)
        return
    for field, skills in cultural.items():
        where, plain = plain_field("cultural", field), dict(skills)
        row = rows.get(field)
        if row is None:
            message = f"there is no allowance for {short(field)!r}, only for {', '.join(rows)}"
            yield Problem(rule_id, where, message, repair=file.drop("cultural", field))
            continue
        for skill, rank in skills.items():
            if rank < 0:
                repair = file.put("cultural", field, {**plain, skill: 0}, "raise it to 0")
                yield Problem(rule_id, where, f"{short(skill)}: there is no rank {rank}", -rank, repair)
            elif row.kinds and skill.partition(":")[0].strip() not in row.kinds:
                kept = {name: number for name, number in plain.items() if name != skill}
                message = f"{short(skill)} is not what the allowance for {field} is for: {row.covers}"
                yield Problem(rule_id, where, message, repair=file.put("cultural", field, kept, "leave it out"))
    for field, allowed, spent in fields(file):
        if spent > allowed:
            repair = _trimmed(file, field, spent - allowed)
            message = f"{spent} of {allowed} points for {field} taken"
            yield Problem(rule_id, plain_field("cultural", field), message, spent - allowed, repair)


def _trimmed(file: Checked, field: str, over: int) -> Repair:
    """Lower the highest rank of an allowance by what is over, or leave it out."""
    number_by_name = dict(file.character.cultural[field])
    skill = max(number_by_name, key=lambda name: number_by_name[name])
    if number_by_name[skill] >= over:
        return file.put(
            "cultural",
            field,
            {**number_by_name, skill: number_by_name[skill] - over},
            f"lower {short(skill)} to {number_by_name[skill] - over}",
        )
    return file.put("cultural", field, {name: rank for name, rank in number_by_name.items() if name != skill}, f"leave {short(skill)} out")
