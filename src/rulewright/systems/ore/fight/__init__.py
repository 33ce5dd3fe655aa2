"""The fight as a scene: rounds, options and end."""
