"""Generates documents from the code: docs/rulings.md, docs/ore-feats.md, docs/ore-powers.md, docs/silhouette-perks.md, docs/schemas/*.json.

`--check` only reports whether they are up to date.
"""

import ast
import json
import re
import sys
from pathlib import Path

import msgspec
import yaml

from rulewright.library import kinds
from rulewright.system import HOUSE, find, names

DOCS = Path(__file__).resolve().parent.parent / "docs"
FIXED = Path(__file__).resolve().parent / "rulings.yaml"
"""Rulings that are not settings, by game."""


def rulings() -> str:
    """Every ruling of every built-in game, with its other choices."""
    parts = [
        "# Rulings\n\nThis page lists our decisions where a book is unclear. Each is a setting. A campaign can change it with "
        "`--set name=value`, in a scenario's `settings`, or in a house-rules file. Smaller decisions are not settings; the most important "
        'of them have a second table, and the text of their rule marks the others as "ruling". Optional rules of the books are settings '
        "too. `rulewright systems GAME` lists all settings. `make docs` generates this page.\n"
    ]
    fixed = yaml.safe_load(FIXED.read_text(encoding="utf-8"))
    for name in (name for name in names() if name in HOUSE):
        system = find(name)
        parts.append(f"\n## {system.name}\n\n| setting | default | values | meaning | lines | rule |\n|---|---|---|---|---|---|\n")
        for setting in system.book.settings.values():
            if setting.source == "ruling":
                default = str(setting.default).lower() if isinstance(setting.default, bool) else str(setting.default)
                cells = (f"`{setting.name}`", default, setting.allowed(), f"{setting.title}: {setting.text}", setting.lines, setting.rule)
                parts.append(f"| {' | '.join(cells)} |\n")
        if rows := fixed.get(name):
            parts.append("\n| rule | lines | ruling without a setting |\n|---|---|---|\n")
            parts += [f"| {row['rule']} | {row['lines']} | {row['ruling']} |\n" for row in rows]
    return "".join(parts)


def schemas() -> dict[str, str]:
    """The JSON Schema of every kind of file of every built-in game."""
    texts = {}
    for name in (name for name in names() if name in HOUSE):
        for kind, type_ in kinds(find(name)).items():
            texts[f"{name}-{kind}.json"] = json.dumps(msgspec.json.schema(type_), indent=2, sort_keys=True) + "\n"
    return texts


def feats() -> str:
    """Every level of feats of the One Roll Engine: class, effect, and a test that shows it."""
    from rulewright.systems.ore.build.feat_sheet import feat_table
    from rulewright.systems.ore.settings import BOOK

    rows = feat_table(BOOK.ruleset())
    counted = {kind: sum(row.kind == kind for row in rows) for kind in ("numbers", "offers", "gamemaster", "story")}
    parts = [
        "# Feats of the One Roll Engine\n\nThis page lists the effect of every level of every path, from `data/people/feat_effects.yaml`. "
        "`make docs` generates it.\n\n"
        "| class | levels | meaning |\n|---|---|---|\n"
        f"| numbers | {counted['numbers']} of {len(rows)} | changes numbers |\n"
        f"| offers | {counted['offers']} of {len(rows)} | offers an option |\n"
        f"| gamemaster | {counted['gamemaster']} of {len(rows)} | the Game Master decides, by the book's measure |\n"
        f"| story | {counted['story']} of {len(rows)} | has no effect on the rules |\n\n"
        "| level | name | class | effect | test |\n|---|---|---|---|---|\n"
    ]
    tests = shown_in_tests()
    for row in rows:
        own = next((name for name, lines in tests if row.line in lines), "test_a_level_does_for_its_roll_what_its_row_says")
        parts.append(f"| {row.feat} | {row.name} | {row.kind} | {row.does} | `{own}` |\n")
    return "".join(parts)


def powers() -> str:
    """Every effect of the One Roll Engine's powers: class, effect, and a test that shows it."""
    from rulewright.systems.ore.powers.catalogue import effects
    from rulewright.systems.ore.settings import BOOK

    rows = [row for row in effects(BOOK.ruleset()).values() if row.set == "meta-psychic"]
    counted = {use: sum(row.use == use for row in rows) for use in ("numbers", "offers", "gamemaster", "story")}
    usable_in_fights = sum(row.at_once for row in rows)
    parts = [
        "# Powers of the One Roll Engine\n\nThis page lists every effect of the Meta-Psychic, from `data/powers/*.yaml`. "
        f"Of {len(rows)} effects, {usable_in_fights} can be used in a fight. `make docs` generates this page.\n\n"
        "| class | effects | meaning |\n|---|---|---|\n"
        f"| numbers | {counted['numbers']} of {len(rows)} | changes numbers |\n"
        f"| offers | {counted['offers']} of {len(rows)} | offers an option |\n"
        f"| gamemaster | {counted['gamemaster']} of {len(rows)} | the Game Master decides, by the book's measure |\n"
        f"| story | {counted['story']} of {len(rows)} | has no effect on the rules |\n\n"
        "| name | skill | level | Intensity | class | in a fight | effect | test |\n|---|---|---|---|---|---|---|---|\n"
    ]
    shown = effects_in_tests()
    for row in rows:
        own = shown.get(row.effect, "test_over_time.test_the_game_master_is_asked_with_the_measure_and_the_log_keeps_the_answer")
        cells = (row.effect, row.skill, str(row.level), str(row.intensity), row.use, "yes" if row.at_once else "no", row.does)
        parts.append(f"| {' | '.join(cells)} | `{own.partition('.')[2]}` |\n")
    return "".join(parts)


