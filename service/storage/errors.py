"""What can go wrong between the service and its database, by what the caller may do next."""


class StorageError(Exception):
    """The database did not do what it was asked."""


class Unavailable(StorageError):
    """There is no connection to be had, or the server cannot serve; nothing was changed."""


class Busy(StorageError):
    """The statement waited or worked for too long, or lost a race; nothing was changed."""


class OutcomeUnknown(StorageError):
    """The connection was lost, or the server warned, during a write: it may have been kept."""


class StatementRefused(StorageError):
    """The database refused a statement that it should not have been sent: a bug."""


class NotDurable(StorageError):
    """The server would lose what it has acknowledged: one of its settings must be on."""


class MigrationError(StorageError):
    """The database's schema and the migration files do not belong together."""


class NoSuchGame(StorageError):
    """There is no game of this id."""


class NoSuchSheet(StorageError):
    """There is no score sheet of this id."""


class KeyTaken(StorageError):
    """The same request was done, or is being done, by somebody else; nothing was changed."""


class NoSuchKey(StorageError):
    """There is no portal key of this id."""
