"""Exact optimal transport between clusters and between points."""
