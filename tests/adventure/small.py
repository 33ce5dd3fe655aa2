"""A small adventure in memory, to be broken in tests."""

from rulewright import files
from rulewright.system import find

MAIN = """system: scumm
kind: adventure
name: The locked tea house
about: Somebody has locked the tea house from the inside.
ready: [ready/ana.yaml]
players: 1-1
hours: 0.5
start: {node: porch, clock: "3 March 1931 18:00"}
clues:
  the latch: The latch of the side door is worn through.
handouts:
  card: {title: A card, text: handouts/card.md}
tallies:
  noise: {of: 3, known: exists, full: [{go: neighbours}]}
dates:
  - {on: "3 March 1931, 20:00", what: It is dark., then: [{go: neighbours}]}
nodes:
  porch:
    name: On the porch
    read: Rain, and a locked door.
    lead: Old Teshi hides from her own birthday.
    otherwise: If they knock, she holds her breath.
    requests:
      - request: Look closely
        tests: [{test: notice, against: "4"}]
        takes: 10 min
        then: {success: [{reveal: the latch}], failure: [{tick: noise}]}
    actions:
      - do: Walk once around the house
        takes: 20 min
        then: [{reveal: the latch}, {show: card}]
      - do: Knock
        again: true
        then: [{tick: noise}]
    fight:
      scenario: scenes/door.yaml
      then: {won: [{go: inside}], lost: [{tick: noise, by: 3}]}
    downtime: {pass: 30 min, then: [{mark: waited}]}
    ways:
      - {to: inside, needs: [the latch]}
  inside:
    name: Tea for one
    read: An old woman puts a finger to her lips.
    ending: A quiet birthday
  neighbours:
    name: The neighbours
    read: Lanterns and questions.
    ending: A loud birthday
"""
SCENE = """system: scumm
kind: scenario
name: At the door
sides:
  party: [{character: party, at: [0, 0]}]
  guests: [{character: street-tough, at: [3, 0], state: {weapon: fists}}]
rounds: 10
"""


def character(name: str = "Ana") -> bytes:
    """A legal character of S.C.U.M.M."""
    scumm = find("scumm")
    data = files.ordered(scumm.new(scumm.book.ruleset(), "character", "detective"))
    return files.render({**data, "name": name}).encode()


def content(main: str = MAIN, **more: bytes) -> dict[str, bytes]:
    """The files of the small adventure, with changes."""
    return {
        "adventure.yaml": main.encode(),
        "ready/ana.yaml": character(),
        "scenes/door.yaml": SCENE.encode(),
        "handouts/card.md": b"Happy birthday, Teshi.",
        **{name.replace("__", "/"): body for name, body in more.items()},
    }
