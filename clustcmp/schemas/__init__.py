"""JSON Schemas of what the commands print, one file for each schema name."""
