"""Resolution: dice, tests and their notation."""
