import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createAccountData } from '../support/console-data.ts'
import { tenant } from '../support/interfaces.ts'
import { publish, publishOld, untilPast } from '../support/publish.ts'
import { baseline, waitUntilProcessed } from '../support/radar.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const running = await startTestService({ RADAR_ACCOUNT_API_REQUESTS_PER_MINUTE: '100000' })
const alice = await tenant(running, 'Alice')
const data = await createAccountData(running, alice.owner, '403000001')
after(async () => {
  await data[Symbol.asyncDispose]()
  await running[Symbol.asyncDispose]()
})

type Page<Row> = { readonly data: Row[]; readonly next_cursor: string | null }
type Event = { readonly event_id: string; readonly body: string }

const get = async <T>(path: string) => {
  const answer = await alice.api('GET', path)
  assert.equal(answer.outcome, 'done', `${path}: ${answer.text}`)
  return answer.json<T>()
}

describe('the reviews of a token', () => {
  const appId = '403000002'

  it('the reviews of a token have pages, and new reviews do not shift later pages', async () => {
    addApp(running.world, { store: 'apple', appId, name: 'Paged' })
    publishOld(running, { store: 'apple', appId, market: 'us' }, 7)
    await alice.api('PUT', `/tracked-apps/apple/${appId}`, { countries: ['us'] })
    await waitUntilProcessed(running, appId)
    const path = `/reviews?app_id=${appId}&limit=3`
    const whole = await get<Page<{ review_id: string }>>(`/reviews?app_id=${appId}`)
    assert.equal(whole.data.length, 7)
    assert.equal(whole.next_cursor, null)
    const first = await get<Page<{ review_id: string }>>(path)
    publish(running, { store: 'apple', appId, market: 'us' })
    await until('the new review is there', async () => {
      const { data: now } = await get<Page<unknown>>(`/reviews?app_id=${appId}`)
      return now.length === 8
    })
    const rest: { review_id: string }[] = []
    let cursor = first.next_cursor
    while (cursor !== null) {
      const page = await get<Page<{ review_id: string }>>(`${path}&cursor=${cursor}`)
      rest.push(...page.data)
      cursor = page.next_cursor
    }
    assert.deepEqual([...first.data, ...rest], whole.data)
  })

  it('the reviews of a token are filtered by text and period', async () => {
    const { data: rows } = await get<Page<{ body: string }>>('/reviews?text=nobody%20else')
    assert.deepEqual(new Set(rows.map(({ body }) => body)), new Set([data.secretText]))
    const none = await get<Page<unknown>>('/reviews?since=2999-01-01T00:00:00Z')
    assert.deepEqual(none, { data: [], next_cursor: null })
  })

  it('the reviews of a token have an ETag, and return 304 until something changes', async () => {
    const get = (tag?: string) =>
      running.request(`/api/v1/reviews?app_id=${data.appId}`, {
        headers: { authorization: `Bearer ${alice.token}`, ...(tag && { 'if-none-match': tag }) },
      })
    const first = await get()
    const tag = first.headers.get('etag') ?? ''
    assert.match(tag, /^"[\w-]{43}"$/)
    assert.equal(first.headers.get('cache-control'), 'private, no-cache')
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
      const again = await get(known)
      assert.equal(again.status, 304)
      assert.equal(again.text, '')
      assert.equal(again.headers.get('etag'), tag)
    }
    assert.equal((await get('"other"')).status, 200)
  })

  it('the reviews of a token are exported as CSV without formulas, and as JSON Lines', async () => {
    const lines = await alice.api('GET', `/exports/reviews?app_id=${data.appId}`)
    const rows = lines.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const { data: listed } = await get<Page<{ triage: unknown }>>(`/reviews?app_id=${data.appId}`)
    // What the team noted stays in the account.
    assert.deepEqual(
      rows,
      listed.map(({ triage: _, ...review }) => review),
    )
    const csv = await alice.api('GET', `/exports/reviews?app_id=${data.appId}&format=csv`)
    assert.match(csv.text, /^store,app_id,app_name,market,review_id,/)
    assert.equal(csv.text.match(/^apple,/gm)?.length, rows.length)
  })
})

it('an unknown query parameter gets 400 with the nearest name, or with all names', async () => {
  for (const [query, error] of [
    ['star=1', '"star" is not a query parameter of this path. Did you mean stars?'],
    ['rating=1', /^"rating" is not a query parameter of this path\. Known: store, app_id, /],
  ] as const) {
    const answer = await running.request(`/api/v1/reviews?${query}`, {
      headers: { authorization: `Bearer ${alice.token}` },
    })
    assert.equal(answer.status, 400)
    const { error: given } = answer.json() as { error: string }
    if (typeof error === 'string') assert.equal(given, error)
    else assert.match(given, error)
  }
})

