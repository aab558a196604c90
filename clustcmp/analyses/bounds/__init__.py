"""Bounds on metrics, and whether they are kept."""
