"""Character building: starting points, audit and sheet."""
