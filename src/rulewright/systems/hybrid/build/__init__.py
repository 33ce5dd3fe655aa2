"""Character building: archetypes, audit and sheet."""
