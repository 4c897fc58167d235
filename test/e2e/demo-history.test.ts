import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runDemo } from '../../src/cli/demo/run-demo.ts'
import type { AppPage } from '../../src/contract/console/apps.ts'
import type { DestinationLine } from '../../src/contract/console/destinations.ts'
import type { Overview } from '../../src/contract/console/overview.ts'
import type { DeliveryDetail, DeliveryPage } from '../../src/contract/v1/deliveries.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { until } from '../support/until.ts'

const DAYS = 30
const FIRST_APP = '/console/apps/apple/9100000101?days=30&zone=UTC'

/** One demo for all tests, read through its console as soon as its activity starts. */
const ready = Promise.withResolvers<void>()
const end = Promise.withResolvers<void>()
let printed = ''
let cookie = ''
let demo: ReturnType<typeof runDemo>
const startedAt = systemClock.now()

before(async () => {
  demo = runDemo({
    port: 0,
    print: (text) => {
      printed += text
    },
    stop: async () => {
      ready.resolve()
      await end.promise
    },
  })
  await Promise.race([ready.promise, demo])
  const entered = await fetch(link(), { redirect: 'manual' })
  cookie = entered.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
})

after(async () => {
  end.resolve()
  await demo
})

function link(): string {
  return /Console +(\S+)/.exec(printed)?.[1] ?? ''
}

async function read<T>(path: string): Promise<T> {
  const answer = await fetch(new URL(`/api${path}`, link()), { headers: { cookie } })
  assert.equal(answer.status, 200, path)
  return (await answer.json()) as T
}

test('the ratings of the past month have drops and recoveries, and the charts have releases', async () => {
  const page = await read<AppPage>(FIRST_APP)
  for (const { storefront, points } of page.ratingHistory) {
    assert.ok(points.length >= DAYS, `${storefront}: ${points.length} points`)
  }
  assert.ok(page.ratingHistory.length >= 4)
  assert.ok(page.drops.length >= 2, `${page.drops.length} drops`)
  assert.ok(page.releases.length >= 2, `${page.releases.length} releases`)
  const recovered = await read<DeliveryPage>('/v1/deliveries?event_type=rating.recovered')
  assert.ok(recovered.data.length > 0, 'no recovery')
})

test('every day of the past month has reviews, and deliveries with attempts', async () => {
  const { series } = await read<Overview>('/console/overview?range=30d&zone=UTC')
  const past = series.slice(1, -1)
  assert.ok(
    past.every(({ reviews, delivered }) => reviews > 0 && delivered > 0),
    JSON.stringify(past),
  )
  assert.ok(past.some(({ failed }) => failed > 0))
  const { data: deliveries } = await read<DeliveryPage>('/v1/deliveries?sort=created&limit=20')
  const page = await read<DeliveryDetail>(`/v1/deliveries/${deliveries[0]?.event_id}`)
  const ageMs = systemClock.now().getTime() - new Date(page.created_at).getTime()
  assert.ok(ageMs > (DAYS - 1) * 24 * 3_600_000, page.created_at)
  assert.ok(page.history.length > 0)
})

test('destinations of programs, of a platform and of the console are healthy, flaky or dead', async () => {
  const lines = await read<DestinationLine[]>('/console/destinations')
  const named = (name: string) => {
    const line = lines.find((each) => each.name === name)
    assert.ok(line, name)
    return line
  }
  assert.deepEqual([...new Set(lines.map(({ source }) => source))].sort(), ['api', 'console', 'n8n'])
  assert.equal(lines.filter(({ source }) => source === 'console').length, 2)
  const [healthy, flaky, dead] = [named('Support desk'), named('Flaky import'), named('Old staging server')]
  assert.deepEqual([healthy.health.dead, healthy.health.failingSince], [0, null])
  assert.ok(flaky.health.failedAttempts24h > 0)
  assert.ok(dead.health.failingSince !== null && dead.health.dead > 0)
})

test('the receiver gets the events of the activity only', async () => {
  const lines = () => printed.match(/^\d\d:\d\d:\d\d /gm)?.length ?? 0
  await until('the first event arrives', () => lines() > 0)
  const sent = lines()
  const { data: deliveries } = await read<DeliveryPage>('/v1/deliveries?limit=200')
  assert.equal(deliveries.length, 200)
  const ofActivity = deliveries.filter(({ created_at }) => new Date(created_at) >= startedAt)
  assert.ok(sent <= ofActivity.length, `${sent} lines, ${ofActivity.length} deliveries since the start`)
})
