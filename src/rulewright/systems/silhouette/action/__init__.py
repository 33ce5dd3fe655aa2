"""Actions outside combat: movement, chases, climbing, falls, rounds and recovery."""
