"""What the service does, one verb a file. Knows games and their storage; knows nothing of HTTP."""
