"""Vehicle design (book chapter 4 and appendices D to G): the saved file, derived values, and their reasons."""
