"""The short words of S.C.U.M.M. that stand on sheets, cards and in logs, each explained in a few words of our own."""

GLOSSARY = {
    "WP": "Wealth Points: buy starting gear",
    "XP": "Experience Points: earned in play, spent on advancement",
    "MoS": "Margin of Success: by how much a test was passed",
    "MoF": "Margin of Failure: by how much a test was missed",
}
