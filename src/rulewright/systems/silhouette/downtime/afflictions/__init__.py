"""What runs on for a body besides wounds: drugs, habits, illness, radiation, bad air, current, fire, free fall."""
