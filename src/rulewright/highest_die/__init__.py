"""The common part of the games of the highest die: pools, tests, contests, notation, harm, and Emergency Dice."""
