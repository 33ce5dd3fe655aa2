"""Who detects whom: sightings, sound, electronic warfare."""
