"""The fight scene: rounds, options and endings."""
