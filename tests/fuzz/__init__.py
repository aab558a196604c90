"""Fuzzing: arbitrary files, settings and commands, and what must hold for all of them."""
