import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testClock } from '../support/clock.ts'
import { documentedMetrics } from '../support/documented-metrics.ts'
import { publish } from '../support/publish.ts'
import { baseline, subscribe, waitUntilProcessed } from '../support/radar.ts'
import { addApp } from '../support/service.ts'
import { serviceAndConsumer } from '../support/service-and-consumer.ts'
import { until } from '../support/until.ts'

// With real sleeps, because the grace period of a stop is a sleep.
const { radar, consumer } = await serviceAndConsumer({ RADAR_ENRICHMENT: 'offline' }, { clock: testClock() })
const APPS = [
  { store: 'google', appId: 'com.example.first', market: 'en' },
  { store: 'apple', appId: '4711', market: 'us' },
] as const
for (const app of APPS) addApp(radar.world, app)

/** Longer than gauges are cached. */
const READING_OLD_MS = 60_000

type Sample = { readonly labels: readonly string[]; readonly value: number }

/** The samples of each series name, such as `radar_poll_seconds_count`. Fails unless the page is readable. */
async function scrape(url: string): Promise<ReadonlyMap<string, ReadonlyMap<string, Sample>>> {
  radar.clock.leap(READING_OLD_MS)
  const answer = await fetch(`${url}/metrics`)
  const text = await answer.text()
  assert.equal(answer.status, 200, text)
  const samples = new Map<string, Map<string, Sample>>()
  for (const line of text.split('\n').filter((each) => each !== '' && !each.startsWith('#'))) {
    const [, name = '', labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? assert.fail(line)
    const series = samples.get(name) ?? new Map<string, Sample>()
    samples.set(name, series)
    series.set(labels, {
      labels: Array.from(labels.matchAll(/(\w+)="/g), ([, label = '']) => label),
      value: Number(value),
    })
  }
  return samples
}

test('every documented metric has a value at each stage of a first day, and a counter starts at 0', async (t) => {
  const metrics = documentedMetrics()
  assert.ok(metrics.size > 30)
  const counters = [...metrics].filter(([, { kind }]) => kind === 'counter').map(([name]) => name)
  let { url } = radar
  let before: Awaited<ReturnType<typeof scrape>> = new Map()
  const stage = (name: string, act: () => Promise<unknown>) =>
    t.test(name, async () => {
      await act()
      const samples = await scrape(url)
      for (const [metric, { kind, labels }] of metrics) {
        const series = samples.get(kind === 'histogram' ? `${metric}_count` : metric)
        assert.ok(series !== undefined, `${metric} has no value`)
        for (const [text, sample] of series) {
          assert.deepEqual(sample.labels.toSorted(), labels.toSorted(), `${metric}{${text}}`)
        }
      }
      assert.equal(
        samples
          .get('radar_metric_failures_total')
          ?.values()
          .find(({ value }) => value > 0),
        undefined,
      )
      for (const metric of before.size === 0 ? [] : counters) {
        const risen = [...(samples.get(metric) ?? [])].filter(([, { value }]) => value > 0)
        for (const [text] of risen) {
          assert.ok(
            before.get(metric)?.has(text),
            `${metric}{${text}} did not exist before its first increment`,
          )
        }
      }
      before = samples
    })

  await stage('an empty installation', async () => {})
  await stage('the first hook', async () => {
    const alice = await radar.person('Alice')
    for (const { store, appId } of APPS) {
      await subscribe(alice, consumer, appId, { store, app_id: appId, event_type: 'review.created' })
    }
    for (const { appId } of APPS) await baseline(radar, appId)
  })
  await stage('the first review', async () => {
    for (const app of APPS) publish(radar, app)
    for (const { appId } of APPS) {
      await consumer.eventsOnce(appId, 1)
      await waitUntilProcessed(radar, appId)
    }
  })
  await stage('the first failure', async () => {
    consumer.answer(APPS[0].appId, (response) => response.writeHead(500).end())
    radar.world.setFault({ store: 'apple', source: 'rss' }, { kind: 'status', status: 403 })
    publish(radar, APPS[0])
    await until('a delivery is dead', async () => {
      const depths = await radar.service.storage.maintenance.depths(radar.clock.now())
      return depths.dead > 0
    })
  })
  await stage('a restart', async () => {
    assert.deepEqual(await radar.service.stop(), [])
    const again = await radar.startAnother()
    t.after(() => again[Symbol.asyncDispose]())
    url = again.url
  })
})
