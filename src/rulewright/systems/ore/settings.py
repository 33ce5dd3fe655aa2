"""What a campaign of the One Roll Engine plays by; what it decides stands in data/settings.yaml.

The presets are the three Gears, each with the options that the contents pages give it; action is the Gear of a campaign that says nothing.
The pictures that gave the Combat Options of chapter 4 to a Gear are lost; those listed there fit it by what they do (ruling).
"""

from rulewright.rules import Book

BOOK = Book("ore", "rulewright.systems.ore")
