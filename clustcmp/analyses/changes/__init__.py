"""What became of each cluster, and which points moved."""
