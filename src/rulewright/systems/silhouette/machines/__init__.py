"""Machines on the drawing board (book chapter 4 and appendices D to G): what is saved of one, what follows from it, and why."""
