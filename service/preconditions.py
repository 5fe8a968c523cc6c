"""What makes a stored answer of a client still good: ETags, and the headers that go with them.

An ETag is built from the version of a game and the viewer, never from the content, so it can tell
nobody anything that the version does not. ``server_time`` is left out of what it promises.
"""

from collections.abc import Callable, Mapping
from typing import Final

from flask import Response, request

SCHEMA_REVISION: Final = 1
"""Goes up when a release changes what a view says about the same version of a game."""

PRIVATE: Final = "private, no-cache"
PUBLIC: Final = "public, max-age=3600"
VARY: Final = "Authorization, Origin"


def etag(version: int, viewer: str) -> str:
    """Return the strong ETag of the view that ``viewer`` has.

    That is a seat ``0`` to ``3``, ``s`` for a spectator, ``p`` for the portal, or ``a`` for whoever
    lets computers play.
    """
    return f'"{version}-{viewer}-{SCHEMA_REVISION}"'


def is_current(tag: str) -> bool:
    """Tell whether ``If-None-Match`` of this request names ``tag``.

    The comparison is the weak one of RFC 9110 section 13.1.2: a proxy that compresses an answer
    weakens its ETag. ``*`` names every representation.
    """
    if "If-None-Match" not in request.headers:
        return False
    return request.if_none_match.contains_weak(tag.strip('"'))


def is_expected(tag: str) -> bool:
    """Tell whether ``If-Match`` of this request, if there is any, names ``tag``; ``*`` names all.

    The comparison is the strong one of RFC 9110 section 13.1.1.
    """
    return "If-Match" not in request.headers or request.if_match.contains(tag.strip('"'))


def represent(
    tag: str, body: Callable[[], Mapping[str, object]], cache_control: str = PRIVATE
) -> Response | tuple[Mapping[str, object], int, dict[str, str]]:
    """Return 304 if the client has the representation ``tag``, else 200 with ``body``'s result."""
    headers = {"ETag": tag, "Cache-Control": cache_control, "Vary": VARY}
    if is_current(tag):
        answer = Response(status=304, headers=headers)
        del answer.headers["Content-Type"]
        return answer
    return body(), 200, headers
