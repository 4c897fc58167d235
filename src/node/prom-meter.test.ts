import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GAUGES, type GaugeReaders, knownSeries, METRICS, type MetricName } from '../model/metrics.ts'
import { type Log, silentLog } from '../runtime/log.ts'
import { createPromMeter } from './prom-meter.ts'

const NAMES = Object.keys(METRICS) as MetricName[]
const TIME_LIMIT_MS = 5

/** Gauges without values, or with the number 7. */
function readers(changed: Partial<GaugeReaders> = {}): GaugeReaders {
  const unchanged = Object.entries(GAUGES).map(([name, { labels }]) => [
    name,
    async () => (Object.keys(labels[0]).length === 0 ? 7 : []),
  ])
  return { ...(Object.fromEntries(unchanged) as GaugeReaders), ...changed }
}

function open(changed?: Partial<GaugeReaders>, log: Log = silentLog) {
  return createPromMeter(readers(changed), log, TIME_LIMIT_MS)
}

const read = async ({ scrape }: Pick<ReturnType<typeof open>, 'scrape'>) => (await scrape()).text

test('the name of a counter ends in _total, and no other name does', () => {
  for (const name of NAMES) assert.equal(METRICS[name].kind === 'counter', name.endsWith('_total'), name)
})

test('a metric has the same labels in all its combinations', () => {
  for (const name of NAMES) {
    for (const shape of METRICS[name].labels)
      assert.deepEqual(Object.keys(shape), Object.keys(METRICS[name].labels[0]), name)
  }
})

test('every metric is present under its prefixed name, with 0 for each combination of known labels', async () => {
  const text = await read(open())
  for (const name of NAMES) {
    const { kind } = METRICS[name]
    assert.match(text, new RegExp(`^# TYPE radar_${name} ${kind}$`, 'm'))
    for (const series of kind === 'gauge' ? [] : knownSeries(name)) {
      const pairs = Object.entries(series).map(([label, value]) => `${label}="${value}"`)
      const labels = pairs.length === 0 ? '' : `{${pairs.join(',')}}`
      const line = `radar_${name}${kind === 'histogram' ? '_count' : ''}${labels} 0`
      assert.ok(text.includes(`\n${line}\n`), line)
    }
  }
})

test('counted and observed values are exported', async () => {
  const metrics = open()
  metrics.meter.count('attempts_total', { result: 'failed', reason: 'dns' })
  metrics.meter.count('attempts_total', { result: 'failed', reason: 'dns' }, 2)
  metrics.meter.observe('attempt_seconds', { result: 'accepted' }, 0.2)
  const text = await read(metrics)
  assert.match(text, /^radar_attempts_total\{result="failed",reason="dns"\} 3$/m)
  assert.match(text, /^radar_attempt_seconds_bucket\{le="0\.25",result="accepted"\} 1$/m)
})

test('gauges have their current values, one without a value is 0, and one of an open vocabulary disappears', async () => {
  let value = 3
  const metrics = open({
    queue_depth: async () => (value === 0 ? [] : [{ labels: { state: 'dead' }, value }]),
    build_info: async () => (value === 0 ? [] : [{ labels: { version: '1' }, value: 1 }]),
  })
  const text = await read(metrics)
  assert.match(text, /^radar_queue_depth\{state="dead"\} 3$/m)
  assert.match(text, /^radar_queue_depth\{state="pending"\} 0$/m)
  assert.match(text, /^radar_build_info\{version="1"\} 1$/m)
  value = 0
  const after = await read(metrics)
  assert.match(after, /^radar_queue_depth\{state="dead"\} 0$/m)
  assert.doesNotMatch(after, /radar_build_info\{/)
})

test('a gauge that is empty at first gets values later', async () => {
  const values: { labels: { store: 'apple' }; value: number }[] = []
  const metrics = open({ quarantined_rows: async () => values })
  await read(metrics)
  values.push({ labels: { store: 'apple' }, value: 2 })
  assert.match(await read(metrics), /^radar_quarantined_rows\{store="apple"\} 2$/m)
})

for (const [problem, reader] of [
  ['fails', () => Promise.reject(new Error('no database'))],
  ['throws', () => assert.fail('no database')],
  ['never answers', () => new Promise<never>(() => {})],
  ['has a label that is not declared', async () => [{ labels: { disk: '1' }, value: 1 }] as never],
  ['is not a number', async () => [{ labels: {}, value: 'much' }] as never],
] as const) {
  test(`a gauge that ${problem} is omitted, counted and logged, and all others are exported`, async () => {
    const lines: [string, unknown][] = []
    const log = { ...silentLog, warn: (event: string, fields: unknown) => lines.push([event, fields]) }
    const metrics = open({ quarantined_rows: reader }, log)
    metrics.meter.count('events_total', {})
    const text = await read(metrics)
    assert.doesNotMatch(text, /radar_quarantined_rows/)
    assert.match(text, /^radar_metric_failures_total\{metric="quarantined_rows"\} 1$/m)
    assert.match(text, /^radar_events_total 1$/m)
    for (const name of Object.keys(GAUGES).filter((each) => each !== 'quarantined_rows'))
      assert.match(text, new RegExp(`^# TYPE radar_${name} gauge$`, 'm'))
    assert.match(text, /^radar_nodes 7$/m)
    const [[event, fields] = []] = lines
    assert.equal(event, 'metrics.omitted')
    assert.deepEqual((fields as { metrics: string[] }).metrics, ['radar_quarantined_rows'])
  })
}
