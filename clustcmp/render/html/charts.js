// Draws the figures of the page, and again when the page becomes light, dark or printed.
'use strict';
(() => {
  const NARROW = 640;
  const figures = JSON.parse(document.getElementById('figures').textContent);
  const colour = (name) =>
    getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const decode = ({ dtype, bdata }) => {
    const bytes = Uint8Array.from(atob(bdata), (character) => character.charCodeAt(0));
    const kinds = { f4: Float32Array, i4: Int32Array, u1: Uint8Array };
    return new kinds[dtype](bytes.buffer);
  };
  // What several traces share is in the columns of a figure: {take: name, at: rows} are some of it.
  const resolve = (value, columns) => {
    if (Array.isArray(value)) return value.map((entry) => resolve(entry, columns));
    if (value === null || typeof value !== 'object') return value;
    if (value.bdata) return decode(value);
    if (value.css) return colour(value.css);
    if (value.take) {
      const column = columns[value.take];
      return Array.from(decode(value.at), (row) => column[row]);
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [key, resolve(entry, columns)]),
    );
  };
  const hasGl = (() => {
    const context = document.createElement('canvas').getContext('webgl');
    context?.getExtension('WEBGL_lose_context')?.loseContext();
    return Boolean(context);
  })();
  const merge = (one, other) => {
    for (const [key, value] of Object.entries(other)) {
      const inner = value && typeof value === 'object' && !Array.isArray(value);
      one[key] = inner ? merge({ ...one[key] }, value) : value;
    }
    return one;
  };
  const config = {
    responsive: true,
    displaylogo: false,
    modeBarButtonsToRemove: ['lasso2d', 'select2d', 'autoScale2d', 'toImage'],
  };
  const isNarrow = () => document.documentElement.clientWidth < NARROW;
  const show = async (figure, number) => {
    const box = document.getElementById(`chart-${number + 1}`);
    figure.columns = resolve(figure.columns || {}, {});
    const data = resolve(figure.data, figure.columns);
    if (!hasGl) for (const trace of data) trace.type = trace.type.replace('scattergl', 'scatter');
    const layout = resolve(figure.layout, {});
    if (figure.narrow && isNarrow()) merge(layout, resolve(figure.narrow, {}));
    await Plotly.react(box, data, layout, config);
    box.dataset.drawn = String(data.length);
  };
  const showAll = async () => {
    delete document.body.dataset.drawn;
    for (const [number, figure] of figures.entries()) await show(figure, number);
    document.body.dataset.drawn = String(figures.length);
  };
  for (const button of document.querySelectorAll('button.save')) {
    const number = Number(button.dataset.chart);
    const box = document.getElementById(`chart-${number}`);
    button.addEventListener('click', () => {
      const { width, height } = box.getBoundingClientRect();
      const filename = figures[number - 1].name.toLowerCase().replaceAll(' ', '-');
      Plotly.downloadImage(box, { format: 'svg', filename, width, height });
    });
  }
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', showAll);
  matchMedia('print').addEventListener('change', showAll);
  matchMedia(`(max-width: ${NARROW - 1}px)`).addEventListener('change', showAll);
  showAll();
})();
