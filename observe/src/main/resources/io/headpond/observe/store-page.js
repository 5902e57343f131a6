
// A broker: tiers, topics, migration.

find('footnote').textContent = 'Blue is what segments take in a tier, gray what is in use at home; the dashed line is the threshold, or home\'s reserve. Rates are of the last ten seconds, latencies of the last minute (one append of 16 is timed).';

const dead = tier => tier.failed_directories === tier.paths.length;

function forecastText(tier, status) {
  const waits = tier.waits ? '; it waits: ' + tier.waits : '';
  if (dead(tier)) return 'FAILED: nothing new goes there' + waits;
  if (tier.standing === 'removed') return 'removed: not used until the next start';
  if (tier.standing === 'leaving') return 'being removed: nothing new goes there' + waits;
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

// Did a new segment lately find no room in it? The event names the place that took it before that.
function overflows(tier, status) {
  return status.events.some(e => {
    const reason = e.text.slice(e.text.lastIndexOf(', because '));
    return e.kind === 'overflow' && e.at_ms > status.at_ms - 60000
      && reason.includes('tier ' + tier.name + ' ') && reason.includes(' has no room'); // else it had failed
  });
}

function below(tier, status) {
  const next = status.tiers[status.tiers.indexOf(tier) + 1];
  return next ? next.name : 'home';
}

const segments = c => count(c.sealed_segments + c.active_segments, 'segment') + ', ' + c.active_segments + ' active';

function tier(t, status) {
  const v = vessel(t.name, 'Tier ' + t.name, false);
  const share = t.capacity_bytes ? t.segment_bytes / t.capacity_bytes : 0;
  fill(v, share, t.threshold_bytes === null ? null : t.threshold_bytes / t.capacity_bytes);
  const title = element('h3', '', t.name);
  if (!dead(t)) title.append(badge(t.durability)); // whatever it was, nothing there is durable now
  if (t.failed_directories) title.append(element('span', 'badge failed', (t.failed_directories === 1 ? 'a directory' : t.failed_directories + ' directories') + ' FAILED'));
  v.text.replaceChildren(
    title,
    valued(element('p', 'share', percent(share)), 'headpond_tier_segment_bytes{tier="' + t.name + '"}', t.segment_bytes),
    valued(element('p', 'quiet', bytes(t.segment_bytes) + ' of ' + bytes(t.capacity_bytes)), 'headpond_tier_capacity_bytes{tier="' + t.name + '"}', t.capacity_bytes),
    element('p', 'forecast' + (dead(t) ? ' failed' : t.forecast === 'full' || overflows(t, status) ? ' full' : ''), forecastText(t, status)),
    valued(element('p', 'quiet', segments(t)), 'headpond_tier_active_segments{tier="' + t.name + '"}', t.active_segments),
    valued(element('p', 'quiet', 'in ' + rate(t.appended_bytes_per_second) + ', read ' + rate(t.read_bytes_per_second)), 'headpond_tier_appended_bytes_total{tier="' + t.name + '"}', t.appended_bytes),
    element('p', 'quiet', t.type + ', ' + t.file_system + ', by ' + t.back_end));
}

function home(status) {
  const v = vessel('home', 'Home', true);
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
  showFigures([
    ['Appended', rate(a.bytes_per_second), Math.round(a.per_second).toLocaleString('en') + ' appends/s', 'headpond_appends_total', a.count],
    ['Append, P50', millis(a.timed ? a.p50_ms : null), 'of ' + a.timed.toLocaleString('en') + ' timed', '', ''],
    ['Append, P99', millis(a.timed ? a.p99_ms : null), 'at most ' + millis(a.timed ? a.max_ms : null), '', ''],
    ['Durable on return', bytes(a.durable_bytes), protection(a), 'headpond_appended_bytes_total{durability="durable"}', a.durable_bytes],
    ['Migrating', rate(m.down_bytes_per_second + m.up_bytes_per_second), migrating(m), 'headpond_migrated_segments_total{direction="down"}', m.down_segments],
    ['Overflowed', count(a.overflow_segments, 'segment'), a.evacuated_segments + ' moved in mid-append', 'headpond_overflow_segments_total', a.overflow_segments],
    ['Run-ahead misses', a.run_ahead_misses.toLocaleString('en'), 'appends that waited for growth', 'headpond_run_ahead_misses_total', a.run_ahead_misses],
  ]);
}

// What is copied counts when its segment has moved.
function migrating(m) {
  if (m.yielding) return 'yields to appends';
  return m.running.length ? count(m.running.length, 'segment') + ' under way' : count(m.down_segments, 'segment') + ' down, ' + m.up_segments + ' up';
}

function protection(a) {
  const others = [['volatile', a.volatile_bytes], ['ephemeral', a.ephemeral_bytes], ['of unknown durability', a.unknown_bytes], ['emulated', a.emulated_bytes], ['unforced', a.unforced_bytes]].filter(o => o[1] > 0);
  return others.length ? 'and ' + others.map(o => bytes(o[1]) + ' ' + o[0]).join(', ') : 'nothing else';
}

const TOPICS_MAX = 20;
const sum = (topic, figure) => topic.places.reduce((all, p) => all + p[figure], 0);

// Those that are written to most come first; the rest is 'headpond top'.
function topics(status) {
  const all = status.topics.filter(t => sum(t, 'segments') || sum(t, 'appended_bytes') || sum(t, 'read_bytes'));
  all.sort((a, b) => sum(b, 'appended_bytes_per_second') - sum(a, 'appended_bytes_per_second') || sum(b, 'bytes') - sum(a, 'bytes'));
  find('topics-scroll').hidden = all.length === 0;
  find('topics-note').hidden = all.length > 0 && all.length <= TOPICS_MAX;
  find('topics-note').textContent = status.topics.length === 0
    ? 'Not counted by topic: headpond.metrics.topics=50 in the configuration switches it on.'
    : all.length === 0 ? 'No topic has a segment.' : 'The first ' + TOPICS_MAX + ' of ' + all.length + '; "headpond top" shows all.';
  if (all.length === 0) return;
  const places = all[0].places.map(p => p.tier);
  find('topics-head').replaceChildren(...['Topic', 'Appended', 'Read', ...places.map(p => 'In ' + p), 'Overflowed'].map(text => {
    const head = element('th', '', text);
    head.scope = 'col';
    return head;
  }));
  find('topics').replaceChildren(...all.slice(0, TOPICS_MAX).map(topicRow));
}

function topicRow(t) {
  const row = element('tr');
  const name = element('th', '', t.name);
  name.scope = 'row';
  const appended = element('td', '', rate(sum(t, 'appended_bytes_per_second')));
  const read = element('td', '', rate(sum(t, 'read_bytes_per_second')));
  const most = t.places.reduce((a, b) => b.read_bytes_per_second > a.read_bytes_per_second ? b : a);
  if (most.read_bytes_per_second > 0) read.append(element('small', '', 'most from ' + most.tier));
  row.append(name, appended, read, ...t.places.map(p => {
    const cell = valued(element('td', '', bytes(p.bytes)), 'headpond_topic_segments{topic="' + t.name + '",tier="' + p.tier + '"}', p.segments);
    cell.append(element('small', '', count(p.segments, 'segment')));
    return cell;
  }), valued(element('td', '', String(t.overflow_segments)), 'headpond_topic_overflow_segments_total{topic="' + t.name + '"}', t.overflow_segments));
  return row;
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

function draw(status) {
  showCharts(status, () => [
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
  ]);
}

const layout = status => status.tiers.map(t => t.name);

function show(status) {
  owner(status);
  alerts(status);
  status.tiers.forEach(t => tier(t, status));
  home(status);
  figures(status);
  draw(status);
  topics(status);
  moves(status);
  events(status);
  configuration(status);
}

look();
