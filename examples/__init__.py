"""Example files, and the programs that make and use them."""
