"""Pages of a table for play between fights: roll requests."""
