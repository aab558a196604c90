"""The SQL statement with which a database counts what a comparison of counts reads."""

from __future__ import annotations

import re
from typing import Unpack

from clustcmp.errors import UsageError
from clustcmp.keywords import takes_settings
from clustcmp.settings import SqlSettings
from clustcmp.wording import either, say

# A name that every engine understands as it is, and no longer than the shortest limit of them.
PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,62}", re.ASCII)

# Words that at least one of the engines does not take for the name of a column or table.
RESERVED = frozenset(
    """
    all alter and any array as asc at between both by case cast check collate column connect
    constraint create cross cube current current_date current_time current_timestamp current_user
    default define delete desc describe distinct drop else end enum escape except exclude exists
    extract false fetch filter following for foreign from full grant group grouping groups hash
    having if ignore in increment initially inner insert intersect interval into is join lateral
    leading left like limit localtime localtimestamp lookup merge minus natural new no not null
    nulls of offset on only or order organization outer over partition pivot placing preceding
    primary proto qualify range recursive references regexp respect returning right rlike rollup row
    rows sample schema select session_user set show some start struct summarize symmetric table
    tablesample then to trailing treat trigger true try_cast unbounded union unique unnest unpivot
    update user using values variadic view when whenever where window with within
    """.split()  # noqa: SIM905  a list of so many words would take a line each
)

QUOTES = {"double": '"', "backtick": "`"}

STATEMENT = """\
-- How many points each cluster of a shares with each cluster of b; run it, export the result as
-- CSV or Parquet, and judge it: {judge}
-- A row without a cluster of a or of b counts points that have none on that side.
-- A negative count says that an id is missing or listed twice.
SELECT
  side_a.label AS a,
  side_b.label AS b,
  CASE WHEN MAX(side_a.times) > 1 OR MAX(side_b.times) > 1 THEN -COUNT(*) ELSE COUNT(*) END AS count
FROM (
{a}
) side_a
FULL OUTER JOIN (
{b}
) side_b
ON side_a.id = side_b.id
GROUP BY side_a.label, side_b.label
"""

SIDE = """\
  SELECT
    {id} AS id,
    MIN({label}) AS label,
    CASE WHEN {id} IS NULL THEN 2 ELSE COUNT(*) END AS times
  FROM {table}
  GROUP BY {id}"""


@takes_settings
def sql(a: str, b: str, **settings: Unpack[SqlSettings]) -> str:
    """The SQL statement that counts how many points each two clusters of two tables share.

    Each of a and b names a table of a database: `"may"`, `"project.data.may"`, or with a column of
    labels of its own `"may::leiden"`, `"may::label=leiden,id=cell"`. `id` and `label` are the
    columns in both. `quote` puts names in quotes. The result of the statement is what
    `compare(contingency=...)` reads.
    """
    quote, named = settings["quote"], (settings["id"], settings["label"])
    one, other = (
        SIDE.format(**name_side(text, side, *named, quote)) for text, side in ((a, "A"), (b, "B"))
    )
    counts = say("contingency", "counts.csv")
    judge = either(f"clustcmp compare {counts}", f"clustcmp.compare({counts})")
    return STATEMENT.format(a=one, b=other, judge=judge)


def name_side(
    text: str, side: str, id: str | None, label: str | None, quote: str
) -> dict[str, str]:
    """The table and the columns of one side, as they stand in the statement."""
    table, columns = split_address(text)
    found = {"id": columns.get("id", id), "label": columns.get("label", label)}
    for key, name in found.items():
        if name is None:
            what = "ids" if key == "id" else "labels"
            raise UsageError(
                f"{text!r}: the column of the {what} is not named",
                hint=f"name it for both tables with {say(key, 'NAME')}, or for {side} alone with "
                f"{table}::{key}=NAME",
            )
    parts = ".".join(quoted(part, quote) for part in table.split("."))
    return {"table": parts} | {key: quoted(str(name), quote) for key, name in found.items()}


def split_address(text: str) -> tuple[str, dict[str, str]]:
    """The table that an address names, and the columns after ::, by what they are."""
    table, _, typed = text.partition("::")
    columns: dict[str, str] = {}
    for part in typed.split(",") if typed else []:
        key, equals, name = part.partition("=")
        if not equals:
            key, name = "label", part
        if key not in ("id", "label") or key in columns or not name:
            raise UsageError(
                f"{text!r}: {part!r} is not a column",
                hint="write table::COLUMN or table::label=COLUMN,id=COLUMN",
            )
        columns[key] = name
    if "/" in table or "\\" in table:
        raise UsageError(
            f"{table!r} is a file; the statement names tables",
            hint=f"make a table of it first; in DuckDB: CREATE VIEW old AS SELECT * FROM '{table}'",
        )
    return table, columns


def quoted(name: str, quote: str) -> str:
    """A name as it stands in the statement; without quotes only if every engine takes it."""
    sign = QUOTES.get(quote)
    if sign is None:
        if PLAIN.fullmatch(name) and name.lower() not in RESERVED:
            return name
        raise UsageError(
            f"the name {name!r} must be quoted in SQL",
            hint=f"DuckDB and Snowflake quote with {say('quote', 'double')}, BigQuery and Spark "
            f"with {say('quote', 'backtick')}",
        )
    # Engines differ in how a quote within quotes is written, and a backslash may begin an escape.
    if not name or sign in name or "\\" in name or not name.isprintable():
        raise UsageError(
            f"the name {name!r} cannot be quoted in the same way for all engines",
            hint="rename it, or make a view with another name",
        )
    return f"{sign}{name}{sign}"
