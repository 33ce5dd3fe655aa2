"""Abbreviations and terms of S.C.U.M.M. on sheets, cards and in logs, each with a short explanation."""

GLOSSARY = {
    "WP": "Wealth Points: buy starting gear",
    "XP": "Experience Points: earned in play, spent on advancement",
    "MoS": "Margin of Success: by how much a test was passed",
    "MoF": "Margin of Failure: by how much a test was missed",
}
