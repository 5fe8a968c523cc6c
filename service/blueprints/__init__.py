"""The doors: one file per resource, thin. Read the request, ask a use case, dump the answer."""
