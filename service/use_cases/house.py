"""What every use case works with: the storage, the secrets' keepers and the source of chance."""

from dataclasses import dataclass

from service.allowances import Allowances
from service.presence import Presence
from service.randomness import Randomness
from service.storage.codec import Codec
from service.storage.idempotency import KeptAnswers
from service.storage.pool import Store
from service.tokens import Tokens
from service.updates import Notifier


@dataclass(frozen=True, slots=True)
class House:
    """The parts of a running service. ``ai_max_ms`` bounds the thinking within one request.

    ``notifier`` knows who waits for news of which game, ``presence`` which seats were seen.
    """

    store: Store
    codec: Codec
    kept: KeptAnswers
    tokens: Tokens
    randomness: Randomness
    ai_max_ms: int
    allowances: Allowances
    notifier: Notifier
    presence: Presence
