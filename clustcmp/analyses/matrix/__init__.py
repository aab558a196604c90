"""Several clusterings, each compared with each other or all with one reference."""
