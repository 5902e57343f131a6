
'use strict';
// Lines over time, drawn as SVG by hand: three charts of up to 900 points need no library.

const SVG = 'http://www.w3.org/2000/svg';
// The whole time that is shown: as little of it as what there is needs.
const SPANS = [2, 5, 15];
let minutes = SPANS[0];

function span(history, nowMs) {
  const first = history.at_ms.length ? history.at_ms[0] : nowMs;
  minutes = SPANS.find(m => first >= nowMs - m * 60000) || SPANS[SPANS.length - 1];
}

function svg(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  if (text !== undefined) made.textContent = text;
  return made;
}

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

// 64.0 MiB; as the headpond command prints it.
function bytes(n) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let value = Math.abs(n), unit = 0;
  while (value >= 1023.95 && unit < 5) { value /= 1024; unit++; }
  const digits = unit === 0 ? 0 : value < 10 ? 2 : 1;
  return (n < 0 ? '\u2212' : '') + value.toFixed(digits) + '\u00a0' + units[unit];
}

const rate = n => bytes(n) + '/s';

function millis(ms) {
  if (ms === null || ms === undefined) return '\u2013';
  if (ms < 1) return (ms * 1000).toFixed(ms < 0.01 ? 1 : 0) + '\u00a0\u00b5s';
  return ms < 1000 ? ms.toFixed(ms < 10 ? 2 : 1) + '\u00a0ms' : (ms / 1000).toFixed(2) + '\u00a0s';
}

function time(ms) {
  const s = Math.round(ms / 1000);
  if (s < 60) return s + '\u00a0s';
  if (s < 3600) return Math.floor(s / 60) + '\u00a0min ' + s % 60 + '\u00a0s';
  if (s < 172800) return Math.floor(s / 3600) + '\u00a0h ' + Math.floor(s % 3600 / 60) + '\u00a0min';
  return Math.round(s / 86400) + '\u00a0days';
}

const count = (n, noun) => n.toLocaleString('en') + ' ' + noun + (n === 1 ? '' : 's');

const clock = ms => new Date(ms).toLocaleTimeString([], {hour12: false});

// Steps of 1, 2 or 5 times a power: binary for bytes, so that the axis has round sizes.
function steps(max, binary) {
  const base = binary ? Math.pow(1024, Math.max(0, Math.floor(Math.log2(max || 1) / 10))) : 1;
  const raw = max / base / 3;
  const power = Math.pow(10, Math.floor(Math.log10(raw || 1)));
  const step = [1, 2, 5, 10].map(f => f * power).find(f => f >= raw) * base;
  return step;
}

class Chart {
  // series: {name, color, values(history)}; options: {title, format, binary, log, max}
  constructor(figure, series, options) {
    this.series = series;
    this.options = options;
    this.at = null;
    this.caption = element('figcaption', '', options.title);
    this.legend = element('div', 'legend');
    this.drawing = svg('svg', {class: 'chart', role: 'img', tabindex: '0'});
    figure.append(this.caption, this.legend, this.drawing);
    this.drawing.addEventListener('pointermove', e => this.point(e));
    this.drawing.addEventListener('pointerleave', () => { this.at = null; this.draw(); });
    this.drawing.addEventListener('blur', () => { this.at = null; this.draw(); });
    this.drawing.addEventListener('keydown', e => this.key(e));
    new ResizeObserver(() => this.draw()).observe(this.drawing);
  }

  show(history, nowMs) {
    this.history = history;
    this.nowMs = nowMs;
    this.draw();
  }

  point(event) {
    const box = this.drawing.getBoundingClientRect();
    const share = (event.clientX - box.left - this.left) / (box.width - this.left - this.right);
    this.at = this.nowMs - (1 - share) * minutes * 60000;
    this.draw();
  }

  key(event) {
    const step = {ArrowLeft: -5000, ArrowRight: 5000, PageUp: -60000, PageDown: 60000}[event.key];
    if (event.key === 'Escape') this.at = null;
    else if (step) this.at = Math.min(this.nowMs, Math.max(this.nowMs - minutes * 60000, (this.at || this.nowMs) + step));
    else return;
    event.preventDefault();
    this.draw();
  }

  // The index of the point that the cursor is at; the last one if there is no cursor.
  index() {
    const times = this.history.at_ms;
    if (this.at === null) return times.length - 1;
    let best = -1;
    times.forEach((t, i) => { if (best < 0 || Math.abs(t - this.at) < Math.abs(times[best] - this.at)) best = i; });
    return best;
  }

