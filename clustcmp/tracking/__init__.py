"""Following a stream: the windows, how far each is from the next, and how its clusters live."""
