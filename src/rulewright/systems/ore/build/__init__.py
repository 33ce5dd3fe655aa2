"""Character building: starting characters, audit and sheet."""
