"""The debate as a scene."""
