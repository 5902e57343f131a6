
// A bookie: journals, and the fast directories of its entry logs.

find('tiers-title').textContent = 'Devices';
find('footnote').textContent = 'Rates are of the last ten seconds, latencies of the last minute (every write to a journal is timed).';

function deviceText(name, durability, share, more) {
  const title = element('h3', '', name);
  title.append(badge(durability));
  return [title, element('p', 'share', share), ...more];
}

// How full the file system is that the journal lies on.
function journal(j) {
  const v = vessel('journal ' + j.path, 'Journal ' + j.path, false);
  const known = j.size_bytes > 0;
  const share = known ? 1 - j.free_bytes / j.size_bytes : 0;
  fill(v, share, null);
  const label = '{journal="' + j.path + '"}';
  v.text.replaceChildren(...deviceText('Journal', j.durability, known ? percent(share) : 'unknown', [
    valued(element('p', 'quiet', known ? bytes(j.free_bytes) + ' free of ' + bytes(j.size_bytes) : 'can\'t be looked at'), 'headpond_journal_size_bytes' + label, j.size_bytes),
    j.failures ? element('p', 'forecast failed', 'FAILED: see the bookie\'s log') : element('p', 'forecast', 'all that its file system holds'),
    valued(element('p', 'quiet', 'in ' + rate(j.appended_bytes_per_second)), 'headpond_journal_appended_bytes_total' + label, j.appended_bytes),
    element('p', 'quiet path', j.path),
    element('p', 'quiet', j.file_system + ', by ' + j.back_end)]));
}

function entryLogsForecast(l) {
  if (l.writes_failed) return 'FAILED: nothing is stored until a restart';
  if (l.migration_blocked) return 'above its threshold; nothing can move';
  const left = l.forecast_ms === null ? '' : time(l.forecast_ms);
  switch (l.forecast) {
    case 'full': return 'at this rate full in ' + left + '; new ones then go to the ledger directory';
    case 'above_threshold': return 'at this rate above its threshold in ' + left;
    case 'below_threshold': return 'draining; at its threshold in ' + left;
    default: return 'steady';
  }
}

function entryLogs(l) {
  const v = vessel('entry logs ' + l.path, 'Entry logs in ' + l.fast_path, false);
  const known = l.capacity_bytes > 0 && l.used_bytes >= 0;
  const share = known ? l.used_bytes / l.capacity_bytes : 0;
  fill(v, share, l.threshold_bytes === null || !known ? null : l.threshold_bytes / l.capacity_bytes);
  const label = '{ledger_dir="' + l.path + '"}';
  const bad = l.writes_failed || l.migration_blocked ? ' failed' : l.forecast === 'full' ? ' full' : '';
  v.text.replaceChildren(...deviceText('Entry logs', l.durability, known ? percent(share) : 'unknown', [
    valued(element('p', 'quiet', known ? bytes(l.used_bytes) + ' of ' + bytes(l.capacity_bytes) : 'can\'t be looked at'), 'headpond_entry_logs_used_bytes' + label, l.used_bytes),
    element('p', 'forecast' + bad, entryLogsForecast(l)),
    valued(element('p', 'quiet', (known ? count(l.fast_logs, 'entry log') + ', ' : '') + count(l.overflow_logs, 'overflow')), 'headpond_entry_logs_fast' + label, l.fast_logs),
    valued(element('p', 'quiet', count(l.moved_logs, 'log') + ' moved, ' + bytes(l.moved_bytes)), 'headpond_entry_logs_moved_total' + label, l.moved_logs),
    element('p', 'quiet path', l.fast_path),
    element('p', 'quiet', l.file_system)]));
}

const total = (status, figure) => status.journals.reduce((sum, j) => sum + j[figure], 0);

function figures(status) {
  const a = status.appends;
  showFigures([
    ['Appended', rate(a.bytes_per_second), Math.round(a.per_second).toLocaleString('en') + ' groups/s', '', ''],
    ['Append, P50', millis(a.timed ? a.p50_ms : null), 'of ' + a.timed.toLocaleString('en') + ' in the last minute', '', ''],
    ['Append, P99', millis(a.timed ? a.p99_ms : null), 'at most ' + millis(a.timed ? a.max_ms : null), '', ''],
    ['Force, P99', millis(a.force_timed ? a.force_p99_ms : null), a.force_timed.toLocaleString('en') + ' forces', '', ''],
    ['Run-ahead misses', total(status, 'run_ahead_misses').toLocaleString('en'), 'appends that waited for growth', '', ''],
    ['Zeroed ahead', bytes(total(status, 'zeroed_ahead_bytes')), total(status, 'reused_files') + ' of ' + count(total(status, 'files'), 'file') + ' reused', '', ''],
    ['Failures', String(total(status, 'failures')), 'of journals, since the start', '', ''],
  ]);
}

function journalRow(j) {
  const label = '{journal="' + j.path + '"}';
  const row = element('tr');
  const name = element('th', '', j.path);
  name.scope = 'row';
  const cell = (text, metric, value) => metric ? valued(element('td', '', text), metric + label, value) : element('td', '', text);
  row.append(name,
    cell(rate(j.appended_bytes_per_second), 'headpond_journal_appends_total', j.appends),
    cell(millis(j.timed ? j.p50_ms : null)), cell(millis(j.timed ? j.p99_ms : null)), cell(millis(j.force_timed ? j.force_p99_ms : null)),
    cell(j.run_ahead_misses.toLocaleString('en'), 'headpond_journal_run_ahead_misses_total', j.run_ahead_misses),
    cell(j.files + ', ' + j.reused_files + ' reused', 'headpond_journal_files_total', j.files),
    cell(j.zeroed_ahead_bytes ? bytes(j.zeroed_ahead_bytes) : 'none ready', 'headpond_journal_zeroed_ahead_bytes', j.zeroed_ahead_bytes),
    cell(String(j.failures), 'headpond_journal_failures_total', j.failures));
  return row;
}

function draw(status) {
  find('filling').hidden = status.entry_logs.length === 0;
  showCharts(status, () => [
    new Chart(find('throughput'), [
      {name: 'appended to journals', color: 'blue', values: h => h.appended_bytes_per_second},
      {name: 'entry logs moved', color: 'orange', values: h => h.moved_bytes_per_second},
    ], {title: 'Throughput', format: rate, binary: true}),
    new Chart(find('latency'), [
      {name: 'max', color: 'gray', values: h => h.max_ms},
      {name: 'force P99', color: 'aqua', values: h => h.force_p99_ms},
      {name: 'P99', color: 'orange', values: h => h.p99_ms},
      {name: 'P50', color: 'blue', values: h => h.p50_ms},
    ], {title: 'Journal latency', format: millis, log: true}),
    new Chart(find('filling'), status.entry_logs.map((l, i) => (
      {name: l.fast_path, color: TIER_COLORS[i % TIER_COLORS.length], values: h => (h.fast_used_bytes[l.path] || []).map(b => b === null || b < 0 ? null : b / l.capacity_bytes)}
    )), {title: 'Used share of the fast directories', format: v => (100 * v).toFixed(0) + '\u00a0%', max: 1}),
  ]);
}

const layout = status => status.journals.concat(status.entry_logs).map(each => each.path);

function show(status) {
  owner(status);
  alerts(status);
  status.journals.forEach(journal);
  status.entry_logs.forEach(entryLogs);
  figures(status);
  draw(status);
  find('journals').replaceChildren(...status.journals.map(journalRow));
  configuration(status);
}

look();
