"""The pages for people: the guide, the reference, the problems and the changelog, under /docs."""
