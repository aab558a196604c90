"""Small mutations of the code, and whether a test notices each of them: `make mutants`."""
