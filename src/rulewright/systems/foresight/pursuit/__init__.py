"""The pursuit as a scene."""
