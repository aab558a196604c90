"""compare --per: the clusters and the points that a value comes from."""
