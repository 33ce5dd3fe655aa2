"""Write docs/conversion-results.md: every ready-made person in every other game with the audit, and fitted duels of some of them.

python tools/conversion_results.py [--duels FIGHTS]     the duels take long: about half a minute each
"""

import argparse
import json
import sys
from pathlib import Path

from rulewright.conversion import Side, convert, side_of
from rulewright.lab.conversion_fit import ENOUGH, fit
from rulewright.system import ALL_ROUNDER, NOTHING, find, names

PAGE = Path(__file__).parents[1] / "docs" / "conversion-results.md"
DUELS = Path(__file__).parents[1] / "benchmarks" / "conversion-duels.json"
DUELLISTS = (
    *("scumm/hired-gun", "scumm/bouncer", "silhouette/court-fencer", "silhouette/levy-rifleman", "hybrid/duelist", "hybrid/archer"),
    *("ore/ines_corvo", "ore/kaito_renn", "foresight/gunman", "foresight/man-at-arms"),
)
HEAD = """# Conversion: results

Every ready-made person in the other games, as `rulewright convert` makes them, and duels of some of them. `python
tools/conversion_results.py` writes this page. [Conversion](conversion.md) explains the method.
"""


def sides() -> dict[str, Side]:
    """The games that take part, with their usual rules."""
    return {name: side_of(find(name), find(name).book.ruleset()) for name in names() if find(name).portrayal is not None}


def audits(games: dict[str, Side]) -> list[str]:
    """A table for every game: its ready-made people, and in each other game `legal` or what stands against it."""
    lines = ["## Audits", "", "An empty cell is legal for a beginner. Otherwise the cell says what the audit says.", ""]
    for name, source in games.items():
        others = {other: side for other, side in games.items() if other != name}
        lines += [f"### {source.system.name}", "", f"| person | {' | '.join(side.system.name for side in others.values())} |"]
        lines += [f"|---|{'---|' * len(others)}"]
        for archetype in source.system.archetypes("character"):
            if archetype == NOTHING:
                continue
            person = source.system.new(source.rules, "character", archetype)
            cells = ["; ".join(convert(person, source, side).costs) for side in others.values()]
            lines.append(f"| {person.name if archetype != ALL_ROUNDER else 'All-Rounder'} | {' | '.join(cells)} |")
        lines.append("")
    return lines


def measure(games: dict[str, Side], fights: int) -> None:
    """Play the duels and keep their results, one after another."""
    results = json.loads(DUELS.read_text()) if DUELS.exists() else {}
    for reference in DUELLISTS:
        name, _, archetype = reference.partition("/")
        person = games[name].system.new(games[name].rules, "character", archetype)
        for other, side in games.items():
            key = f"{reference} {other}"
            if other == name or key in results:
                continue
            fitted = fit(person, games[name], side, fights)
            shares = [share.share for share in (fitted.before, fitted.by_odds, fitted.after)]
            results[key] = {"fights": fights, "shares": shares, "steps": fitted.converted.fighting}
            DUELS.write_text(json.dumps(results, indent=1) + "\n")
            print(key, shares, fitted.converted.fighting, file=sys.stderr, flush=True)


def duels(games: dict[str, Side]) -> list[str]:
    """The table of the duels that were played."""
    results = json.loads(DUELS.read_text()) if DUELS.exists() else {}
    near = sum(abs(result["shares"][0] - result["shares"][2]) <= ENOUGH for result in results.values())
    lines = ["## Duels", ""]
    lines += ["The share of duels won against an ordinary opponent with the same weapon, a draw as half a win: in the first game,"]
    lines += ["converted by odds alone, and with `--fit`. The last column is the number of steps by which the fighting skills moved.", ""]
    lines += [f"With `--fit`, {near} of {len(results)} are within 10 points of the original.", ""]
    lines += ["| person | to | original | by odds | fitted | steps |", "|---|---|---|---|---|---|"]
    for key, result in results.items():
        reference, _, other = key.partition(" ")
        name, _, archetype = reference.partition("/")
        person = games[name].system.new(games[name].rules, "character", archetype)
        before, by_odds, after = (f"{share:.0%}" for share in result["shares"])
        who, steps = f"{person.name} ({games[name].system.name})", f"{result['steps']:+d}"
        cells = (who, games[other].system.name, before, by_odds, after, steps)
        lines.append(f"| {' | '.join(cells)} |")
    return [*lines, ""]


def main() -> None:
    """Write the page; with --duels, play what has not been played yet first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--duels", type=int, metavar="FIGHTS", help="play duels that have no result yet")
    wanted = parser.parse_args()
    games = sides()
    if wanted.duels:
        measure(games, wanted.duels)
    PAGE.write_text("\n".join([HEAD, *duels(games), *audits(games)]))


if __name__ == "__main__":
    main()
