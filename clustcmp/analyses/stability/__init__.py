"""Stability: how many clusters the points support, and which of them hold."""
