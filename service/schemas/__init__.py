"""What goes over the wire: the shapes of requests and answers, thin and written by hand.

Request schemas read and check; they know nothing of a game's state. Answer schemas are
declarations for the OpenAPI document: answers are built as plain dictionaries elsewhere, and a
contract test holds them to these.
"""
