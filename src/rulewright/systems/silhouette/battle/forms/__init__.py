"""Units that change: splitting and combining, absorption, stretching, power boosters."""
