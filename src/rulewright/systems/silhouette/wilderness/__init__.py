"""The wilderness as a scene: days in the open."""
