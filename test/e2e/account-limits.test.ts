import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { consoleClient, signedIn } from '../support/console-client.ts'
import { startTestService, type TestAnswer, type TestService } from '../support/service.ts'

const BODY = {
  target_url: 'https://example.com/hook',
  store: 'apple',
  app_id: '1',
  event_type: 'review.created',
}

const subscribe = (radar: TestService, token: string, body: object = BODY, headers = {}) =>
  radar.request('/api/v1/hooks', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

function errorOf(answer: Pick<TestAnswer, 'text'>): string {
  const body = JSON.parse(answer.text) as { error: string }
  assert.deepEqual(Object.keys(body), ['error'])
  return body.error
}

/** A user of an account, with its API token and a console session. */
async function apiAndConsole(radar: TestService, name: string) {
  const client = await signedIn(radar, name)
  const { value } = await client.fetchJson<{ value: string }>('POST', '/tokens', { name: 'one' })
  return { client, token: value }
}

describe('limits of an account', () => {
  it('limits of an account apply to hooks of the API and of the console together', async () => {
    await using radar = await startTestService({ RADAR_ACCOUNT_HOOKS_MAX: '4' })
    const { client, token } = await apiAndConsole(radar, 'Alice')
    assert.equal(
      (await client.request('POST', '/destinations', { target_url: 'https://example.com/' })).status,
      200,
    )
    const answers = await Promise.all(Array.from({ length: 8 }, () => subscribe(radar, token)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 3)
    const rejected = answers.find(({ status }) => status !== 200)
    assert.equal(rejected?.status, 409)
    const sentence = /^The account has reached its limit of 4 hooks\. .*RADAR_ACCOUNT_HOOKS_MAX/
    assert.match(errorOf(rejected ?? assert.fail()), sentence)
    const console = await client.request('POST', '/destinations', { target_url: 'https://example.com/' })
    assert.equal(console.status, 409)
    assert.match(errorOf(console), sentence)
    const bob = await radar.person('Bob')
    assert.equal((await subscribe(radar, bob.token)).status, 200)
  })

  it('limits of an account apply to tracked storefronts', async () => {
    await using radar = await startTestService({ RADAR_ACCOUNT_STOREFRONTS_MAX: '2' })
    const { client, token } = await apiAndConsole(radar, 'Alice')
    assert.equal(
      (await client.request('PUT', '/v1/tracked-apps/apple/1', { countries: ['us', 'gb'] })).status,
      204,
    )
    assert.equal((await subscribe(radar, token)).status, 200)
    for (const answer of [
      await subscribe(radar, token, { ...BODY, app_id: '2' }),
      await client.request('PUT', '/v1/tracked-apps/apple/1', { countries: ['us', 'gb', 'fr'] }),
    ]) {
      assert.equal(answer.status, 409)
      assert.match(errorOf(answer), /limit of 2 tracked storefronts/)
    }
  })

  it('limits of an account apply to API requests', async () => {
    await using radar = await startTestService({ RADAR_ACCOUNT_API_REQUESTS_PER_MINUTE: '5' })
    const [alice, bob] = [await radar.person('Alice'), await radar.person('Bob')]
    const request = (token: string) =>
      radar.request('/api/v1/nothing', { headers: { authorization: `Bearer ${token}` } })
    for (let count = 0; count < 5; count += 1) assert.equal((await request(alice.token)).status, 404)
    const rejected = await request(alice.token)
    assert.equal(rejected.status, 429)
    assert.match(
      errorOf(rejected),
      /^An account is limited to 5 API requests per minute\. Try again in \d+ s\.$/,
    )
    assert.ok(Number(rejected.headers.get('retry-after')) > 0)
    assert.equal((await request(bob.token)).status, 404)
    assert.match(
      (await radar.request('/metrics')).text,
      /radar_account_limits_reached_total\{limit="api_requests"\} 1/,
    )
  })

  it('limits of an account apply to imported rows of a day, all or none of an import', async () => {
    await using radar = await startTestService({ RADAR_ACCOUNT_IMPORTED_ROWS_PER_DAY: '3' })
    const [alice, bob] = [await apiAndConsole(radar, 'Alice'), await apiAndConsole(radar, 'Bob')]
    const row = (id: string) =>
      JSON.stringify({
        store: 'apple',
        app_id: '1',
        market: 'us',
        review_id: id,
        rating: 1,
        body: 'Old',
        occurred_at: '2020-01-01T00:00:00Z',
      })
    const importAs = async ({ client, token }: typeof alice, ...ids: string[]) => {
      assert.equal(
        (await client.request('PUT', '/v1/tracked-apps/apple/1', { countries: ['us'] })).status,
        204,
      )
      return radar.request('/api/v1/imports/reviews', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/jsonl' },
        body: ids.map(row).join('\n'),
      })
    }
    assert.equal((await importAs(alice, 'a', 'b')).status, 200)
    const rejected = await importAs(alice, 'c', 'd')
    assert.equal(rejected.status, 429)
    assert.match(
      errorOf(rejected),
      /^An account is limited to 3 imported rows per day\. Try again in \d+ hours\.$/,
    )
    assert.ok(Number(rejected.headers.get('retry-after')) > 3_600)
    assert.equal((await importAs(alice, 'c')).status, 200)
    assert.equal((await importAs(bob, 'a', 'b', 'c')).status, 200)
    assert.equal((await importAs(bob, 'a', 'b', 'c', 'd')).status, 400)
  })

  it('limits of an account apply to requests of the console', async () => {
    await using radar = await startTestService({ RADAR_ACCOUNT_API_REQUESTS_PER_MINUTE: '5' })
    const { client, token } = await apiAndConsole(radar, 'Alice')
    const statuses: number[] = []
    for (let count = 0; count < 5; count += 1)
      statuses.push((await client.request('GET', '/v1/tracked-apps')).status)
    assert.deepEqual([...new Set(statuses)], [200, 429])
    assert.equal((await subscribe(radar, token)).status, 429)
    // A request without a session does not count.
    assert.equal((await consoleClient(radar.url).request('GET', '/v1/tracked-apps')).status, 401)
  })

  it('limits of an account apply to app searches', async () => {
    await using radar = await startTestService({ RADAR_ACCOUNT_APP_SEARCHES_PER_MINUTE: '2' })
    const client = await signedIn(radar, 'Alice')
    const search = () => client.request('GET', '/v1/apps/search?q=chat&country=us')
    for (let n = 0; n < 2; n += 1) assert.equal((await search()).status, 200)
    const rejected = await search()
    assert.equal(rejected.status, 429)
    assert.match(errorOf(rejected), /2 app searches per minute/)
    assert.ok(Number(rejected.headers.get('retry-after')) > 0)
  })

  it('limits of an account apply to test events', async () => {
    await using radar = await startTestService({ RADAR_ACCOUNT_TEST_EVENTS_PER_MINUTE: '2' })
    const { client, token } = await apiAndConsole(radar, 'Alice')
    const made = await subscribe(radar, token, { ...BODY, target_url: 'http://127.0.0.1:1/' })
    const { id } = made.json() as { id: string }
    const overApi = () =>
      radar.request(`/api/v1/hooks/${id}/test`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      })
    assert.equal((await overApi()).status, 200)
    assert.equal((await client.request('POST', `/v1/hooks/${id}/test`, {})).status, 200)
    for (const answer of [await overApi(), await client.request('POST', `/v1/hooks/${id}/test`, {})]) {
      assert.equal(answer.status, 429)
      assert.match(errorOf(answer), /^An account is limited to 2 test events per minute/)
    }
  })
})

