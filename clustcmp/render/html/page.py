"""The frame of an HTML page: style, script and the policy that allows nothing else."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

STYLE = """
:root{color-scheme:light dark;--ink:#1b1f24;--faint:#57606a;--paper:#fff;--line:#d0d7de;
--band:#f6f8fa;--good:#116329;--bad:#a40e26;--caution:#7d4e00;--heat:#0969da}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--faint:#9da7b3;--paper:#0d1117;
--line:#3d444d;--band:#161b22;--good:#56d364;--bad:#ff8f87;--caution:#e3b341;--heat:#388bfd}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:75rem;margin:0 auto;padding:1rem}
h1{font-size:1.4rem;line-height:1.25}h2{font-size:1.15rem;margin:1.6rem 0 .4rem}
h3{font-size:1rem;margin:1.2rem 0 .3rem}
h1,h2,h3,p,li{overflow-wrap:anywhere}td,th{overflow-wrap:break-word}
p{margin:.4rem 0}ul{padding-left:1.2rem;margin:.4rem 0}
code,bdi{font-family:ui-monospace,monospace;font-size:.92em}
.scroll{overflow-x:auto;margin:.6rem 0}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
caption{text-align:left;color:var(--faint);font-size:.9rem;padding:.2rem 0}
th,td{padding:.25rem .6rem;border-bottom:1px solid var(--line);text-align:left;
vertical-align:top;min-width:3.5rem;max-width:32rem}
thead th{background:var(--band);white-space:nowrap}
tbody th{font-weight:400}.group{font-weight:600;padding-top:.7rem}
.right{text-align:right;white-space:nowrap}
th button{all:unset;cursor:pointer;font:inherit}
th button:focus-visible,.scroll:focus-visible{outline:2px solid var(--heat)}
th[aria-sort=ascending] button::after{content:" \\25B2"}
th[aria-sort=descending] button::after{content:" \\25BC"}
.search{display:block;margin:.6rem 0;color:var(--faint)}
.search input{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--faint);
border-radius:4px;padding:.2rem .4rem;max-width:100%}
.faint,.remark{color:var(--faint)}.strong,.heading{font-weight:600}
.good,.passed{color:var(--good)}.bad,.failed{color:var(--bad);font-weight:600}
.caution,.unknown{color:var(--caution)}
.note{border-left:4px solid var(--caution);padding-left:.6rem}
.heat{position:relative;text-align:right;white-space:nowrap}
.heat svg{display:block;width:4rem;height:.4rem}.heat rect{fill:var(--heat)}
@media (max-width:40rem){main{padding:.6rem}th,td{padding:.25rem .35rem}}
@media print{.search{display:none}.scroll{overflow:visible}tr{break-inside:avoid}
thead th{white-space:normal}}
"""

# Tables work without the script, which lets readers sort them and search the long ones.
SCRIPT = """
'use strict';
const LONG = 10;
const numberOf = (text) => {
  const found = text.replace(/\\u2212/g, '-').match(/^[^0-9a-z]*?(-?[0-9][0-9.]*(e[-+]?[0-9]+)?)/i);
  return found ? Number(found[1]) : NaN;
};
const compare = (one, other) => {
  const [x, y] = [numberOf(one), numberOf(other)];
  if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y;
  if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
  return one < other ? -1 : one > other ? 1 : 0;
};
const rowsOf = (body) => [...body.rows].filter((row) => !row.querySelector('.group'));
for (const table of document.querySelectorAll('table')) {
  const rows = [...table.tBodies].flatMap(rowsOf);
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    if (rows.length < 2 || !head.textContent) return;
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const down = head.getAttribute('aria-sort') === 'ascending';
      heads.forEach((other) => other.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      for (const body of table.tBodies) {
        const text = (row) => row.cells[column].textContent.trim();
        const sorted = rowsOf(body).sort((one, other) => compare(text(one), text(other)));
        body.append(...(down ? sorted.reverse() : sorted));
      }
    });
  });
  if (rows.length < LONG) continue;
  const label = document.createElement('label');
  const field = document.createElement('input');
  const count = document.createElement('span');
  label.className = 'search';
  count.setAttribute('role', 'status');
  field.type = 'search';
  label.append('Search this table: ', field, ' ', count);
  table.parentElement.before(label);
  field.addEventListener('input', () => {
    const wanted = field.value.toLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
    const shown = rows.filter((row) => !row.hidden).length;
    count.textContent = wanted ? `${shown} of ${rows.length} rows` : '';
  });
}
"""


def hash_of(text: str) -> str:
    """What the policy calls a style or a script."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def page(title: str, body: str) -> str:
    """A whole page around its body; the title is HTML, too."""
    policy = (
        f"default-src 'none'; style-src {hash_of(STYLE)}; script-src {hash_of(SCRIPT)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>{STYLE}</style>
</head>
<body>
<main>
<h1>{title}</h1>
{body}
</main>
<script>{SCRIPT}</script>
</body>
</html>
"""
