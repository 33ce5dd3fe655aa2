"""What is shown: shapes of answers, values as plain data, charts, paper, and a rule called by its id."""
