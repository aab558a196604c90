"""One room per command, under the command's own name."""
