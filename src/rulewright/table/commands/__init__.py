"""Actions at a table: the messages, and a handler for each that turns it into log entries."""
