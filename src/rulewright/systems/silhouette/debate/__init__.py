"""Debates as scenes."""