def perks() -> str:
    """Every Perk and Flaw of Silhouette's machines and systems: effect, where it counts, and a test that shows it."""
    from rulewright.systems.silhouette.machines.design.trait_effects import (
        FLAW_EFFECTS,
        PERK_EFFECTS,
        SYSTEM_FLAW_EFFECTS,
        SYSTEM_PERK_EFFECTS,
    )
    from rulewright.systems.silhouette.settings import BOOK

    rules, tables = BOOK.ruleset(), tables_in_tests("silhouette/battle/test_perk_table.py")
    kinds = (
        ("Machines", (*PERK_EFFECTS, *FLAW_EFFECTS), tables["MACHINES"]),
        ("Systems", (SYSTEM_PERK_EFFECTS, SYSTEM_FLAW_EFFECTS), tables["SYSTEMS"]),
    )
    rows = [row for _, _, shown in kinds for row in shown.values()]
    counted = {where: sum(row[0] == where for row in rows) for where in ("battle", "repairs", "design", "by rule")}
    parts = [
        "# Perks and Flaws of Silhouette's machines\n\nThis page lists every Perk and Flaw of machines and their systems. "
        "`make docs` generates it.\n\n"
        "| counts in | Perks and Flaws | meaning |\n|---|---|---|\n"
        f"| battle | {counted['battle']} of {len(rows)} | changes a battle |\n"
        f"| repairs | {counted['repairs']} of {len(rows)} | changes repairs |\n"
        f"| design | {counted['design']} of {len(rows)} | changes the design of a machine |\n"
        f"| by rule | {counted['by rule']} of {len(rows)} | counts between battles, when its rule is called |\n"
    ]
    for title, effects, shown in kinds:
        parts.append(f"\n## {title}\n\n| name | effect | counts in | changes | test |\n|---|---|---|---|---|\n")
        for table in effects:
            for name, row in table(rules).items():
                where, what, test = shown[name]
                parts.append(f"| {name} | {row.effect} | {where} | {what} | `{test}` |\n")
    return "".join(parts)


def tables_in_tests(path: str) -> dict[str, dict[str, tuple[str, str, str]]]:
    """The dictionaries in a test module, by name, with its string constants resolved."""
    texts: dict[str, str] = {}
    tables: dict[str, dict[str, tuple[str, str, str]]] = {}
    for node in ast.parse((DOCS.parent / "tests" / path).read_text(encoding="utf-8")).body:
        if not (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)):
            continue
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            texts[node.targets[0].id] = node.value.value
        elif isinstance(node.value, ast.Dict):
            rows = {}
            for key, value in zip(node.value.keys, node.value.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(value, ast.Tuple):
                    cells = [texts[cell.id] if isinstance(cell, ast.Name) else ast.literal_eval(cell) for cell in value.elts]
                    rows[str(key.value)] = (cells[0], cells[1], cells[2])
            tables[node.targets[0].id] = rows
    return tables


def effects_in_tests() -> dict[str, str]:
    """The test of each effect, from the table in the tests."""
    source = (DOCS.parent / "tests" / "ore" / "powers" / "test_table_of_effects.py").read_text(encoding="utf-8")
    tables = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Dict)
    }
    return {**tables["NUMBERS"], **tables["OFFERS"]}


def shown_in_tests() -> list[tuple[str, set[int]]]:
    """The tests of feats, each with the lines of the book that it names."""
    named_lines: list[tuple[str, set[int]]] = []
    tests = DOCS.parent / "tests" / "ore"
    for path in sorted([*tests.rglob("test_feat*.py"), *(tests / "powers").rglob("test_*.py")]):
        name, before = "", set[int]()  # lines named above a test, among its parameters
        for text in path.read_text(encoding="utf-8").splitlines():
            named = re.search(r"# (?:.*, )?lines? ([\d, -]+)", text)
            lines = _numbers(named[1]) if named else set()
            if text.startswith("@"):
                name = ""
            if begun := re.match(r"def (test_\w+)", text):
                name = begun[1]
                named_lines.append((name, before | lines))
                before = set()
            elif name:
                named_lines.append((name, lines))
            else:
                before |= lines
    return named_lines


def _numbers(written: str) -> set[int]:
    """The line numbers in a text such as `2391-2403, 2410`."""
    numbers: set[int] = set()
    for part in written.split(","):
        first, _, last = part.strip(" -").partition("-")
        if first.isdecimal():
            numbers |= set(range(int(first), int(last or first) + 1))
    return numbers


def main() -> int:
    wanted = {
        DOCS / "rulings.md": rulings(),
        DOCS / "ore-feats.md": feats(),
        DOCS / "ore-powers.md": powers(),
        DOCS / "silhouette-perks.md": perks(),
        **{DOCS / "schemas" / name: text for name, text in schemas().items()},
    }
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv:
        for path in stale:
            print(f"{path.relative_to(DOCS.parent)} is out of date. Run make docs.")
        return 1 if stale else 0
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(wanted[path], encoding="utf-8")
        print(f"wrote {path.relative_to(DOCS.parent)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