  scale(lines) {
    const all = lines.flat().filter(v => v !== null && v > 0);
    if (this.options.log) {
      const low = Math.floor(Math.log10(Math.min(...all, 0.01)));
      const high = Math.max(low + 2, Math.ceil(Math.log10(Math.max(...all, 0.01))));
      const ticks = [];
      for (let p = low; p <= high; p++) ticks.push(Math.pow(10, p));
      return {ticks, share: v => v <= 0 ? 0 : (Math.log10(v) - low) / (high - low)};
    }
    const largest = this.options.max || Math.max(...all, this.options.binary ? 1024 * 1024 : 1);
    const step = this.options.max ? this.options.max / 4 : steps(largest, this.options.binary);
    const top = Math.ceil(largest / step - 1e-9) * step;
    const ticks = [];
    for (let v = 0; v <= top * 1.0001; v += step) ticks.push(v);
    return {ticks, share: v => v / top};
  }

  draw() {
    if (!this.history) return;
    const {width, height} = this.drawing.getBoundingClientRect();
    if (width < 50) return;
    this.left = 76; this.right = 8;
    const top = 8, bottom = 22, w = width - this.left - this.right, h = height - top - bottom;
    const lines = this.series.map(s => s.values(this.history));
    const scale = this.scale(lines);
    const x = t => this.left + w * (1 - (this.nowMs - t) / (minutes * 60000));
    const y = v => top + h * (1 - Math.min(1.02, scale.share(v)));
    const parts = [];
    for (const tick of scale.ticks) {
      parts.push(svg('line', {class: 'gridline', x1: this.left, x2: this.left + w, y1: y(tick), y2: y(tick)}));
      parts.push(svg('text', {x: this.left - 6, y: y(tick) + 4, 'text-anchor': 'end'}, this.options.format(tick)));
    }
    const marks = minutes === 2 ? [2, 1, 0] : minutes === 5 ? [5, 3, 1, 0] : [15, 10, 5, 0];
    if (w < 300 && marks.length > 3) marks.splice(1, 1); // the words would touch
    for (const minute of marks) {
      const at = this.left + w * (1 - minute / minutes);
      parts.push(svg('text', {x: at, y: height - 5, 'text-anchor': minute === minutes ? 'start' : minute ? 'middle' : 'end'},
        minute ? '\u2212' + minute + '\u00a0min' : 'now'));
    }
    lines.forEach((values, i) => parts.push(svg('path', {class: 'c-' + this.series[i].color, d: this.path(values, x, y)})));
    const index = this.index();
    if (this.at !== null && index >= 0) {
      const at = x(this.history.at_ms[index]);
      parts.push(svg('line', {class: 'cursor', x1: at, x2: at, y1: top, y2: top + h}));
    }
    this.drawing.replaceChildren(...parts);
    this.words(lines, index);
  }

  path(values, x, y) {
    let d = '', pen = false;
    this.history.at_ms.forEach((t, i) => {
      const v = values[i];
      const gap = i > 0 && t - this.history.at_ms[i - 1] > 5000;
      if (v === null || v === undefined || t < this.nowMs - minutes * 60000) { pen = false; return; }
      // A line of no length is a dot: what stands alone between seconds without a value shows too.
      d += (pen && !gap ? 'L' : 'M') + x(t).toFixed(1) + ' ' + y(v).toFixed(1) + (pen && !gap ? '' : 'h0');
      pen = true;
    });
    return d;
  }

  words(lines, index) {
    const when = index < 0 ? '' : this.at === null ? 'now' : clock(this.history.at_ms[index]);
    const said = [];
    this.legend.replaceChildren(...this.series.map((s, i) => {
      const value = index < 0 || lines[i][index] === null || lines[i][index] === undefined ? '\u2013' : this.options.format(lines[i][index]);
      said.push(s.name + ' ' + value);
      const item = element('span');
      item.append(element('i', 'c-' + s.color), s.name + ' ', element('b', '', value));
      return item;
    }), element('span', '', this.at === null ? '' : 'at ' + when));
    this.drawing.setAttribute('aria-label', this.options.title + ', ' + when + ': ' + said.join(', ') + '. Arrow keys move through time.');
  }
}
