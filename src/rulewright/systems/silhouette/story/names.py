"""Names for random characters; ours, and of no particular world."""

FIRST: dict[str, tuple[str, ...]] = {
    "man": (
        *("Abel", "Anton", "Bastian", "Cedric", "Dario", "Edwin", "Farid", "Goran", "Henrik", "Ivo", "Jonas", "Kasimir", "Lorenz", "Milan"),
        *("Nestor", "Osman", "Pavel", "Quirin", "Ruben", "Silas", "Tariq", "Ugo", "Viktor", "Wendel", "Yorick", "Zeno"),
    ),
    "woman": (
        *("Ada", "Bianca", "Carla", "Dunja", "Elif", "Frida", "Gerda", "Hanna", "Ines", "Jolanda", "Katja", "Leonie", "Mirjam", "Nadja"),
        *("Olga", "Petra", "Ramona", "Selma", "Tilda", "Ulrike", "Vera", "Wanda", "Xenia", "Yara", "Zora", "Agnes"),
    ),
}
LAST = (
    *("Aldous", "Birkin", "Corvin", "Dressel", "Ehrlich", "Fenn", "Gallow", "Haverly", "Imre", "Jarosz", "Kessler", "Lindqvist", "Marek"),
    *("Novak", "Orsini", "Petrov", "Quill", "Rask", "Sorel", "Tremaine", "Urban", "Vogler", "Weir", "Ysard", "Zabala", "Ashdown"),
)
