"""Tables as text: which delimiter each format has."""

from __future__ import annotations

from clustcmp.read.delimited import LINE, DelimitedText, parse_table


def parse_csv(name: str, data: bytes, has_header: bool | None) -> DelimitedText:
    """A table with commas."""
    return parse_table(name, data, ",", has_header)


def parse_tsv(name: str, data: bytes, has_header: bool | None) -> DelimitedText:
    """A table with tabs."""
    return parse_table(name, data, "\t", has_header)


def parse_any_table(name: str, data: bytes, has_header: bool | None) -> DelimitedText:
    """A table with tabs if its first line has one, else with commas."""
    has_tabs = b"\t" in next(LINE.finditer(data)).group()
    return (parse_tsv if has_tabs else parse_csv)(name, data, has_header)