describe('an import of reviews', () => {
  const row = {
    store: 'apple',
    app_id: data.appId,
    market: 'us',
    review_id: 'from 2019',
    rating: 2,
    body: 'An old opinion',
    occurred_at: '2019-05-05T05:05:05Z',
  }
  const send = (body: string, type = 'application/jsonl') =>
    running.request('/api/v1/imports/reviews', {
      method: 'POST',
      headers: { authorization: `Bearer ${alice.token}`, 'content-type': type },
      body,
    })

  it('an import of reviews adds reviews that only the account sees, and creates no event', async () => {
    const { next_cursor: before } = await get<{ next_cursor: string }>('/events?after=latest')
    const answer = await send(JSON.stringify(row))
    assert.deepEqual([answer.status, answer.json()], [200, { added: 1, replaced: 0, known: 0 }])
    assert.deepEqual((await send(JSON.stringify(row))).json(), { added: 0, replaced: 0, known: 1 })
    const { data: rows } = await get<Page<{ body: string; is_imported: boolean }>>(
      '/reviews?until=2020-01-01T00:00:00Z',
    )
    assert.deepEqual(
      rows.map(({ body, is_imported }) => [body, is_imported]),
      [['An old opinion', true]],
    )
    await waitUntilProcessed(running, data.appId)
    assert.deepEqual(await get(`/events?after=${before}`), { data: [], next_cursor: before })
  })

  it('an import of exported rows counts every row as known', async () => {
    await untilPast(running)
    const csv = await alice.api('GET', `/exports/reviews?app_id=${data.appId}&format=csv`)
    const answer = await send(csv.text, 'text/csv')
    assert.equal(answer.status, 200, answer.text)
    const { added, replaced, known } = answer.json() as Record<string, number>
    assert.deepEqual([added, replaced], [0, 0])
    assert.ok((known ?? 0) >= 3)
  })

  it('an import of reviews with an untracked app, a future date or too many rows stores nothing', async () => {
    const rows = (...changes: object[]) =>
      changes.map((change) => JSON.stringify({ ...row, ...change })).join('\n')
    const untracked = await send(rows({ review_id: 'x' }, { app_id: '999' }))
    assert.match(untracked.text, /Row 2: the account does not track apple 999 in us/)
    assert.match(
      (await send(rows({ occurred_at: '2999-01-01T00:00:00Z' }))).text,
      /Row 1: occurred_at must be in the past/,
    )
    const large = await send('x'.repeat(8 * 1024 * 1024 + 1))
    assert.deepEqual(
      [large.status, large.json()],
      [413, { error: 'The body is too large: at most 8388608 bytes are accepted.' }],
    )
    assert.equal((await send('[]', 'application/json')).status, 415)
    assert.equal((await get<Page<unknown>>('/reviews?until=2020-01-01T00:00:00Z')).data.length, 1)
  })
})

describe('the other reads of a token', () => {
  it('reads of a token show tracked apps with their ratings, and the history of a rating', async () => {
    const apps = await get<{ app_id: string; ratings: unknown[]; countries: string[] }[]>('/tracked-apps')
    const app = apps.find(({ app_id }) => app_id === data.appId)
    assert.deepEqual(app?.countries, ['us'])
    assert.deepEqual(app?.ratings, [{ country: 'us', rating: 4.5, rating_count: 1_000 }])
    const ratings = await get<Page<{ rating: number; country: string }>>(
      `/ratings?store=apple&app_id=${data.appId}`,
    )
    assert.deepEqual(
      ratings.data.map(({ rating, country }) => [rating, country]),
      [[4.5, 'us']],
    )
  })

  it('reads of a token find apps in the stores', async () => {
    const found = await get<{ data: { app_id: string; name: string }[]; problems: unknown[] }>(
      `/apps/search?q=${data.appId}&store=apple`,
    )
    assert.deepEqual(
      found.data.map(({ app_id, name }) => [app_id, name]),
      [[data.appId, `App ${data.appId}`]],
    )
    assert.deepEqual(found.problems, [])
  })

  it('reads of a token count reviews over time', async () => {
    const stats = await get<{ reviews: number; stars: number[]; series: { reviews: number }[] }>(
      `/stats?app_id=${data.appId}&until=2999-01-01T00:00:00Z&since=2998-12-01T00:00:00Z`,
    )
    assert.deepEqual([stats.reviews, stats.series], [0, []])
    // The newest review has the time of the next whole second.
    const until = new Date(running.clock.now().getTime() + 60_000).toISOString()
    const now = await get<typeof stats>(`/stats?app_id=403000002&interval=month&until=${until}`)
    assert.deepEqual(now.stars, [0, 0, 8, 0, 0])
    assert.equal(
      now.series.reduce((sum, { reviews }) => sum + reviews, 0),
      8,
    )
  })

  it('reads of a token show a delivery with its attempts, and a dead letter that is replayed and discarded', async () => {
    const dead = await get<Page<{ event_id: string; status: string }>>('/dead-letters')
    assert.deepEqual(
      dead.data.map(({ event_id, status }) => [event_id, status]),
      [[data.deadId, 'dead']],
    )
    const shown = await get<{ history: { http_status: number }[]; body: string }>(
      `/deliveries/${data.deadId}`,
    )
    assert.deepEqual(new Set(shown.history.map(({ http_status }) => http_status)), new Set([500]))
    assert.equal(JSON.parse(shown.body).event_id, data.deadId)
    assert.equal((await alice.api('POST', `/deliveries/${data.deadId}/retry`)).outcome, 'conflict')
    const retried = await alice.api('POST', `/deliveries/${data.deadId}/resend`)
    assert.equal(retried.outcome, 'done')
    const again = async () => (await get<Page<unknown>>('/dead-letters')).data.length === 1
    await until('the delivery is dead again', again)
    const ids = { event_ids: [data.deadId, '0'.repeat(64)] }
    assert.deepEqual((await alice.api('POST', '/dead-letters/replay', ids)).json(), {
      replayed: 1,
      skipped: 1,
    })
    await until('the delivery is dead again', again)
    assert.deepEqual((await alice.api('POST', '/dead-letters/discard', ids)).json(), {
      discarded: 1,
      skipped: 1,
    })
    assert.equal((await alice.api('POST', `/deliveries/${data.deadId}/resend`)).outcome, 'conflict')
  })
})

