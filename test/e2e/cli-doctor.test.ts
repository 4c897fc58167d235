import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { AppPage } from '../../src/contract/console/apps.ts'
import type { TrackedApp } from '../../src/contract/v1/apps.ts'
import { instantOf, later } from '../../src/runtime/instant.ts'
import { configOf } from '../../src/service/config/config.ts'
import { diagnose } from '../../src/service/doctor.ts'
import { signedIn } from '../support/console-client.ts'
import { publish } from '../support/publish.ts'
import { radarCommand } from '../support/radar-command.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const REVIEWS = {
  target_url: 'https://example.com/',
  store: 'apple',
  app_id: '601',
  event_type: 'review.created',
} as const

test('doctor reports a healthy installation', async () => {
  await using radar = await startTestService()
  addApp(radar.world, { store: 'apple', appId: '601', name: 'Notes' })
  addApp(radar.world, { store: 'google', appId: 'com.example.notes', name: 'Notes' })
  const { status, out, err } = await radarCommand(['doctor'], radar.environment)
  assert.deepEqual([status, err], [0, ''], out)
  for (const line of [
    'The settings are valid',
    'is the key of the database',
    'running since',
    'apple answers',
    'google answers',
  ]) {
    assert.ok(out.includes(line), `${line}\n${out}`)
  }
  const json = await radarCommand(['doctor', '--json'], radar.environment)
  const grades = json.out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).grade)
  assert.deepEqual([json.status, grades.includes('problem'), grades[0]], [0, false, 'ok'])
})

test('doctor reports a stale feed with its reason and exits with status 1', async () => {
  await using radar = await startTestService()
  addApp(radar.world, { store: 'apple', appId: '601' })
  radar.world.setFault({ store: 'apple', appId: '601' }, { kind: 'status', status: 500 })
  const alice = await radar.person('Alice')
  await alice.client.subscribe(REVIEWS)
  await until('the feed is stale', async () =>
    (await radar.service.storage.feeds.counts()).some(({ failing }) => failing > 0),
  )
  const { status, out } = await radarCommand(['doctor'], radar.environment)
  assert.equal(status, 1)
  assert.match(
    out,
    /^BAD {2}App Store: no usable response for 601 \(reviews of United States\)\..*500.* Since 20/m,
  )
})

test('an app that is not rated yet in a storefront is no problem for doctor and alerts, and the REST API and the console name the storefront', async () => {
  await using radar = await startTestService()
  addApp(radar.world, { store: 'apple', appId: '601' })
  radar.world.setRating({ store: 'apple', appId: '601', storefront: 'de' }, null)
  const alice = await signedIn(radar, 'Alice')
  await alice.fetchJson('PUT', '/v1/tracked-apps/apple/601', { countries: ['us', 'de'] })
  const app = await until('both ratings are polled', async () => {
    const [tracked] = await alice.fetchJson<TrackedApp[]>('GET', '/v1/tracked-apps')
    return tracked?.ratings.length === 1 && tracked.unrated_countries.length === 1 && tracked
  })
  assert.deepEqual([app.ratings[0]?.country, app.unrated_countries], ['us', ['de']])
  const { feeds } = await alice.fetchJson<AppPage>('GET', '/apps/apple/601')
  const german = feeds.find(({ kind, market }) => kind === 'rating' && market === 'de')
  assert.deepEqual(
    [german?.health, german?.reason],
    ['unrated', 'The store shows no rating of this app here yet.'],
  )
  const counts = await radar.service.storage.feeds.counts()
  assert.deepEqual(
    counts.filter(({ kind, failing }) => kind === 'rating' && failing > 0),
    [],
  )
  const { out } = await radarCommand(['doctor'], radar.environment)
  assert.doesNotMatch(out, /rating of de/)
})

test('doctor shows the formats that an operator adds, and a file with an unknown one stops it', async () => {
  await using radar = await startTestService()
  const folder = await mkdtemp(join(tmpdir(), 'radar-formats-'))
  const file = join(folder, 'formats.json')
  const doctor = async (formats: unknown) => {
    await writeFile(file, JSON.stringify(formats))
    return await radarCommand(['doctor'], { ...radar.environment, RADAR_STORE_FORMATS_FILE: file })
  }
  const { status, out } = await doctor({ google: { app_data: [{ rating: [52] }] } })
  assert.equal(status, 0, out)
  assert.match(out, /Store formats are added \(RADAR_STORE_FORMATS_FILE\): .*"rating":\[52\]/m)
  const wrong = await doctor({ google: { app_data: [{ stars: [52] }] } })
  assert.notEqual(wrong.status, 0)
  assert.match(
    wrong.out + wrong.err,
    /RADAR_STORE_FORMATS_FILE must be a JSON file of formats .* without "google\.app_data\.0\.stars"/,
  )
  await rm(folder, { recursive: true })
})

test('doctor reports a store that blocks requests, and until when', async () => {
  await using radar = await startTestService()
  addApp(radar.world, { store: 'apple', appId: '601' })
  radar.world.setFault({ store: 'apple' }, { kind: 'status', status: 403, retryAfterSeconds: 3_600 })
  const alice = await radar.person('Alice')
  await alice.client.subscribe(REVIEWS)
  await until(
    'the store backs off',
    async () => (await radar.service.storage.pace.get('apple')).blockedUntil !== null,
  )
  const { status, out } = await radarCommand(['doctor'], radar.environment)
  assert.equal(status, 1)
  assert.match(out, /^BAD {2}App Store blocks requests\..* The next request is sent after \d{4}-/m)
})

test('doctor distinguishes unclaimed deliveries from those held by an open breaker', async () => {
  await using radar = await startTestService({ RADAR_ROLES: 'api,poll,enrich,fanout' })
  addApp(radar.world, { store: 'apple', appId: '601' })
  const alice = await radar.person('Alice')
  await alice.client.subscribe(REVIEWS)
  await until('the app is polled', async () =>
    (await radar.service.storage.feeds.counts()).some(({ active, due }) => active > 0 && due < active),
  )
  publish(radar, { store: 'apple', appId: '601', market: 'us' })
  const { storage } = radar.service
  await until(
    'a delivery is pending',
    async () => (await storage.maintenance.depths(instantOf(Date.now()))).pending > 0,
  )
  const hourLater = { ...radar.clock, now: () => later(radar.clock.now(), 3_600_000) }
  const pendingFinding = async () => {
    for await (const { grade, text } of diagnose(configOf(radar.environment), storage, hourLater)) {
      if (/deliver(y|ies) (are )?pending/.test(text)) return `${grade}: ${text}`
    }
    return null
  }
  assert.match(
    (await pendingFinding()) ?? '',
    /^problem: No node is sending deliveries: the oldest due one is \d+ s late\..* 1 delivery pending\./,
  )

  await storage.deliveries.claim(
    {
      now: hourLater.now(),
      lease: 'a',
      leaseMs: 1,
      limit: 1,
      lanesMax: 1,
      busyHooks: [],
      busyHosts: [],
      firstAttemptsOnly: false,
    },
    (lanes) =>
      new Map(lanes.map(({ hookId }) => [hookId, { take: 0, notBefore: later(hourLater.now(), 60_000) }])),
  )
  assert.match((await pendingFinding()) ?? '', /^ok: 1 deliveries are pending/)
})
