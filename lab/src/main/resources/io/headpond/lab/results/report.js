
// Draws the charts of the page's data; every figure of them is in the tables too.
(() => {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  const COLORS = ["--c0", "--c1", "--c2", "--c3", "--c4"];
  const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3], [14, 4]];
  const PRINTED = 620; // CSS pixels, fits A4 and Letter
  const ROW = 38;
  const drawn = [];
  let printing = false;

  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  const number = (value) => {
    if (value == null) return "–";
    const size = Math.abs(value);
    if (size >= 1000) return Math.round(value).toLocaleString("en-US");
    return size >= 100 ? value.toFixed(0) : size >= 10 ? value.toFixed(1)
      : size >= 0.1 || size === 0 ? value.toFixed(2) : value.toPrecision(2);
  };

  /** What an axis can't show is left out: no value, and on a logarithmic one nothing below 0. */
  const shown = (plot, value) =>
    typeof value === "number" && Number.isFinite(value) && (value > 0 || !plot.logarithmic) ? value : null;

  const axis = (more) => ({
    stroke: color("--quiet"),
    grid: { stroke: color("--grid"), width: 1 },
    ticks: { stroke: color("--grid"), width: 1 },
    font: "11px system-ui, sans-serif",
    ...more,
  });

  const ordinals = (plot) => plot.x.map((_, i) => i);

  function lines(plot, width) {
    const columns = plot.series.map((s) => plot.x.map((_, i) => shown(plot, s.values[i])));
    return {
      data: [ordinals(plot), ...columns],
      options: {
        width,
        height: 230,
        legend: { markers: { dash: (u, i) => ["solid", "dashed", "dotted"][(i - 1) % 3] } },
        scales: {
          x: { time: false, range: [-0.3, plot.x.length - 0.7] },
          y: plot.logarithmic ? { distr: 3 } : { range: (u, min, max) => [0, max * 1.08 || 1] },
        },
        axes: [
          axis({ splits: () => ordinals(plot), values: (u, at) => at.map((i) => plot.x[i]), grid: { show: false } }),
          axis({ size: 64, label: plot.unit, labelSize: 16, labelFont: "11px system-ui, sans-serif",
            values: (u, at) => at.map((v) => v == null ? "" : compact(v)) }),
        ],
        series: [
          { label: "at", value: (u, i) => i == null ? "–" : plot.x[Math.round(i)] },
          ...plot.series.map((s, i) => ({
            label: s.name || "value",
            stroke: color(COLORS[i % COLORS.length]),
            dash: DASHES[i % DASHES.length],
            width: 2,
            points: { show: true, size: 6, fill: color("--card") },
            value: (u, v) => v == null ? "" : number(v) + " " + plot.unit,
          })),
        ],
      },
    };
  }

  const TITLE = { labelSize: 18, labelFont: "11px system-ui, sans-serif" };
  /** 1, 2 and 5 of each power of ten. */
  function logSplits(u, axis, min, max) {
    const at = [];
    for (let power = Math.floor(Math.log10(min)); power <= Math.log10(max); power++)
      at.push(...[1, 2, 5].map((v) => v * 10 ** power).filter((v) => v >= min && v <= max));
    return at;
  }

  const MARKED = 60; // points of a curve, more would hide its line

  function curve(plot, width) {
    const { data, options } = lines(plot, width);
    const x = plot.x.map(Number);
    const log = plot.logarithmic;
    const pad = (u, min, max) => log ? [min / 1.25, max * 1.25] : [Math.min(0, min), max * 1.04];
    options.height = 280;
    options.scales = {
      x: { time: false, distr: log ? 3 : 1, range: pad },
      y: log ? { distr: 3, range: pad } : options.scales.y,
    };
    const values = {
      values: (u, at) => at.map((v) => v == null ? "" : compact(v)),
      ...(log ? { splits: logSplits, filter: (u, at) => at } : {}),
    };
    options.axes = [
      axis({ ...TITLE, label: plot.x_title, ...values }),
      axis({ ...TITLE, size: 58, label: plot.unit, ...values }),
    ];
    options.series = options.series.map((s, i) => i === 0
      ? { label: plot.x_title, value: (u, v) => number(v) }
      : { ...s, spanGaps: true, points: { ...s.points, show: x.length <= MARKED }, value: (u, v) => number(v) });
    return { data: [x, ...data.slice(1)], options };
  }

  const compact = (value) => {
    const size = Math.abs(value);
    return size >= 1e6 ? value / 1e6 + "M" : size >= 1e4 ? value / 1e3 + "k" : String(Number(value.toPrecision(3)));
  };

  /** In two lines where it is long. */
  function wrapped(text) {
    if (text.length <= 22) return text;
    const at = text.lastIndexOf(" ", 22);
    return at > 0 ? text.slice(0, at) + "\n" + text.slice(at + 1) : text;
  }

  function ratios(plot, width) {
    const [medians, smallest, largest] = plot.series.map((s) => s.values.map((v) => shown(plot, v)));
    const senses = plot.series[0].senses;
    const all = [...smallest, ...largest].filter((v) => v != null);
    const min = Math.min(0.5, ...all) / 1.15;
    const max = Math.max(2, ...all) * 1.15;
    const tone = (i) => color(senses[i] > 0 ? "--good" : senses[i] < 0 ? "--bad" : "--c4");
    const ticks = [];
    for (let power = Math.ceil(Math.log2(min)); power <= Math.floor(Math.log2(max)); power++) ticks.push(2 ** power);
    const every = Math.ceil(ticks.length / 8);
    return {
      data: [ordinals(plot), medians, smallest, largest],
      options: {
        width,
        height: plot.x.length * ROW + 40,
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { time: false, ori: 1, dir: -1, range: [-0.6, plot.x.length - 0.4] },
          y: { ori: 0, distr: 3, log: 2, range: [min, max] },
        },
        axes: [
          axis({ side: 3, size: 156, grid: { show: false }, splits: () => ordinals(plot),
            values: (u, at) => at.map((i) => wrapped(plot.x[i])) }),
          axis({ side: 2, size: 36, splits: () => ticks.filter((v) => Math.log2(v) % every === 0), filter: (u, at) => at,
            values: (u, at) => at.map((v) => v >= 1 ? String(v) : "1/" + 1 / v) }),
        ],
        series: [{}, ...[1, 2, 3].map(() => ({ paths: () => null, points: { show: false } }))],
        hooks: { draw: [(u) => whiskers(u, medians, smallest, largest, tone)] },
      },
    };
  }

  function whiskers(u, medians, smallest, largest, tone) {
    const ctx = u.ctx;
    const scale = devicePixelRatio || 1;
    const at = (value) => u.valToPos(value, "y", true);
    ctx.save();
    ctx.strokeStyle = color("--ink");
    ctx.lineWidth = scale;
    ctx.beginPath();
    ctx.moveTo(at(1), u.bbox.top);
    ctx.lineTo(at(1), u.bbox.top + u.bbox.height);
    ctx.stroke();
    medians.forEach((median, i) => {
      if (median == null) return;
      const y = u.valToPos(i, "x", true);
      ctx.strokeStyle = ctx.fillStyle = tone(i);
      ctx.lineWidth = 2 * scale;
      ctx.beginPath();
      for (const end of [smallest[i] ?? median, largest[i] ?? median]) {
        ctx.moveTo(at(median), y);
        ctx.lineTo(at(end), y);
        ctx.moveTo(at(end), y - 5 * scale);
        ctx.lineTo(at(end), y + 5 * scale);
      }
      ctx.stroke();
      ctx.beginPath();
      ctx.arc(at(median), y, 4.5 * scale, 0, 2 * Math.PI);
      ctx.fill();
    });
    ctx.restore();
  }

  function draw() {
    drawn.splice(0).forEach((chart) => chart.destroy());
    document.querySelectorAll("[data-chart]").forEach((place) => {
      const plot = data[Number(place.dataset.chart)];
      const width = printing ? PRINTED : place.clientWidth;
      const { options, data: values } = ({ ratios, curve, lines })[plot.kind](plot, width);
      drawn.push(new uPlot(options, values, place));
    });
  }

  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth !== width && !printing) {
      width = innerWidth;
      draw();
    }
  });
  for (const event of ["beforeprint", "afterprint"]) {
    addEventListener(event, () => {
      printing = event === "beforeprint";
      document.documentElement.classList.toggle("paper", printing);
      draw();
    });
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  draw();
})();
