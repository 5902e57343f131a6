
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
  const join = (a, b) => { for (const key in b) Array.isArray(b[key]) ? a[key] = a[key].concat(b[key]).slice(-POINTS_MAX) : join(a[key], b[key]); };
  join(history_, fresh);
}

function forecastText(tier, status) {
  if (overflows(tier, status)) return 'no room for new segments: they go to ' + below(tier, status);
  const left = tier.forecast_ms === null ? '' : time(tier.forecast_ms);
  switch (tier.forecast) {
    case 'full':
      return 'at this rate full in ' + left + '; then ' + below(tier, status) + ' takes ' + rate(tier.appended_bytes_per_second);
    case 'above_threshold': return 'at this rate above its threshold in ' + left;
    case 'below_threshold': return 'draining; at its threshold in ' + left;
    default: return 'steady';
  }
}

// Did a new segment lately find no room in it?
function overflows(tier, status) {
  return status.events.some(e => e.kind === 'overflow' && e.at_ms > status.at_ms - 60000 && e.text.includes('tier ' + tier.name + ' '));
}

function below(tier, status) {
  const next = status.tiers[status.tiers.indexOf(tier) + 1];
  return next ? next.name : 'home';
}

// A vessel is made once, then only its water moves.
const vessels = new Map();

function vessel(name, isHome) {
  if (vessels.has(name)) return vessels.get(name);
  const made = element('article', 'vessel' + (isHome ? ' home' : ''));
  made.setAttribute('aria-label', isHome ? 'Home' : 'Tier ' + name);
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
const segments = c => count(c.sealed_segments + c.active_segments, 'segment') + ', ' + c.active_segments + ' active';

function tier(t, status) {
  const v = vessel(t.name, false);
  const share = t.capacity_bytes ? t.segment_bytes / t.capacity_bytes : 0;
  fill(v, share, t.threshold_bytes === null ? null : t.threshold_bytes / t.capacity_bytes);
  const title = element('h3', '', t.name);
  title.append(element('span', 'badge ' + t.durability, t.durability === 'durable' ? 'durable' : t.durability.toUpperCase()));
  if (t.failed_directories) title.append(element('span', 'badge failed', t.failed_directories + ' FAILED'));
  v.text.replaceChildren(
    title,
    valued(element('p', 'share', percent(share)), 'headpond_tier_segment_bytes{tier="' + t.name + '"}', t.segment_bytes),
    valued(element('p', 'quiet', bytes(t.segment_bytes) + ' of ' + bytes(t.capacity_bytes)), 'headpond_tier_capacity_bytes{tier="' + t.name + '"}', t.capacity_bytes),
    element('p', 'forecast' + (t.forecast === 'full' || overflows(t, status) ? ' full' : ''), forecastText(t, status)),
    valued(element('p', 'quiet', segments(t)), 'headpond_tier_active_segments{tier="' + t.name + '"}', t.active_segments),
    valued(element('p', 'quiet', 'in ' + rate(t.appended_bytes_per_second) + ', read ' + rate(t.read_bytes_per_second)), 'headpond_tier_appended_bytes_total{tier="' + t.name + '"}', t.appended_bytes),
    element('p', 'quiet', t.type + ', ' + t.file_system + ', by ' + t.back_end));
}

function home(status) {
  const v = vessel('home', true);
  const size = status.log_dirs.reduce((sum, d) => sum + d.size_bytes, 0);
  const free = status.log_dirs.reduce((sum, d) => sum + d.free_bytes, 0);
  const reserve = status.log_dirs.reduce((sum, d) => sum + d.reserve_bytes, 0);
  const share = size ? 1 - free / size : 0;
  fill(v, share, reserve ? 1 - reserve / size : null);
  if (reserve) v.markText.textContent = 'reserve';
  const h = status.home;
  const moved = status.migration;
  v.text.replaceChildren(
    element('h3', '', 'home'),
    element('p', 'share', percent(share)),
    valued(element('p', 'quiet', bytes(free) + ' free of ' + bytes(size)), 'headpond_home_size_bytes', size),
    element('p', 'forecast', 'all that its disk holds'),
    valued(element('p', 'quiet', segments(h)), 'headpond_tier_active_segments{tier="home"}', h.active_segments),
    valued(element('p', 'quiet', 'in ' + rate(h.appended_bytes_per_second) + ', read ' + rate(h.read_bytes_per_second)), 'headpond_tier_appended_bytes_total{tier="home"}', h.appended_bytes),
    element('p', 'quiet', 'migrated down ' + bytes(moved.down_bytes) + ', up ' + bytes(moved.up_bytes)));
}

function figures(status) {
  const a = status.appends, m = status.migration;
  const all = [
    ['Appended', rate(a.bytes_per_second), Math.round(a.per_second).toLocaleString('en') + ' appends/s', 'headpond_appends_total', a.count],
    ['Append, P50', millis(a.timed ? a.p50_ms : null), 'of ' + a.timed.toLocaleString('en') + ' timed', '', ''],
    ['Append, P99', millis(a.timed ? a.p99_ms : null), 'at most ' + millis(a.timed ? a.max_ms : null), '', ''],
    ['Durable on return', bytes(a.durable_bytes), protection(a), 'headpond_appended_bytes_total{durability="durable"}', a.durable_bytes],
    ['Migrating', rate(m.down_bytes_per_second + m.up_bytes_per_second), m.yielding ? 'yields to appends' : count(m.down_segments, 'segment') + ' down, ' + m.up_segments + ' up', 'headpond_migrated_segments_total{direction="down"}', m.down_segments],
    ['Overflowed', count(a.overflow_segments, 'segment'), a.evacuated_segments + ' moved in mid-append', 'headpond_overflow_segments_total', a.overflow_segments],
    ['Run-ahead misses', a.run_ahead_misses.toLocaleString('en'), 'appends that waited for growth', 'headpond_run_ahead_misses_total', a.run_ahead_misses],
  ];
  find('figures').replaceChildren(...all.flatMap(([name, value, more, metric, raw]) => {
    const dd = element('dd', '', value);
    if (metric) valued(dd, metric, raw);
    dd.append(element('small', '', more));
    const pair = element('div');
    pair.append(element('dt', '', name), dd);
    return [pair];
  }));
}

function protection(a) {
  const others = [['volatile', a.volatile_bytes], ['emulated', a.emulated_bytes], ['unforced', a.unforced_bytes]].filter(o => o[1] > 0);
  return others.length ? 'and ' + others.map(o => bytes(o[1]) + ' ' + o[0]).join(', ') : 'nothing else';
}

function alerts(status) {
  find('alerts-section').hidden = status.alerts.length === 0;
  find('alerts').replaceChildren(...status.alerts.map(a => {
    const item = element('li', a.level);
    item.append(element('span', 'level', a.level), element('span', '', a.text), element('span', 'remedy', a.remedy));
    return item;
  }));
}

function moves(status) {
  const m = status.migration;
  find('moves-state').textContent = m.blocked ? 'Stands still: ' + m.blocked
    : m.running.length ? (m.yielding ? 'Held up, because appends became slower.' : m.running.length + ' under way.')
    : 'Nothing moves now.' + (m.failures ? ' ' + count(m.failures, 'move') + ' failed.' : '');
  find('moves').replaceChildren(...m.running.map(move => {
    const item = element('li');
    const route = element('div', 'route');
    route.append(element('span', '', move.segment), element('span', 'quiet', move.from + ' \u2192 ' + move.to));
    const bar = element('progress');
    bar.max = Math.max(move.bytes, move.copied_bytes, 1);
    bar.value = move.copied_bytes;
    bar.setAttribute('aria-label', 'copied');
    item.append(route, bar, element('span', 'quiet', bytes(move.copied_bytes) + ' of ' + bytes(move.bytes)));
    return item;
  }));
}

function events(status) {
  find('events-none').hidden = status.events.length > 0;
  find('events').replaceChildren(...status.events.slice().reverse().map(e => {
    const item = element('li');
    item.append(element('time', '', clock(e.at_ms)), element('b', '', e.kind.replace(/_/g, ' ')), ' ' + e.text);
    return item;
  }));
}

function configuration(status) {
  const body = find('configuration');
  if (body.children.length) return; // it can't change while the broker runs
  body.append(...status.configuration.map(c => {
    const row = element('tr');
    row.append(element('td', '', c.key), element('td', c.set ? 'set' : 'standard', c.set ? c.value : c.value + ' (default)'), element('td', '', c.meaning));
    return row;
  }));
}

function draw(status) {
  merge(status.history);
  if (!charts) {
    charts = [
      new Chart(find('throughput'), [
        {name: 'appended', color: 'blue', values: h => h.appended_bytes_per_second},
        {name: 'of that to home', color: 'gray', values: h => h.home_appended_bytes_per_second},
        {name: 'read', color: 'aqua', values: h => h.read_bytes_per_second},
        {name: 'migrated', color: 'orange', values: h => h.down_bytes_per_second.map((d, i) => d + h.up_bytes_per_second[i])},
      ], {title: 'Throughput', format: rate, binary: true}),
      new Chart(find('latency'), [
        {name: 'max', color: 'gray', values: h => h.max_ms},
        {name: 'P99', color: 'orange', values: h => h.p99_ms},
        {name: 'P50', color: 'blue', values: h => h.p50_ms},
      ], {title: 'Append latency', format: millis, log: true}),
      new Chart(find('filling'), status.tiers.map((t, i) => (
        {name: t.name, color: TIER_COLORS[i % TIER_COLORS.length], values: h => h.tier_segment_bytes[t.name].map(b => b / t.capacity_bytes)}
      )), {title: 'Used share of the tiers', format: v => (100 * v).toFixed(0) + '\u00a0%', max: 1}),
    ];
  }
  span(history_, status.at_ms);
  find('history-title').textContent = 'The last ' + minutes + ' minutes';
  charts.forEach(c => c.show(history_, status.at_ms));
}

function show(status) {
  find('owner').textContent = 'process ' + status.pid + ', up ' + time(status.at_ms - status.started_ms);
  alerts(status);
  status.tiers.forEach(t => tier(t, status));
  home(status);
  figures(status);
  draw(status);
  moves(status);
  events(status);
  configuration(status);
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
      show(await answer.json());
      misses = 0;
      state('live', 'live');
    } catch (problem) {
      misses++;
      if (misses > 1) state('lost', 'no answer; what you see is old');
    }
  }
  setTimeout(look, Math.min(10000, 1000 * (1 + misses)));
}

look();
