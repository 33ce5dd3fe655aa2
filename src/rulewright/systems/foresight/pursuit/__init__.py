"""The pursuit scene."""
