"""The server: connections, rate limits, worker processes, security headers, monitoring."""
