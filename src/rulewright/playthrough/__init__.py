"""Adventures in play: loading with all files, requests and fights with their people, checks, random walks, and solo play."""
