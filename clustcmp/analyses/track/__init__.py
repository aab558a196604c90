"""A stream of clusterings, followed from window to window."""
