"""Gates: bounds that a clustering must keep, from flags, files and baselines."""
