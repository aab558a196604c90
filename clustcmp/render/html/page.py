"""The frame of an HTML page: style, script and the policy that allows nothing else."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files


def text_of(name: str) -> str:
    """A file beside this module."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def hash_of(text: str) -> str:
    """What the policy calls a style or a script."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def page(title: str, body: str, figures: str = "", library: str = "") -> str:
    """A whole page around its body; the title is HTML, too.

    With `figures`, the data of charts, the page has the `library` that draws them.
    """
    style = text_of("page.css")
    scripts = [text_of("page.js")]
    if figures:
        scripts += [library, text_of("charts.js")]
    allowed = " ".join(map(hash_of, scripts))
    # plotly sets styles as attributes and saves charts through blobs.
    styles, images = ("'unsafe-inline'", "data: blob:") if figures else (hash_of(style), "data:")
    policy = (
        f"default-src 'none'; style-src {styles}; script-src {allowed}; "
        f"img-src {images}; base-uri 'none'; form-action 'none'"
    )
    data = f'<script type="application/json" id="figures">{figures}</script>\n' if figures else ""
    code = "\n".join(f"<script>{script}</script>" for script in scripts)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>{title}</h1>
{body}
</main>
{data}{code}
</body>
</html>
"""
