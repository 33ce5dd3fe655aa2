"""Small example scenes."""
