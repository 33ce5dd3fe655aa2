"""The adventures that ship with the games, as cards for pages."""

import logging
from functools import lru_cache

from msgspec import Struct

from rulewright import files
from rulewright.adventure.format import MAIN, Adventure
from rulewright.errors import UserError
from rulewright.playthrough.loader import starters
from rulewright.system import System
from rulewright.web.pages.games import game, games

log = logging.getLogger("rulewright.web")


class AdventureCard(Struct, frozen=True):
    """An adventure for somebody who chooses one."""

    system: System
    key: str
    """Its name in addresses: of its folder, or of a visitor's draft."""
    name: str
    about: str
    players: str
    hours: float
    safety: str
    preset: str = ""

    @property
    def path(self) -> str:
        """The address below which it is started and exported."""
        return f"/adventures/{self.system.id}/{self.key}"


def card_of(system: System, key: str, adventure: Adventure) -> AdventureCard:
    """The card of an adventure."""
    about, safety = " ".join(adventure.about.split()), " ".join(adventure.about_safety.split())
    return AdventureCard(system, key, adventure.name, about, adventure.players, adventure.hours, safety, adventure.preset)


@lru_cache(maxsize=64)
def shipped_adventures(system_id: str) -> tuple[AdventureCard, ...]:
    """The adventures that ship with a game. One that cannot be read is left out."""
    system, cards = game(system_id), []
    for key, content in starters(system).items():
        try:
            adventure = files.convert(files.parse(content[MAIN], f"{key}/{MAIN}"), Adventure)
        except UserError:
            log.exception("cannot read the adventure %s/%s; it is left out", system_id, key)
            continue
        cards.append(card_of(system, key, adventure))
    return tuple(cards)


def all_shipped() -> list[AdventureCard]:
    """The adventures of all games."""
    return [card for system in games() for card in shipped_adventures(system.id)]
