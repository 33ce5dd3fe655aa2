"""Small scenes to try the lab on."""
