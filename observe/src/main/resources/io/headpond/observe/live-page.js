
// Asks /api/status once a second and shows it. What comes is put into the page as text, never as HTML.

const POINTS_MAX = 900;
const TIER_COLORS = ['blue', 'aqua', 'violet', 'orange', 'gray'];
const find = id => document.getElementById(id);
let history_ = null, charts = null, misses = 0;

// A value that a test, or a person with developer tools, can find by its metric.
function valued(made, metric, value) {
  made.dataset.metric = metric;
  made.dataset.value = value;
  return made;
}

function merge(fresh) {
  if (!history_ || fresh.at_ms.length && history_.at_ms.length && fresh.at_ms[0] <= history_.at_ms[history_.at_ms.length - 1]) {
    history_ = fresh;
    return;
  }
  // What is new has no past: it is empty up to now.
  const before = history_.at_ms.length;
  const join = (a, b) => {
    for (const key in b) {
      if (Array.isArray(b[key])) a[key] = (a[key] || Array(before).fill(null)).concat(b[key]).slice(-POINTS_MAX);
      else join(a[key] = a[key] || {}, b[key]);
    }
  };
  join(history_, fresh);
}

// A vessel is made once, then only its water moves.
const vessels = new Map();

function vessel(name, label, isHome) {
  if (vessels.has(name)) return vessels.get(name);
  const made = element('article', 'vessel' + (isHome ? ' home' : ''));
  made.setAttribute('aria-label', label);
  const drawing = svg('svg', {viewBox: '0 0 104 168', 'aria-hidden': 'true'});
  const id = 'glass-' + vessels.size;
  const shape = 'M4 4V146a18 18 0 0 0 18 18H82a18 18 0 0 0 18 -18V4';
  const clip = svg('clipPath', {id});
  clip.append(svg('path', {d: shape + 'z'}));
  const inside = svg('g', {'clip-path': 'url(#' + id + ')'});
  const wave = 'M-4 4q13.5 -5 27 0t27 0t27 0t27 0t27 0V172H-4z';
  const surface = svg('path', {class: 'surface', d: 'M-18 2q13.5 -5 27 0t27 0t27 0t27 0t27 0t27 0V172H-18z'});
  const water = svg('path', {class: 'water', d: wave});
  inside.append(svg('path', {class: 'glass', d: shape}), surface, water);
  const mark = svg('line', {class: 'mark', x1: 4, x2: 100, y1: -9, y2: -9});
  const markText = svg('text', {class: 'mark-text', x: 96, y: -9, 'text-anchor': 'end'});
  drawing.append(clip, inside, svg('path', {class: 'rim', d: shape}), mark, markText);
  const text = element('div');
  made.append(drawing, text);
  find('vessels').append(made);
  vessels.set(name, {water, surface, mark, markText, text});
  return vessels.get(name);
}

function fill(v, share, threshold) {
  const level = y => 4 + 160 * (1 - Math.min(1, Math.max(0, y)));
  // An almost empty vessel still shows a film of water.
  const top = share <= 0 ? 176 : Math.min(160, level(share));
  v.water.style.transform = 'translateY(' + (top - 4) + 'px)';
  v.surface.style.transform = 'translateY(' + (top - 4) + 'px)';
  if (threshold !== null) {
    v.mark.setAttribute('y1', level(threshold));
    v.mark.setAttribute('y2', level(threshold));
    v.markText.setAttribute('y', level(threshold) - 4);
    v.markText.textContent = 'threshold';
  }
}

const percent = share => (100 * share).toFixed(share < 0.1 && share > 0 ? 1 : 0) + '\u00a0%';

// What stands beside a vessel's water.
function badge(durability) {
  return element('span', 'badge ' + durability, durability === 'durable' ? 'durable' : durability.toUpperCase());
}

// all: [name, value, what is smaller, metric, its value], ...
function showFigures(all) {
  find('figures').replaceChildren(...all.map(([name, value, more, metric, raw]) => {
    const dd = element('dd', '', value);
    if (metric) valued(dd, metric, raw);
    dd.append(element('small', '', more));
    const pair = element('div');
    pair.append(element('dt', '', name), dd);
    return pair;
  }));
}

function showCharts(status, make) {
  merge(status.history);
  charts = charts || make();
  span(history_, status.at_ms);
  find('history-title').textContent = 'The last ' + minutes + ' minutes';
  charts.forEach(c => c.show(history_, status.at_ms));
}

function owner(status) {
  const who = (status.engine_id ? 'broker ' + status.engine_id + ' at ' : '') + location.host;
  document.title = who + ' \u2013 Headpond';
  find('owner').textContent = who + ', process ' + status.pid + ', up ' + time(status.at_ms - status.started_ms);
}

function alerts(status) {
  find('alerts-section').hidden = status.alerts.length === 0;
  find('alerts').replaceChildren(...status.alerts.map(a => {
    const item = element('li', a.level);
    item.append(element('span', 'level', a.level), element('span', '', a.text), element('span', 'remedy', a.remedy));
    return item;
  }));
}

// What is doubtful comes first. It is made anew only when it has changed, so that it can be read and scrolled.
let configured = '';

function configuration(status) {
  const text = JSON.stringify(status.configuration);
  if (text === configured) return;
  configured = text;
  const doubtful = status.configuration.filter(c => c.level);
  find('doubts').textContent = doubtful.length ? '\u2013 ' + count(doubtful.length, 'key') + ' to look at' : '';
  find('configuration').replaceChildren(...doubtful.concat(status.configuration.filter(c => !c.level)).map(c => {
    const row = element('tr', c.level || '');
    const key = element('th', '', c.key);
    key.scope = 'row';
    const meaning = element('td', '', c.meaning);
    if (c.level) {
      const doubt = element('p', 'doubt');
      doubt.append(element('span', 'level', c.level), ' ' + c.reason + '. ', element('span', 'quiet', c.remedy));
      meaning.append(doubt);
    }
    row.append(key, element('td', c.set ? 'set' : 'standard', c.set ? c.value : c.value + ' (default)'), meaning);
    return row;
  }));
}

// Vessels and charts are made once, for what was there first: other tiers or journals are another page.
let laidOut = null;

function isAnother(status) {
  const now = layout(status).join();
  laidOut = laidOut || now;
  return laidOut !== now;
}

function state(className, text) {
  const shown = find('state');
  if (shown.textContent !== text) { shown.className = 'state ' + className; shown.textContent = text; }
}

async function look() {
  if (!document.hidden) {
    try {
      const since = history_ && history_.at_ms.length ? history_.at_ms[history_.at_ms.length - 1] : 0;
      const answer = await fetch('/api/status?since=' + since, {signal: AbortSignal.timeout(8000)});
      if (!answer.ok) throw new Error(answer.status + ' ' + await answer.text());
      const status = await answer.json();
      if (isAnother(status)) return location.reload();
      show(status);
      misses = 0;
      state('live', 'live');
    } catch (problem) {
      misses++;
      if (misses > 1) state('lost', 'no answer; what you see is old');
    }
  }
  setTimeout(look, Math.min(10000, 1000 * (1 + misses)));
}
