// Tables work without this script, which lets readers sort them and search the long ones.
'use strict';
const LONG = 10;
const numberOf = (text) => {
  const found = text.replace(/\u2212/g, '-').match(/^[^0-9a-z]*?(-?[0-9][0-9.]*(e[-+]?[0-9]+)?)/i);
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
