"""What people do with their time: learning, long tasks, travel, and work on machines."""