describe('pulled events', () => {
  it('pulled events are the same as the pushed ones, in order, each once', async () => {
    const { data: deliveries } = await get<Page<{ event_id: string }>>('/deliveries')
    const pulled: string[] = []
    let after = '0'
    for (;;) {
      const page = await get<{ data: Event[]; next_cursor: string }>(`/events?limit=1&after=${after}`)
      pulled.push(...page.data.map(({ event_id }) => event_id))
      if (page.data.length === 0) break
      after = page.next_cursor
    }
    assert.deepEqual(pulled, deliveries.map(({ event_id }) => event_id).reverse())
    const answer = await alice.api('GET', '/events?limit=1')
    const shown = await get<{ body: string }>(`/deliveries/${pulled[0]}`)
    assert.ok(
      answer.text.startsWith(`{"data":[${shown.body}],`),
      'a pulled event has the same bytes as a pushed one',
    )
  })

  it('pulled events give an error after an unknown cursor', async () => {
    const answer = await alice.api('GET', '/events?after=99999999')
    assert.equal(answer.outcome, 'conflict')
    assert.match(answer.error, /^after is ahead of every event/)
  })

  it('pulled events can be awaited by a long poll', async () => {
    const { next_cursor: now } = await get<{ next_cursor: string }>('/events?after=latest')
    assert.deepEqual(await get(`/events?after=${now}`), { data: [], next_cursor: now })
    await baseline(running, data.appId)
    const waiting = get<{ data: Event[] }>(`/events?after=${now}&wait=30`)
    publish(running, { store: 'apple', appId: data.appId, market: 'us' }, { body: 'the awaited review' })
    assert.deepEqual(
      (await waiting).data.map(({ body }) => body),
      ['the awaited review'],
    )
  })

  it('pulled events end a long poll when the service stops, and allow at most twenty long polls per account', async () => {
    const { next_cursor: now } = await get<{ next_cursor: string }>('/events?after=latest')
    const other = await running.startAnother()
    const poll = (signal?: AbortSignal) =>
      fetch(`${other.url}/api/v1/events?wait=30&after=${now}`, {
        headers: { authorization: `Bearer ${alice.token}` },
        ...(signal && { signal }),
      })
    const left = new AbortController()
    const leaving = poll(left.signal).catch(() => 'left')
    const waiting = Array.from({ length: 19 }, () => poll())
    const rejected = await until('the next request is rejected', async () => {
      const answer = await poll(AbortSignal.timeout(2_000)).catch(() => null)
      return answer?.status === 429 ? answer : undefined
    })
    assert.equal(rejected.headers.get('retry-after'), '5')
    left.abort()
    assert.equal(await leaving, 'left')
    await until('another long poll is allowed', async () => {
      const answer = await poll(AbortSignal.timeout(2_000)).catch(() => null)
      return answer === null
    })
    await other[Symbol.asyncDispose]()
    for (const answer of await Promise.all(waiting)) assert.equal(answer.status, 200)
  })
})
