"""What makes a stored answer of a client still good: ETags, and the headers that go with them.

An ETag is built from the version of a game and the viewer, never from the content, so it can tell
nobody anything that the version does not. ``server_time`` is left out of what it promises.
"""

import re
from collections.abc import Callable
from typing import Final, TypeVar

from flask import Response, request

from service.errors import Refusal

T = TypeVar("T")

SCHEMA_REVISION: Final = 1
"""Goes up when a release changes what a view says about the same version of a game."""

PRIVATE: Final = "private, no-cache"
PUBLIC: Final = "public, max-age=3600"
_TAG: Final = re.compile(rf"([1-9][0-9]{{0,8}})-([a-z0-9])-{SCHEMA_REVISION}")
VARY: Final = "Authorization, Origin"


def etag(version: int, viewer: str) -> str:
    """Return the strong ETag of the view that ``viewer`` has.

    That is a seat ``0`` to ``3``, ``s`` for a spectator, ``p`` for the portal, ``a`` for whoever
    lets computers play, or ``e`` for everybody, where all see the same. What was erased has ``f``
    for ``e`` and ``q`` for ``p``.
    """
    return f'"{version}-{viewer}-{SCHEMA_REVISION}"'


def etag_by(tag: str, mark: str) -> str:
    """Return ``tag`` of what does not follow from the version alone, but from ``mark`` as well."""
    return f'{tag[:-1]}-{mark}"'


def is_current(tag: str) -> bool:
    """Tell whether ``If-None-Match`` of this request names ``tag``.

    The comparison is the weak one of RFC 9110 section 13.1.2: a proxy that compresses an answer
    weakens its ETag. ``*`` names every representation.
    """
    if "If-None-Match" not in request.headers:
        return False
    return request.if_none_match.contains_weak(tag.strip('"'))


def expected_versions(viewers: str) -> frozenset[int] | None:
    """Return the versions that ``If-Match`` of this request names; None if ``*`` allows any.

    The comparison is the strong one of RFC 9110 section 13.1.1. What is no ETag of ours, or not
    for one of ``viewers``, names no version.

    :raises Refusal: ``version_required`` without the header.
    """
    if "If-Match" not in request.headers:
        raise Refusal("version_required")
    sent = request.if_match
    if sent.star_tag:
        return None
    found = (_TAG.fullmatch(tag) for tag in sent.as_set())
    return frozenset(int(tag[1]) for tag in found if tag and tag[2] in viewers)


def is_expected(tag: str) -> bool:
    """Tell whether ``If-Match`` of this request, if there is any, names ``tag``; ``*`` names all.

    The comparison is the strong one of RFC 9110 section 13.1.1.
    """
    return "If-Match" not in request.headers or request.if_match.contains(tag.strip('"'))


def represent(
    tag: str, body: Callable[[], T], cache_control: str = PRIVATE, **more: str
) -> Response | tuple[T, int, dict[str, str]]:
    """Return 304 if the client has the representation ``tag``, else 200 with ``body``'s result.

    ``more`` are headers of the representation, with an underscore for each hyphen.
    """
    headers = {"ETag": tag, "Cache-Control": cache_control, "Vary": VARY}
    if is_current(tag):
        answer = Response(status=304, headers=headers)
        del answer.headers["Content-Type"]
        return answer
    named = {name.replace("_", "-"): value for name, value in more.items()}
    return body(), 200, headers | named
