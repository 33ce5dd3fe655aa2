"""Powers in a fight: which are available, active and sustained, and Burn."""
