"""The short words of S.C.U.M.M. that stand on sheets, cards and in logs, each explained in a few words of our own."""

GLOSSARY = {
    "WP": "Wealth Points, which buy what a character owns at the beginning",
    "XP": "Experience Points, earned in play and spent on what is learnt",
    "MoS": "Margin of Success: by how much a test was passed",
    "MoF": "Margin of Failure: by how much a test was missed",
}