describe('a subscribe with an Idempotency-Key', () => {
  const KEY = { 'idempotency-key': '8e03978e-40d5-43e8-bc93-6894a57f9324' }

  it('a subscribe with an Idempotency-Key returns the same bytes when repeated and creates no second hook, also for concurrent calls', async () => {
    await using radar = await startTestService()
    const alice = await radar.person('Alice')
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => subscribe(radar, alice.token, BODY, KEY)),
    )
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    const [first] = answers
    assert.match(first?.text ?? '', /"secret":"whsec_/)
    assert.equal((await alice.client.listHooks()).length, 1)
    const reordered = Object.fromEntries(Object.entries(BODY).reverse())
    assert.equal((await subscribe(radar, alice.token, reordered, KEY)).text, answers[0]?.text)
  })

  it('a subscribe with an Idempotency-Key stores the answer encrypted for one day', async () => {
    await using radar = await startTestService()
    const alice = await radar.person('Alice')
    const first = await subscribe(radar, alice.token, BODY, KEY)
    radar.clock.leap(24 * 3_600_000 - 60_000)
    assert.equal((await subscribe(radar, alice.token, BODY, KEY)).text, first.text)
    radar.clock.leap(60_001)
    const later = await subscribe(radar, alice.token, BODY, KEY)
    assert.equal(later.status, 200)
    assert.notEqual(later.text, first.text)
  })

  it('a subscribe with an Idempotency-Key is rejected with another body or an invalid key', async () => {
    await using radar = await startTestService()
    const alice = await radar.person('Alice')
    await subscribe(radar, alice.token, BODY, KEY)
    const other = await subscribe(radar, alice.token, { ...BODY, app_id: '2' }, KEY)
    assert.equal(other.status, 422)
    assert.match(errorOf(other), /^This Idempotency-Key was used .* with another body/)
    for (const key of ['', ' ', 'x'.repeat(256), 'é']) {
      const answer = await subscribe(radar, alice.token, BODY, { 'idempotency-key': key })
      assert.equal(answer.status, 400, key)
      assert.match(errorOf(answer), /^Idempotency-Key must be/)
    }
    assert.equal((await alice.client.listHooks()).length, 1)
  })

  it('an Idempotency-Key belongs to one account; without a key every subscribe creates a hook', async () => {
    await using radar = await startTestService()
    const [alice, bob] = [await radar.person('Alice'), await radar.person('Bob')]
    const texts = [
      await subscribe(radar, alice.token, BODY, KEY),
      await subscribe(radar, bob.token, BODY, KEY),
      await subscribe(radar, bob.token),
      await subscribe(radar, bob.token),
    ].map(({ text }) => text)
    assert.equal(new Set(texts).size, 4)
  })
})
