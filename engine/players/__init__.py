"""Computer players. Each gets one seat's view, the very object that seat's client gets, and no more."""
