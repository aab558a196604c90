"""Reports as charts: what each chart shows, how to read it, and the same in words."""
