"""A transport for lost answers.

Every request here may be sent again as it is: moves and deals have a number, a game is made or
joined under an Idempotency-Key, all others change nothing by coming twice. So whoever does not know
whether a request arrived sends the same one again, and gets the answer that was lost.
"""

import time

import httpx

GIVE_UP_SECONDS = 60.0
LONGEST_PAUSE_SECONDS = 5.0
LATER = {429, 503}
"""Not now; Retry-After says when."""


class SendAgain(httpx.BaseTransport):
    """Sends a request until there is a whole answer; after a minute it raises what httpx raised."""

    def __init__(self) -> None:
        self._transport = httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request as often as it takes."""
        end = time.monotonic() + GIVE_UP_SECONDS
        pause = 0.05
        while True:
            last = time.monotonic() > end
            try:
                answer = self._transport.handle_request(request)
                answer.read()  # half an answer is a lost one, too
            except httpx.TransportError:
                if last:
                    raise
            else:
                if last or answer.status_code not in LATER:
                    return answer
                pause = float(answer.headers.get("Retry-After", 1))
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()
