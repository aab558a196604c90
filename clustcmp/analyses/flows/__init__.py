"""Which cluster became which."""
