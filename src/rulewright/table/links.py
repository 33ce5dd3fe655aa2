"""Secret links, passphrases, signed device cookies, and marks that hide line numbers.

Only hashes of links are stored. Comparisons take constant time. Nothing here is ever logged.
"""

import base64
import hashlib
import hmac
import secrets
from functools import lru_cache

from rulewright.errors import UserError

TOKEN_BYTES = 24
PASSPHRASE = 200
"""Length of the longest passphrase."""
_SCRYPT = {"n": 2**14, "r": 8, "p": 1}
_ROUNDS = 4
_HALF = 0xFFFFFFFF
MARKS = 50_000
"""How many marks are cached."""


def token() -> str:
    """A new secret token for a link or device."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def table_id() -> str:
    """A new table's id. It is part of addresses and gives no access by itself."""
    return secrets.token_hex(8)


def hashed(secret: str) -> str:
    """The stored hash of a link or device. Tokens are long and random, so a plain hash is enough."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def fits(secret: str, kept: str) -> bool:
    """Whether a token belongs to a stored hash."""
    return hmac.compare_digest(hashed(secret), kept)


def hashed_passphrase(passphrase: str) -> str:
    """The stored hash of a passphrase. People choose them, so guessing must be slow."""
    if len(passphrase) > PASSPHRASE:
        raise UserError(f"the passphrase is too long; at most {PASSPHRASE} characters are allowed")
    salt = secrets.token_bytes(16)
    return f"scrypt${salt.hex()}${_scrypt(passphrase, salt).hex()}"


def passphrase_fits(passphrase: str, kept: str) -> bool:
    """Whether a passphrase belongs to a stored hash."""
    _, salt, digest = kept.split("$")
    return hmac.compare_digest(_scrypt(passphrase[: PASSPHRASE + 1], bytes.fromhex(salt)), bytes.fromhex(digest))


def _scrypt(passphrase: str, salt: bytes) -> bytes:
    return hashlib.scrypt(passphrase.encode("utf-8", "replace"), salt=salt, dklen=32, **_SCRYPT)


class Signer:
    """Signs device cookies and encrypts line numbers as marks; its key is in the database."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self.mark = lru_cache(MARKS)(self._mark)  # the same viewer asks for the same marks again

    def cookie(self, device: str) -> str:
        """The cookie value for a device."""
        return f"{device}.{self._signature(device)}"

    def read(self, cookie: str | None) -> str | None:
        """The device in a cookie; None if this server did not sign it."""
        if not cookie or len(cookie) > 200:
            return None
        device, dot, signature = cookie.rpartition(".")
        if not dot or not hmac.compare_digest(signature.encode("utf-8", "replace"), self._signature(device).encode()):
            return None
        return device

    def key_for(self, table_id: str) -> bytes:
        """The key of a table, for addresses that hide what they name."""
        return hmac.new(self._key, b"table\0" + table_id.encode(), hashlib.sha256).digest()

    def _signature(self, device: str) -> str:
        digest = hmac.new(self._key, b"device\0" + device.encode("utf-8", "replace"), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()

    def _mark(self, number: int, about: str) -> str:
        """A number as a mark of 16 hexadecimal digits. Two marks do not tell how many numbers are between them."""
        left, right = number >> 32 & _HALF, number & _HALF
        for step in range(_ROUNDS):
            left, right = right, left ^ self._mixed(about, step, right)
        return f"{left:08x}{right:08x}"

    def number(self, mark: str, about: str) -> int:
        """The number behind a mark; raises an error if it is invalid."""
        if len(mark) != 16 or not all(digit in "0123456789abcdef" for digit in mark):
            raise UserError("invalid mark: it does not belong to this table")
        left, right = int(mark[:8], 16), int(mark[8:], 16)
        for step in reversed(range(_ROUNDS)):
            left, right = right ^ self._mixed(about, step, left), left
        number = left << 32 | right
        if number >= 2**40:
            raise UserError("invalid mark: it does not belong to this table")
        return number

    def _mixed(self, about: str, step: int, half: int) -> int:
        digest = hashlib.blake2b(f"{step}\0{half}\0{about}".encode(), key=self._key, digest_size=4, person=b"mark").digest()
        return int.from_bytes(digest, "big")
