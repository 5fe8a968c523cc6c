"""Gin Rummy over HTTP, kept in PostgreSQL. Keeps nothing between requests."""
