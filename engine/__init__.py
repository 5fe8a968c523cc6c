"""Gin Rummy: rules, scores and computer players.

Pure: no I/O, no clock, no randomness it was not given.
"""
