"""The formats of files with named columns, declared once: help, documents and errors list them.

A new format is a module with a function that parses the bytes of a file, and one entry in FORMATS.
The module is imported when a file has the format.
"""

from typing import NamedTuple


class Format(NamedTuple):
    """A kind of file, known by the ending of its name or by its first bytes.

    `name` is what a user types, `about` is what the documents say, `parser` is the module and the
    function that parses. The function gets the name of the file for messages, the bytes, and
    whether the file has a header, as far as the user says so. `endings` are patterns in lower case.
    A text has no NUL bytes. `is_table` means that what is said about the headers of all files
    concerns this format. `seeks` means that the parser reads only what is asked for: instead of the
    bytes it gets a `Stored`, which is a path wherever there is one. `in_parts` means that a folder
    of such files is read as one.
    """

    name: str
    about: str
    parser: str
    endings: tuple[str, ...] = ()
    magic: bytes | None = None
    is_text: bool = True
    is_table: bool = True
    seeks: bool = False
    in_parts: bool = False


def typed(
    name: str, about: str, parser: str, endings: tuple[str, ...], magic: bytes | None = None
) -> Format:
    """A format that knows the types of its columns, and itself says what they are called."""
    return Format(name, about, parser, endings, magic, is_text=magic is None, is_table=False)


FORMATS = (
    Format("csv", "a table with commas and a header", "clustcmp.read.tables:parse_csv", (".csv",)),
    Format("tsv", "a table with tabs and a header", "clustcmp.read.tables:parse_tsv", (".tsv",)),
    Format(
        "labels",
        "one label per line",
        "clustcmp.read.delimited:parse_lines",
        (".txt", ".labels*"),
        is_table=False,
    ),
    Format(
        "spaces",
        "a table with blanks between its columns, as many as there are. A first line of numbers is "
        "a row; a header with one field less than the rows lacks the name of the ids (write.table "
        "of R)",
        "clustcmp.read.spaces:parse_spaces",
    ),
    Format(
        "data",
        "a table with tabs, commas or blanks, whichever its first line has, such as the numbers of "
        "the clustering benchmarks",
        "clustcmp.read.spaces:parse_data",
        (".data",),
    ),
    Format(
        "clusters",
        "the ids of one cluster per line, with tabs between them if there are any, else spaces, as "
        "mcl writes it",
        "clustcmp.read.clusters:parse_clusters",
        (".clusters", ".mcl", ".i[0-9]*"),
        is_table=False,
    ),
    Format(
        "cnl",
        "the ids of one cluster per line with blanks between them; lines with # are comments",
        "clustcmp.read.clusters:parse_cnl",
        (".cnl",),
        is_table=False,
    ),
    Format(
        "pairs",
        "pairs of ids that belong together, in two columns of a file of any other format: clusters "
        "are what pairs connect",
        "clustcmp.read.pairs:parse_pairs",
    )._replace(is_text=False, seeks=True),
    typed(
        "parquet",
        "a table; an index of pandas without a name is the first column without a name, as in CSV. "
        "Columns of lists or records are left out. A folder of such files is one table, with its "
        "parts in the order of their names",
        "clustcmp.read.parquet:parse_parquet",
        (".parquet", ".pq"),
        b"PAR1",
    )._replace(seeks=True, in_parts=True),
    typed(
        "feather",
        "the same in Arrow's own file format",
        "clustcmp.read.parquet:parse_feather",
        (".feather", ".arrow"),
        b"ARROW1",
    ),
    typed(
        "npy",
        "an array of numpy. One dimension: labels; two: memberships or coordinates, with columns "
        "called 1, 2, ...",
        "clustcmp.read.numpy_files:parse_npy",
        (".npy",),
        b"\x93NUMPY",
    ),
    # A zip archive may be anything else, so that only the ending tells this one.
    typed(
        "npz",
        "arrays by their names, all with a row for each point: each array of one dimension is a "
        "column, an array `x` of two dimensions is the columns `x.1`, `x.2`, ...",
        "clustcmp.read.numpy_files:parse_npz",
        (".npz",),
    )._replace(is_text=False),
    typed(
        "h5ad",
        "an AnnData file, with the extra `clustcmp[h5ad]`: the columns of obs, the barcodes as "
        "ids; `obsm/X_umap` stands for the columns of an array",
        "clustcmp.read.h5ad:parse_h5ad",
        (".h5ad",),
        b"\x89HDF\r\n\x1a\n",
    )._replace(seeks=True),
    typed(
        "json",
        "a list of labels, an object from ids to labels, a list of records, an object of columns, "
        "or rows of numbers",
        "clustcmp.read.json_files:parse_json",
        (".json",),
    ),
    typed(
        "jsonl",
        "a record, a label or a row of numbers per line",
        "clustcmp.read.json_files:parse_json_lines",
        (".jsonl", ".ndjson"),
    ),
)

# For stdin and for names with any other ending.
OTHERWISE = Format(
    "table",
    "a table with tabs if its first line has one, else with commas",
    "clustcmp.read.tables:parse_any_table",
)

# What a user may type, in the order of the documents.
FORMAT_NAMES = tuple(one.name for one in (*FORMATS, OTHERWISE))
