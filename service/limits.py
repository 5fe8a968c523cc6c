"""Rate limits over HTTP: who sends a request, which limit it counts against, what it is told.

Whoever holds a seat's token is that seat in that game, whoever watches a game is an address beside
that game, a portal is itself with all its keys, everybody else is an address. So nobody's play is
stopped by what others do, by the game's maker or portal, or by all who share an address.

Fields: https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/10/
"""

import ipaddress
from collections.abc import Callable, Mapping
from functools import lru_cache, wraps
from typing import Any, Final

from flask import Flask, Request, current_app, request

from service.allowances import Charge
from service.errors import Refusal
from service.storage.portals import Portal
from service.tokens import Token
from service.use_cases.house import House
from service.use_cases.refusals import Refused
from service.use_cases.spend import spend

CHARGE: Final = "gin.charge"
"""The key of the WSGI environment under which the :class:`Charge` of a request stands."""

_PREFIX_OF_6: Final = 64
"""One customer of a network has at least so much of it: bits of an IPv6 address."""

View = Callable[..., Any]


def install(app: Flask, house: House, trusted_proxies: int, limits: Mapping[str, str]) -> None:
    """Count the requests of ``app``.

    ``limits`` has the name of the limit by endpoint; an endpoint that it does not name is free.
    ``trusted_proxies`` in front of the service add to ``X-Forwarded-For``.
    """
    app.config["TRUSTED_PROXIES"] = trusted_proxies
    app.extensions["gin-limits"] = house
    house.allowances.operations.update(limits)


def counted(view: View) -> View:
    """Return ``view`` so that each call is counted for the address that it comes from."""

    @wraps(view)
    def count_first(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - whatever the view takes
        house: House | None = current_app.extensions.get("gin-limits")
        if house is not None:
            try:
                count(house, None)
            except Refused as refused:
                raise Refusal(refused.code, params=refused.params) from None
        return view(*args, **kwargs)

    return count_first


def charge_of(house: House, token: Token) -> Charge | None:
    """Return the charge of this request for whoever holds ``token``; None if it is not counted."""
    return _charge(house, token)


def charge_of_portal(house: House, portal: Portal | None) -> Charge | None:
    """Return the charge of this request for ``portal``, all of whose keys count together.

    For a key that nobody has it is that of the address.
    """
    return _charge(house, portal)


def count(house: House, caller: Token | Portal | None) -> None:
    """Count this request for ``caller``, or for the address that it comes from.

    :raises Refused: ``rate_limited``.
    """
    charge = _charge(house, caller)
    if charge is not None:
        spend(house, charge)


def _charge(house: House, caller: Token | Portal | None) -> Charge | None:
    # Each look through the proxy costs as much as all the counting.
    asked: Request = request._get_current_object()  # type: ignore[attr-defined]  # noqa: SLF001
    if CHARGE in asked.environ:
        return None  # who waits for news looks twice, and counts once
    allowances = house.allowances
    name = allowances.operations.get(asked.endpoint or "")
    if name is None:
        return None
    charge = allowances.charge(name, *_owner(asked, caller))
    if charge is not None:
        asked.environ[CHARGE] = charge
    return charge


def _owner(asked: Request, caller: Token | Portal | None) -> tuple[str, str]:
    """Return whose bucket it is, and whose of several who share an owner."""
    if caller is None:
        return _address(asked), ""
    if isinstance(caller, Portal):
        return f"portal:{caller.id}", ""
    if caller.seat is None:
        return caller.game_id, _address(asked)
    # The version, so that a token that was ended cannot use up what its successor has.
    return caller.game_id, f"{caller.seat}.{caller.version}"


def _address(asked: Request) -> str:
    return address_of(asked.environ, current_app.config["TRUSTED_PROXIES"])


def headers_of(charge: Charge) -> list[tuple[str, str]]:
    """Return what an answer tells about the limit: the policy, and where the caller stands."""
    standing = charge.standing
    if standing is None:
        return []
    name, limit = charge.allowance.name, charge.allowance.limit
    return [
        ("RateLimit-Policy", f'"{name}";q={limit.quota};w={limit.seconds}'),
        ("RateLimit", f'"{name}";r={standing.left};t={standing.wait}'),
    ]


def address_of(environ: Mapping[str, Any], trusted_proxies: int) -> str:
    """Return the address of the client of a WSGI request, or the network that stands for it.

    Each proxy adds whom it heard from at the right end of ``X-Forwarded-For``; what stands left of
    what ours have added is the client's own word. If they added nothing sensible it is the
    proxy's own address that counts.
    """
    peer = environ.get("REMOTE_ADDR") or ""
    if trusted_proxies:
        added = environ.get("HTTP_X_FORWARDED_FOR", "").split(",")[-trusted_proxies:]
        if len(added) == trusted_proxies:
            return _counted(added[0].strip()) or _counted(peer) or peer
    return _counted(peer) or peer


@lru_cache(maxsize=4096)
def _counted(text: str) -> str | None:
    """Return the address, an IPv6 one as its network of 64 bits; None if it is none."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    if address.version == 4:
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((int(address), _PREFIX_OF_6), strict=False))
