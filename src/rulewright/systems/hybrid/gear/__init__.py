"""What people carry, wear and fire."""
