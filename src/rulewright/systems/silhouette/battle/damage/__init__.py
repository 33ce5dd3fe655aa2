"""What damage leads to: consequences of hits, hazards, zones, structures, strain on machine and crew."""
