"""What a game adds to roll requests: taking the time, group tests, extended tasks, retries, and consequences of the result."""
