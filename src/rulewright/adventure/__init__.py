"""Adventures: the file format, the package it is carried in, and the scene that plays it. No game and no screen is known here."""
