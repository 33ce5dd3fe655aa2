"""Movement in a battle: paths and interrupts, aircraft, watercraft, drift, winches, destinations, the hex overlay."""
