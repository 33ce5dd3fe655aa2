"""Links that nobody can guess, passphrases, the signed content of a device's cookie, and numbers that do not tell how many came before.

Only hashes of links are kept. Comparisons take the same time whether they fit or not. Nothing here is ever logged.
"""

import base64
import hashlib
import hmac
import secrets
from functools import lru_cache

from rulewright.errors import UserError

TOKEN_BYTES = 24
PASSPHRASE = 200
"""The longest passphrase that is looked at."""
_SCRYPT = {"n": 2**14, "r": 8, "p": 1}
_ROUNDS = 4
_HALF = 0xFFFFFFFF
MARKS = 50_000
"""So many marks are remembered."""


def token() -> str:
    """A new link's secret part."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def table_id() -> str:
    """A new table's id; it stands in addresses and opens nothing by itself."""
    return secrets.token_hex(8)


def hashed(secret: str) -> str:
    """What is kept of a link or a device. They are long and random, so that a plain hash is enough."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def fits(secret: str, kept: str) -> bool:
    """Whether a link is the one that this hash was kept of."""
    return hmac.compare_digest(hashed(secret), kept)


def hashed_passphrase(passphrase: str) -> str:
    """What is kept of a passphrase: people choose them, so that guessing must be slow."""
    if len(passphrase) > PASSPHRASE:
        raise UserError(f"the passphrase is longer than {PASSPHRASE} characters")
    salt = secrets.token_bytes(16)
    return f"scrypt${salt.hex()}${_scrypt(passphrase, salt).hex()}"


def passphrase_fits(passphrase: str, kept: str) -> bool:
    """Whether this is the passphrase."""
    _, salt, digest = kept.split("$")
    return hmac.compare_digest(_scrypt(passphrase[: PASSPHRASE + 1], bytes.fromhex(salt)), bytes.fromhex(digest))


def _scrypt(passphrase: str, salt: bytes) -> bytes:
    return hashlib.scrypt(passphrase.encode("utf-8", "replace"), salt=salt, dklen=32, **_SCRYPT)


class Signer:
    """Signs what a device's cookie holds, and hides numbers behind marks; its key lies in the database."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self.mark = lru_cache(MARKS)(self._mark)  # whoever looks again sees the same marks

    def cookie(self, device: str) -> str:
        """What the cookie of a device holds."""
        return f"{device}.{self._signature(device)}"

    def read(self, cookie: str | None) -> str | None:
        """The device that a cookie speaks for; None for one that was not signed here."""
        if not cookie or len(cookie) > 200:
            return None
        device, dot, signature = cookie.rpartition(".")
        if not dot or not hmac.compare_digest(signature.encode("utf-8", "replace"), self._signature(device).encode()):
            return None
        return device

    def _signature(self, device: str) -> str:
        digest = hmac.new(self._key, b"device\0" + device.encode("utf-8", "replace"), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()

    def _mark(self, number: int, about: str) -> str:
        """A number as a mark of 16 signs: who sees two of them cannot tell how many lie between."""
        left, right = number >> 32 & _HALF, number & _HALF
        for step in range(_ROUNDS):
            left, right = right, left ^ self._mixed(about, step, right)
        return f"{left:08x}{right:08x}"

    def number(self, mark: str, about: str) -> int:
        """The number behind a mark; refuses what is none."""
        if len(mark) != 16 or not all(sign in "0123456789abcdef" for sign in mark):
            raise UserError("this mark is none of this table's")
        left, right = int(mark[:8], 16), int(mark[8:], 16)
        for step in reversed(range(_ROUNDS)):
            left, right = right ^ self._mixed(about, step, left), left
        number = left << 32 | right
        if number >= 2**40:
            raise UserError("this mark is none of this table's")
        return number

    def _mixed(self, about: str, step: int, half: int) -> int:
        digest = hashlib.blake2b(f"{step}\0{half}\0{about}".encode(), key=self._key, digest_size=4, person=b"mark").digest()
        return int.from_bytes(digest, "big")
