"""The addresses at which people reach this server: this machine, this network, and a public one where somebody has said so."""

import ipaddress
import socket
from contextlib import suppress
from urllib.parse import urlsplit

from msgspec import Struct

from rulewright.errors import UserError

EVERYWHERE = ("0.0.0.0", "::", "")


class Address(Struct, frozen=True):
    """An address, and for whom it is good."""

    url: str
    good_for: str


class Reach(Struct, frozen=True):
    """Where the server listens, and the address under which strangers find it."""

    host: str = "127.0.0.1"
    port: int = 8000
    public: str = ""

    def __post_init__(self) -> None:
        if self.public:
            parts = urlsplit(self.public)
            if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
                raise UserError(f"--public takes the beginning of an address, as in https://play.example.org, not {self.public!r}")

    @property
    def alone(self) -> bool:
        """Whether only this machine reaches it."""
        return not self.public and self.host not in EVERYWHERE and _is_loopback(self.host)

    def addresses(self, asked_at: str = "") -> tuple[Address, ...]:
        """Every address, the best for others first; `asked_at` is where whoever asks has found it."""
        text_by_name: dict[str, str] = {}
        if self.public:
            text_by_name[self.public.rstrip("/")] = "anywhere"
        if asked_at and not _is_loopback(urlsplit(asked_at).hostname or "") and (urlsplit(asked_at).hostname or "") not in EVERYWHERE:
            text_by_name.setdefault(asked_at.rstrip("/"), "wherever you opened this page from")
        for address in _network(self.host):
            text_by_name.setdefault(f"http://{address}:{self.port}", "this network (the same Wi-Fi or cable)")
        here = asked_at.rstrip("/") if asked_at and _is_loopback(urlsplit(asked_at).hostname or "") else f"http://127.0.0.1:{self.port}"
        if self.host in EVERYWHERE or _is_loopback(self.host):
            text_by_name.setdefault(here, "this machine only")
        return tuple(Address(url, good_for) for url, good_for in text_by_name.items())


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _network(host: str) -> list[str]:
    """This machine's addresses in its network, as far as it listens there."""
    if host not in EVERYWHERE:
        return [] if _is_loopback(host) else [host]
    names: list[str] = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # nothing is sent: the system says by which way it would go
        names.append(probe.getsockname()[0])
    with suppress(OSError):
        names += [str(entry[4][0]) for entry in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [address for address in dict.fromkeys(names) if not _is_loopback(address)]


def drawn(url: str) -> str:
    """An address as a square that a phone's camera reads, as SVG."""
    import segno

    return segno.make(url, micro=False, error="m").svg_inline(omitsize=True, border=4, dark="#22242a", light="#ffffff")
