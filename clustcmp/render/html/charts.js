// Draws the figures of the page, and again when the page becomes light, dark or printed.
'use strict';
(() => {
  const NARROW = 640;
  const figures = JSON.parse(document.getElementById('figures').textContent);
  const colour = (name) =>
    getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const decode = ({ dtype, bdata }) => {
    const bytes = Uint8Array.from(atob(bdata), (character) => character.charCodeAt(0));
    const kinds = { f4: Float32Array, i4: Int32Array, u2: Uint16Array };
    return new kinds[dtype](bytes.buffer);
  };
  // What several traces share is in the columns of a figure; a trace has some rows of them.
  const resolve = (value) => {
    if (Array.isArray(value)) return value.map(resolve);
    if (value === null || typeof value !== 'object') return value;
    if (value.bdata) return decode(value);
    if (value.css) return colour(value.css);
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, resolve(entry)]));
  };
  const takeRows = (trace, columns) => {
    const { take, rows, ...rest } = trace;
    for (const [key, name] of Object.entries(take)) {
      rest[key] = Array.from(rows, (row) => columns[name][row]);
    }
    return rest;
  };
  // The policy of the page forbids the eval that plotly needs for its quick drawing of many points,
  // so these are painted here as an image below the axes; plotly still finds them under the pointer.
  const paths = {
    square: (r) => [[-r, -r], [r, -r], [r, r], [-r, r]],
    diamond: (r) => [[0, -1.4 * r], [1.4 * r, 0], [0, 1.4 * r], [-1.4 * r, 0]],
    'triangle-up': (r) => [[0, -1.3 * r], [1.2 * r, r], [-1.2 * r, r]],
    cross: (r) => [[-r, -r / 3], [r, -r / 3], [r, r / 3], [-r, r / 3]],
    star: (r) => [[0, -1.5 * r], [r / 2, 0], [0, 1.5 * r], [-r / 2, 0]],
  };
  const outline = (brush, symbol, x, y, radius) => {
    brush.beginPath();
    const corners = paths[symbol]?.(radius);
    if (!corners) brush.arc(x, y, radius, 0, 2 * Math.PI);
    else corners.forEach(([dx, dy], at) => brush[at ? 'lineTo' : 'moveTo'](x + dx, y + dy));
    brush.closePath();
  };
  const SHARP = 2;
  const paintTrace = (brush, trace, xaxis, yaxis) => {
    const { symbol, size, opacity = 1, color, line } = trace.marker;
    const [left, right] = xaxis.range;
    const [low, high] = yaxis.range;
    brush.globalAlpha = opacity;
    brush.fillStyle = color;
    brush.strokeStyle = line?.color ?? color;
    brush.lineWidth = SHARP * (line?.width ?? 1);
    for (let at = 0; at < trace.x.length; at += 1) {
      const x = (SHARP * xaxis._length * (trace.x[at] - left)) / (right - left);
      const y = (SHARP * yaxis._length * (high - trace.y[at])) / (high - low);
      outline(brush, symbol, x, y, (SHARP * size) / 2);
      if (symbol.endsWith('open')) brush.stroke();
      else brush.fill();
    }
  };
  const paint = async (box, painted) => {
    const images = [];
    for (const name of new Set(painted.map((trace) => trace.xaxis))) {
      const xaxis = box._fullLayout[name.replace('x', 'xaxis')];
      const yaxis = box._fullLayout[name.replace('x', 'yaxis')];
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [SHARP * xaxis._length, SHARP * yaxis._length];
      const brush = canvas.getContext('2d');
      for (const trace of painted) {
        if (trace.xaxis === name) paintTrace(brush, trace, xaxis, yaxis);
      }
      const [[left, right], [low, high]] = [xaxis.range, yaxis.range];
      images.push({
        source: canvas.toDataURL(),
        xref: name,
        yref: name.replace('x', 'y'),
        x: left,
        y: high,
        sizex: right - left,
        sizey: high - low,
        sizing: 'stretch',
        layer: 'below',
      });
    }
    await Plotly.relayout(box, { images });
  };
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
    const columns = resolve(figure.columns ?? {});
    const data = resolve(figure.data).map((one) => (one.take ? takeRows(one, columns) : one));
    const painted = data.filter((trace) => trace.type === 'scattergl');
    for (const trace of painted) Object.assign(trace, { type: 'scatter', mode: 'none' });
    const layout = resolve(figure.layout);
    if (figure.narrow && isNarrow()) merge(layout, resolve(figure.narrow));
    await Plotly.react(box, data, layout, config);
    box.removeAllListeners?.('plotly_relayout');
    if (painted.length) {
      await paint(box, painted);
      box.on('plotly_relayout', (change) => {
        if (!('images' in change)) paint(box, painted);
      });
    }
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
