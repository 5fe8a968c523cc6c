"""Computer players: each gets one seat's view, which that seat's client gets too, and no more."""
