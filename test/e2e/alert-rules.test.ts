import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { startTestService } from '../support/service.ts'

/** The alert rules of docs/how-to/monitor.md, run by Prometheus's promtool with the metrics of a started service. */

const skip =
  spawnSync('promtool', ['--version']).error === undefined || process.env.CI === 'true'
    ? false
    : 'promtool is not installed (apt-get install prometheus)'

const PAGE = resolve(import.meta.dirname, '../../docs/how-to/monitor.md')
const FEEDS = 'radar_feeds{store="apple",kind="reviews"'

type Case = {
  /** The labels of the alert. */
  readonly labels?: Readonly<Record<string, string>>
  /** Values of series from one minute after the start on, 0 before. */
  readonly values: Readonly<Record<string, number>>
  /** Added again each minute. */
  readonly each?: number
}

/** For each alert what happens the first time. */
const CASES: Readonly<Record<string, Case>> = {
  RadarDown: { values: { radar_nodes: 0 } },
  RadarSendsLate: { values: { radar_oldest_due_age_seconds: 61 } },
  RadarDeadLetters: { values: { 'radar_dead_letters_total{reason="gone"}': 1 } },
  RadarStoreBlocks: {
    labels: { store: 'google' },
    values: { 'radar_store_blocks_total{store="google"}': 6 },
  },
  RadarFeedsStale: {
    labels: { store: 'apple', kind: 'reviews' },
    values: { [`${FEEDS},state="failing"}`]: 1, [`${FEEDS},state="active"}`]: 10 },
  },
  RadarStoreFrozen: { labels: { store: 'apple' }, values: { [`${FEEDS},state="frozen"}`]: 1 } },
  RadarSourceOff: { labels: { store: 'google' }, values: { 'radar_sources{store="google",state="off"}': 1 } },
  RadarMalformedRows: {
    labels: { store: 'apple' },
    values: { 'radar_malformed_rows_total{store="apple"}': 11 },
  },
  RadarSourceChanged: {
    labels: { store: 'apple', source: 'rss' },
    values: { 'radar_source_changes_total{store="apple",source="rss"}': 1 },
  },
  RadarStoreChanged: {
    labels: { store: 'google' },
    values: { 'radar_polls_total{store="google",kind="rating",outcome="changed"}': 1 },
  },
  RadarPollingBehind: {
    labels: { store: 'apple', kind: 'reviews' },
    values: { [`${FEEDS},state="due"}`]: 6, [`${FEEDS},state="active"}`]: 10 },
  },
  RadarInvariantViolated: {
    labels: { invariant: 'duplicate_event' },
    values: { 'radar_invariant_violations_total{invariant="duplicate_event"}': 1 },
  },
  RadarClock: { values: { radar_clock_last_jump_seconds: -90 } },
  RadarDiskFull: { values: { radar_disk_full: 1 } },
  RadarDiskLow: { values: { radar_disk_free_bytes: 1e8 } },
  RadarFeedsOverdue: { values: { radar_feeds_overdue: 1 } },
  RadarMetricsMissing: {
    labels: { metric: 'nodes' },
    values: { 'radar_metric_failures_total{metric="nodes"}': 1 },
    each: 1,
  },
  RadarEnrichmentBacklog: { values: { radar_waiting_for_enrichment: 1001 } },
}

type Rule = { readonly alert: string; readonly expr: string; readonly for?: string }

function rulesOfPage() {
  const [, text = ''] = /```yaml\n([\s\S]*?)```/.exec(readFileSync(PAGE, 'utf8')) ?? []
  const [group] = (parse(text) as { groups: [{ rules: Rule[] }] }).groups
  return { text, rules: group.rules }
}

/** The series of a page of metrics that an alert may use, with their values. */
function seriesOf(page: string): ReadonlyMap<string, number> {
  return new Map(
    Array.from(page.matchAll(/^(radar_\w+(?:\{.*\})?) (\S+)$/gm), ([, name = '', value]) => [
      name,
      Number(value),
    ]),
  )
}

const minutesOf = (duration = '1m') => Number.parseInt(duration, 10) * (duration.endsWith('h') ? 60 : 1)

test('each alert of the documentation fires the first time that its cause happens after a start, and not before', {
  skip,
}, async () => {
  const { text, rules } = rulesOfPage()
  assert.deepEqual(
    rules.map(({ alert }) => alert),
    Object.keys(CASES),
  )
  await using radar = await startTestService()
  const started = seriesOf((await radar.request('/metrics')).text)
  const tests = rules.map(({ alert, expr, for: duration }) => {
    const { labels = {}, values, each = 0 } = CASES[alert] ?? { values: {} }
    for (const name of Object.keys(values))
      assert.ok(started.has(name), `${alert}: no ${name} after the start`)
    // A minute more than the alert waits for.
    const minutes = minutesOf(duration) + 3
    const used = [...started].filter(([name]) => expr.includes(name.split('{', 1)[0] ?? ''))
    return {
      interval: '1m',
      input_series: used.map(([name, atStart]) => ({
        series: name,
        values: name in values ? `${atStart} ${values[name]}+${each}x${minutes}` : `${atStart}x${minutes}`,
      })),
      alert_rule_test: [
        { eval_time: '0m', alertname: alert, exp_alerts: [] },
        { eval_time: `${minutes - 1}m`, alertname: alert, exp_alerts: [{ exp_labels: labels }] },
      ],
    }
  })
  const folder = mkdtempSync(join(tmpdir(), 'radar-rules-'))
  try {
    writeFileSync(join(folder, 'rules.yaml'), text)
    writeFileSync(join(folder, 'tests.yaml'), JSON.stringify({ rule_files: ['rules.yaml'], tests }))
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'tests.yaml'], {
      cwd: folder,
      encoding: 'utf8',
    })
    assert.equal(status, 0, stdout + stderr)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
