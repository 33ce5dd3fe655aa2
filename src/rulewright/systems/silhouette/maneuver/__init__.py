"""Movement of machines on land, on and under water, in the air and in space (book lines 4360-4695)."""
