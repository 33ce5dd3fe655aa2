"""The books of all games are opened once, before anybody waits for them."""

from threading import Thread

from rulewright.web.pages import home


def test_whoever_comes_while_the_books_are_opened_waits_instead_of_opening_them_again(monkeypatch):
    opened = []
    monkeypatch.setattr(home, "ready_made", lambda game: opened.append(game) or {})
    monkeypatch.setattr(home, "rulebook", lambda game: dict.fromkeys(opened))
    monkeypatch.setattr(home, "_LOADING", guarded := Guarded(home._LOADING))
    found = []
    several = [Thread(target=lambda: found.append(home.load_all_games())) for _ in range(3)]
    for one in several:
        one.start()
    for one in several:
        one.join()
    assert len(found) == 3
    assert guarded.most == 1
    assert {system.id for system, _, _ in found[0]} >= {"scumm", "silhouette", "hybrid", "ore", "foresight"}


class Guarded:
    """A lock that notes how many were behind it at once."""

    def __init__(self, lock):
        self.lock, self.within, self.most = lock, 0, 0

    def __enter__(self):
        self.lock.__enter__()
        self.within += 1
        self.most = max(self.most, self.within)

    def __exit__(self, *raised):
        self.within -= 1
        return self.lock.__exit__(*raised)
