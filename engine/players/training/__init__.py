"""Training of the master level: thousands of hands at once, and what is learned of them."""
