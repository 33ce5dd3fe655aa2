"""What people do beside fighting: how far, how high, how fast."""
