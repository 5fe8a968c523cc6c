"""Where a webhook may go: the shape of its URL, and which addresses are out in the open.

A URL is read by one expression, here, both when it is taken and when it is used: no two readers
can differ about where its host begins. What a name stands for is found out only when something is
sent, and the very address that was looked at is connected to.

Registries: https://www.iana.org/assignments/iana-ipv4-special-registry and -ipv6-special-registry.
"""

import ipaddress
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

LONGEST_URL: Final = 2000
_URL: Final = re.compile(
    r"(?P<scheme>https?)://"
    r"(?P<host>[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])"
    r"(?::(?P<port>[1-9][0-9]{0,4}))?"
    r"(?P<path>(?:/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*)?(?:\?[A-Za-z0-9._~!$&'()*+,;=:@%/?-]*)?)"
)
_LABEL: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_LIKE_A_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
_INTERNAL_NAMES: Final = ("localhost", "local", "internal", "localdomain", "lan", "home.arpa")
"""Names that stand for no host of the internet, nor does anything below them."""

_PORTS: Final = {"https": 443, "http": 80}
LEAST_PORT: Final = 1024
"""Ports below it belong to services that are no receivers, those of HTTP apart."""

_INTERNAL: Final[tuple[Network, ...]] = tuple(
    ipaddress.ip_network(network)
    for network in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # carriers' translation; some clouds' metadata
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # one cloud's own agent, at a public address
        "169.254.0.0/16",  # link-local; most clouds' metadata
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments; one cloud's metadata
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # relays of 6to4
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
        "2001::/23",  # protocol assignments, Teredo among them
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4, which holds an IPv4 address
        "3fff::/20",  # documentation
    )
)
_UNICAST: Final = ipaddress.IPv6Network("2000::/3")
"""All of IPv6 that is out in the open. Beyond it lie loopback, unspecified, unique local, link-
and site-local, multicast, and IPv4 addresses that were mapped, made compatible or translated."""

_ISATAP: Final = frozenset({0x00005EFE, 0x02005EFE})
"""The interface ids of IPv6 addresses that end in an IPv4 one."""


class UrlNotAllowed(ValueError):
    """Nothing is sent to this URL, whatever it stands for."""


@dataclass(frozen=True, slots=True)
class Target:
    """A URL in its parts. ``host`` is in lower case, and without brackets; ``path`` has the query.

    ``address`` is that of the host if it is none but an address.
    """

    secure: bool
    host: str
    port: int
    path: str
    address: Address | None


@dataclass(frozen=True, slots=True)
class Policy:
    """Which addresses may be sent to: those out in the open over HTTPS, and what is ``allowed``.

    ``allowed`` are networks of the operator's own, to which plain HTTP goes as well.
    """

    allowed: Sequence[Network] = ()

    def target(self, url: str) -> Target:
        """Return what ``url`` says.

        :raises UrlNotAllowed: if it is no such URL, or it can be seen that it leads inside.
        """
        target = parse_url(url)
        if target.address is not None:
            if not self.permits(target.address, secure=target.secure):
                raise UrlNotAllowed("the address is not out in the open")
        elif not self.allowed and (not target.secure or _is_internal_name(target.host)):
            raise UrlNotAllowed("only HTTPS to a public name")
        return target

    def permits(self, address: Address, *, secure: bool) -> bool:
        """Whether something may be sent to ``address``, over TLS or without."""
        if any(address in network for network in self.allowed):
            return True
        return secure and is_open(address)


def parse_url(url: str) -> Target:
    """Return what ``url`` says.

    No user and no fragment, no name that could be read as a number or ends with a dot, no address
    in any but its usual form, and no port of another service.

    :raises UrlNotAllowed: otherwise.
    """
    found = _URL.fullmatch(url) if len(url) <= LONGEST_URL else None
    if found is None:
        raise UrlNotAllowed("not an HTTP address of this kind")
    scheme, host, path = found["scheme"], found["host"].lower(), found["path"]
    port = int(found["port"] or _PORTS[scheme])
    if port > 65535 or (port < LEAST_PORT and port != _PORTS[scheme]):
        raise UrlNotAllowed("this port belongs to another service")
    path = path if path.startswith("/") else f"/{path}"
    address = _address_in(host)
    return Target(scheme == "https", host.strip("[]"), port, path, address)


def _address_in(host: str) -> Address | None:
    """Return the address that ``host`` is, None if it is a name."""
    try:
        if host.startswith("["):
            return ipaddress.IPv6Address(host[1:-1])
        labels = host.split(".")
        if _LIKE_A_NUMBER.fullmatch(labels[-1]):
            return ipaddress.IPv4Address(host)  # four decimal numbers, no leading zeros
    except ValueError:
        raise UrlNotAllowed("an address has its usual form") from None
    if not all(_LABEL.fullmatch(label) for label in labels):
        raise UrlNotAllowed("this is no name of a host")
    return None


def _is_internal_name(host: str) -> bool:
    return "." not in host or host.endswith(tuple(f".{name}" for name in _INTERNAL_NAMES))


def is_open(address: Address) -> bool:
    """Whether an address is one of a host in the internet, and stands for no other one."""
    if address.version == 6:
        embedded = int(address) >> 32 & 0xFFFFFFFF
        if address not in _UNICAST or embedded in _ISATAP:
            return False
    return not any(address in network for network in _INTERNAL)
