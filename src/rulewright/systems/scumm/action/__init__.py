"""Actions outside combat: movement, climbing, jumping and falling."""
