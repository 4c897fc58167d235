import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { SubscribeBody } from '../../src/contract/hook.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const radar = await startTestService({ RADAR_AUTOMATION_PLATFORMS: 'zapier,make,n8n' })
after(() => radar[Symbol.asyncDispose]())
const alice = await radar.person('Alice')

const REVIEWS = {
  target_url: 'https://example.com/hook',
  store: 'apple',
  app_id: '310633997',
  event_type: 'review.created',
} as const satisfies SubscribeBody

async function post(body: unknown): Promise<{ status: number; error: string }> {
  const answer = await radar.request('/api/v1/hooks', {
    method: 'POST',
    headers: { authorization: `Bearer ${alice.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const json = answer.json() as { error?: string }
  if (answer.status !== 200) assert.deepEqual(Object.keys(json), ['error'])
  return { status: answer.status, error: json.error ?? '' }
}

test('subscribe returns 200 with id, secret, store, app_id, country and event_type', async () => {
  const answer = await alice.client.subscribe(REVIEWS)
  assert.deepEqual(Object.keys(answer), ['id', 'secret', 'store', 'app_id', 'country', 'event_type'])
  const { id, secret, ...echo } = answer
  assert.match(id, /^api-[0-9a-f]{40}$/)
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.deepEqual(echo, { store: 'apple', app_id: '310633997', country: 'us', event_type: 'review.created' })
})

test('identical calls create separate hooks with different ids and secrets', async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => alice.client.subscribe(REVIEWS)))
  assert.equal(new Set(answers.map((answer) => answer.id)).size, 5)
  assert.equal(new Set(answers.map((answer) => answer.secret)).size, 5)
})

test('the secret is in no other response and is encrypted in the database', async () => {
  const { id, secret } = await alice.client.subscribe(REVIEWS)
  const shown = JSON.stringify([await alice.client.listHooks(), await alice.client.getHook(id)])
  assert.ok(!shown.includes(secret) && !shown.includes('secret'))
  const hook = await radar.service.storage.hooks.get(alice.accountId, id)
  assert.ok(hook && !JSON.stringify(hook).includes(secret))
})

test('the id begins with the source and a hyphen', async () => {
  for (const source of ['api', 'platform_1', 'platform_2', 'platform_3', 'zapier', 'make', 'n8n']) {
    const { id } = await alice.client.subscribe({ ...REVIEWS, source })
    assert.ok(id.startsWith(`${source}-`), id)
    assert.equal((await alice.client.getHook(id)).source, source)
  }
  assert.ok((await alice.client.subscribe({ ...REVIEWS, source: null })).id.startsWith('api-'))
  for (const source of ['console', 'ifttt', 'API', '', 3])
    assert.equal((await post({ ...REVIEWS, source })).status, 400)
})

test('the country is returned, defaults to us, and an unknown one gives 400', async () => {
  assert.equal((await alice.client.subscribe({ ...REVIEWS, country: 'jp' })).country, 'jp')
  assert.equal((await alice.client.subscribe({ ...REVIEWS, country: null })).country, 'us')
  for (const country of ['ch', 'US', 'usa', '']) {
    const { status, error } = await post({ ...REVIEWS, country })
    assert.equal(status, 400)
    assert.match(error, /^country must be one of us, gb, ca/)
  }
})

test('an invalid store, target_url, event_type, range of stars or rating rule gives 400 and names the field', async () => {
  const bad: [unknown, RegExp][] = [
    [{ ...REVIEWS, store: 'steam' }, /^store must be "apple" or "google"/],
    [{ ...REVIEWS, store: undefined }, /^store is required/],
    [{ ...REVIEWS, target_url: 'ftp://example.com' }, /^target_url must begin with http/],
    [{ ...REVIEWS, target_url: '/hook' }, /^target_url must be an absolute URL/],
    [{ ...REVIEWS, target_url: 5 }, /^target_url must be/],
    [{ ...REVIEWS, event_type: 'review.updated' }, /^event_type must be/],
    [{ ...REVIEWS, app_id: '' }, /^app_id must be/],
    [{ ...REVIEWS, min_stars: 0 }, /^min_stars must be a whole number from 1 to 5/],
    [{ ...REVIEWS, max_stars: 6 }, /^max_stars must be a whole number from 1 to 5/],
    [{ ...REVIEWS, min_stars: '3' }, /^min_stars must be a whole number from 1 to 5, not "3"/],
    [{ ...REVIEWS, min_stars: 2.5 }, /^min_stars must be a whole number/],
    [{ ...REVIEWS, min_stars: 4, max_stars: 2 }, /^min_stars must be at most max_stars/],
    [{ ...REVIEWS, max_stars: 0 }, /^max_stars must be/],
    [{ ...REVIEWS, event_type: 'rating.dropped' }, /^delta is required for rating.dropped/],
    [{ ...REVIEWS, event_type: 'rating.dropped', delta: 4.1 }, /^delta must be a number from 0 to 4/],
    [{ ...REVIEWS, event_type: 'rating.dropped', delta: -1 }, /^delta must be/],
    [{ ...REVIEWS, event_type: 'rating.dropped', delta: '0.1' }, /^delta must be/],
    [{ ...REVIEWS, event_type: 'rating.dropped', threshold: 0.5 }, /^threshold must be a number from 1 to 5/],
    [
      { ...REVIEWS, delta_window_hours: 24 },
      /^delta_window_hours requires the event_type rating.dropped and delta/,
    ],
    [
      { ...REVIEWS, event_type: 'rating.dropped', threshold: 4, delta_window_hours: 24 },
      /^delta_window_hours requires/,
    ],
    [
      { ...REVIEWS, event_type: 'rating.dropped', delta: 0.2, delta_window_hours: 721 },
      /^delta_window_hours must be a whole number from 1 to 720, not 721/,
    ],
    [{ ...REVIEWS, external_ref: 'x'.repeat(257) }, /^external_ref must be text of at most 256/],
    [{ ...REVIEWS, countries: ['de', 'ch'] }, /^countries must be a list of us, gb, ca.*not "ch"/],
    [{ ...REVIEWS, country: 'us', countries: ['de'] }, /^countries must contain country/],
    [{ ...REVIEWS, keywords: 'crash' }, /^keywords must be a list of at most 20 texts, not "crash"/],
    [{ ...REVIEWS, keywords: Array(21).fill('a') }, /^keywords must be a list of at most 20 texts/],
    [{ ...REVIEWS, keywords: [''] }, /^keywords must be a list of texts of 1 to 100 characters, not ""/],
    [{ ...REVIEWS, excluded_keywords: ['\u200b'] }, /^excluded_keywords must contain visible characters/],
    [{ ...REVIEWS, competitors: [' '] }, /^competitors must contain visible characters/],
    [{ ...REVIEWS, app_versions: ['4.*.1'] }, /^app_versions may have \* only at the end/],
    [{ ...REVIEWS, languages: ['eng'] }, /^languages must be a list of at most 20 ISO 639-1/],
    [{ ...REVIEWS, sentiments: ['sad'] }, /^sentiments must be a list of positive, neutral/],
    [{ ...REVIEWS, themes: ['crash'] }, /^themes must be a list of stability_crash/],
    [{ ...REVIEWS, severities: 'high' }, /^severities must be a list of low, medium, high, not "high"/],
    [{ ...REVIEWS, is_bug_report: 'yes' }, /^is_bug_report must be true or false/],
    [{ ...REVIEWS, mentions_competitor: false, competitors: ['Acme'] }, /^competitors cannot be combined/],
    [
      { ...REVIEWS, event_type: 'rating.dropped', delta: 0, themes: ['ads'] },
      /^themes applies only to review.created, not to rating.dropped/,
    ],
    [[], /^The body must be a JSON object/],
  ]
  const before = (await alice.client.listHooks()).length
  for (const [body, sentence] of bad) {
    const { status, error } = await post(body)
    assert.equal(status, 400, JSON.stringify(body))
    assert.match(error, sentence)
  }
  assert.equal((await alice.client.listHooks()).length, before)
})

test('values at the limits are accepted', async () => {
  const good: SubscribeBody[] = [
    { ...REVIEWS, min_stars: 1, max_stars: 1 },
    { ...REVIEWS, min_stars: 5, max_stars: 5 },
    { ...REVIEWS, min_stars: null, max_stars: null },
    { ...REVIEWS, external_ref: 'x'.repeat(256) },
    { ...REVIEWS, country: 'de', countries: ['fr', 'de'] },
    { ...REVIEWS, keywords: Array.from({ length: 20 }, (_, index) => `${index} ${'x'.repeat(97)}`) },
    { ...REVIEWS, keywords: [], themes: [], countries: [], is_bug_report: null },
    { ...REVIEWS, event_type: 'rating.dropped', delta: 0, keywords: [] },
    { ...REVIEWS, event_type: 'rating.dropped', delta: 0 },
    { ...REVIEWS, event_type: 'rating.dropped', delta: 4 },
    { ...REVIEWS, event_type: 'rating.dropped', delta: 0.2, delta_window_hours: 720 },
    { ...REVIEWS, event_type: 'rating.dropped', threshold: 1 },
    { ...REVIEWS, event_type: 'rating.dropped', threshold: 5 },
    { ...REVIEWS, event_type: 'rating.dropped', threshold: 4.25, delta: 0.1 },
  ]
  for (const body of good) assert.equal((await post(body)).status, 200, JSON.stringify(body))
})

test('unknown fields are ignored', async () => {
  assert.equal((await post({ ...REVIEWS, colour: 'red', id: 'mine', secret: 'mine' })).status, 200)
})

test('a target at a private, loopback or metadata address is rejected unless the operator allows it', async () => {
  for (const target_url of [
    'http://10.0.0.1/',
    'http://192.168.1.1/hook',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]/',
    'http://2130706434/',
    'http://localhost.:8080/',
    'https://user:password@example.com/',
  ]) {
    const { status, error } = await post({ ...REVIEWS, target_url })
    assert.equal(status, 400, target_url)
    assert.match(error, /^target_url /)
  }
  assert.equal((await post({ ...REVIEWS, target_url: 'http://127.0.0.1:9/hook' })).status, 200)
})

test('the app of a new hook is polled at once', async () => {
  addApp(radar.world, { store: 'google', appId: 'com.example.atonce' })
  await alice.client.subscribe({ ...REVIEWS, store: 'google', app_id: 'com.example.atonce' })
  await until('the store is polled', () =>
    radar.world.requests('google').some((request) => request.appIds.includes('com.example.atonce')),
  )
})
