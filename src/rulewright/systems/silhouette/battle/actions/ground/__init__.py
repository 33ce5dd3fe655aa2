"""Actions on the ground: cover and recovery, clearance, demolition."""
