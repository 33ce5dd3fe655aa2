"""Activities: what people plan to do with their time, who gets to do what in a day, and what every game offers."""
