"""What the games of the highest die share: pools, tests, contests, how they are written, what experience does to Emergency Dice."""
