"""The smallest application that the launcher can tell from a broken one."""


def app(environ, start_response):
    """Answer every request with 200."""
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [b"stand-in"]
