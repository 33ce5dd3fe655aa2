"""The `Book` of Pebbles: its settings and presets."""

from rulewright.rules import Book, Setting

BOOK = Book(
    "pebbles",
    "pebbles",
    settings=(
        Setting(
            "gentle-topple",
            "Gentle toppling",
            "A hit topples one stone, whatever the margin.",
            "pebbles-gentle-topple",
            lines="20-21",
            excludes=((True, "ties-hit", True, "a tie has no stone to topple gently"),),
        ),
        Setting("ties-hit", "Ties hit", "As many heads as the guard topple one stone.", "pebbles-throw", source="ruling", lines="14"),
        Setting("most-spent", "Pebbles on one throw", "At most so many.", "pebbles-turn", default=3, low=0, high=9, source="ruling"),
    ),
    presets={"friendly": {"gentle-topple": True, "most-spent": 1}},
)
