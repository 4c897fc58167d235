import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { FirstLoad } from '../../src/contract/console/first-load.ts'
import type { SessionView } from '../../src/contract/console/people.ts'
import { testClock } from '../support/clock.ts'
import { type ConsoleClient, consoleClient, signedIn } from '../support/console-client.ts'
import { startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const running = await startTestService()
const ann = await signedIn(running, 'Ann')
const ben = await signedIn(running, 'Ben')
after(() => running[Symbol.asyncDispose]())

/** Opens the stream, by default since the state of the client's session. */
async function listen(client: ConsoleClient, url = running.url, since: string | null = null) {
  const stop = new AbortController()
  const answer = await fetch(`${url}/api/console/stream?since=${since ?? ''}`, {
    headers: { cookie: client.cookie() },
    signal: stop.signal,
  })
  const state = { text: '', ended: false, cut: false }
  const reading = (async () => {
    for await (const chunk of answer.body ?? []) state.text += new TextDecoder().decode(chunk)
  })().catch(() => {
    state.cut = true
  })
  void reading.finally(() => {
    state.ended = true
  })
  return {
    answer,
    state,
    topics: () => [...state.text.matchAll(/^event: (\w+)$/gm)].map(([, topic]) => topic),
    lastId: () => [...state.text.matchAll(/^id: (.+)$/gm)].at(-1)?.[1] ?? '',
    stop: () => stop.abort(),
  }
}

const stateOf = async (client: ConsoleClient) =>
  (await client.fetchJson<SessionView>('GET', '/session')).state

describe('the stream of changes', () => {
  it('the stream of changes sends a topic when data of the account changes, and nothing of other accounts', async () => {
    const anns = await listen(ann, running.url, await stateOf(ann))
    const bens = await listen(ben, running.url, await stateOf(ben))
    assert.equal(anns.answer.status, 200)
    assert.match(anns.answer.headers.get('content-type') ?? '', /^text\/event-stream/)
    assert.equal(anns.answer.headers.get('cache-control'), 'no-store')
    await until('the stream has started', () => anns.state.text.startsWith('retry: '))
    await ann.request('POST', '/destinations', { target_url: 'https://example.com/hook' })
    await until('Ann gets the topic', () => anns.topics().includes('destinations'))
    await ben.request('PUT', '/v1/tracked-apps/apple/403000001', { countries: ['us'] })
    await until('Ben gets the topic', () => bens.topics().includes('apps'))
    assert.ok(!bens.topics().includes('destinations'))
    assert.ok(!anns.topics().includes('apps'))
    anns.stop()
    bens.stop()
  })

  it('the stream of changes sends at once the topics that changed since a state, or all topics without a state', async () => {
    const before = await stateOf(ann)
    await ann.request('POST', '/destinations', { target_url: 'https://example.com/other' })
    const late = await listen(ann, running.url, before)
    await until('the stream is ready', () => late.topics().includes('destinations'))
    assert.ok(!late.topics().includes('apps'))
    const again = await listen(ann, running.url, late.lastId())
    await until('the stream is ready', () => again.topics().includes('ready'))
    assert.deepEqual(again.topics(), ['ready'])
    const without = await listen(ann)
    await until('the stream is ready', () => without.topics().includes('replays'))
    assert.equal(without.topics().length, 7)
    for (const stream of [late, again, without]) stream.stop()
  })

  it('the stream of changes reports a change that the overview of the first load lacks', async () => {
    await using own = await startTestService()
    const client = await signedIn(own, 'Eve')
    const { reports } = own.service.storage
    const { overview } = reports
    Object.assign(reports, {
      async overview(...asked: Parameters<typeof overview>) {
        const figures = await overview(...asked)
        await client.request('POST', '/destinations', { target_url: 'https://example.com/hook' })
        return figures
      },
    })
    const first = await client.fetchJson<FirstLoad>('GET', '/session?with=overview')
    assert.equal(first.overview?.destinations, 0)
    const stream = await listen(client, own.url, first.state)
    await until('the stream is ready', () => stream.topics().includes('ready'))
    assert.deepEqual(stream.topics(), ['ready', 'destinations'])
    stream.stop()
  })

  it('the stream of changes is limited to 100 connections per account', async () => {
    await using own = await startTestService({ RADAR_ACCOUNT_API_REQUESTS_PER_MINUTE: '1000' })
    const client = await signedIn(own, 'Dan')
    const streams = await Promise.all(Array.from({ length: 101 }, () => listen(client, own.url)))
    const rejected = streams.filter(({ answer }) => answer.status === 429)
    assert.equal(rejected.length, 1)
    for (const stream of streams) stream.stop()
  })

  it('the stream of changes ends when its user signs out', async () => {
    const own = consoleClient(running.url)
    await own.request('POST', '/auth/sign-in/email', { email: ben.email, password: 'correct horse battery' })
    const stream = await listen(own)
    await own.request('POST', '/auth/sign-out', {})
    await until('it ended', () => stream.state.ended)
    assert.match(stream.state.text, /event: ended\ndata: {"reason":"session_left"}\n\n$/)
  })

  it('the stream of changes does not block the stop of the service', async () => {
    // A real-time clock, so that no heartbeat ends the stream before the service does.
    const other = await startTestService({}, { clock: testClock() })
    const cat = await signedIn(other, 'Cat')
    const stream = await listen(cat, other.url)
    await until('the stream has started', () => stream.state.text !== '')
    const stopped = other.service.stop()
    // The next heartbeat would end the stream too, but only after the test's timeout.
    await until('it ended', () => stream.state.ended)
    assert.deepEqual(await stopped, [])
    assert.equal(stream.state.cut, false)
    await other[Symbol.asyncDispose]()
  })
})

describe('the link of the demo', () => {
  it('the link of the demo signs in once, and works only in the demo', async () => {
    await using demo = await startTestService({}, { demo: true })
    const { accountId, link } = await demo.service.createDemoAccount('Demo')
    const key = new URL(link).searchParams.get('key') ?? ''
    const visitor = consoleClient(demo.url)
    assert.equal((await visitor.request('GET', `/demo?key=${key}x`)).status, 403)
    assert.equal((await visitor.request('GET', '/demo')).status, 400)
    const answer = await visitor.request('GET', `/demo?key=${key}`)
    assert.deepEqual([answer.status, answer.headers.get('location')], [302, '/'])
    const session = (await visitor.request('GET', '/session')).json<SessionView>()
    assert.deepEqual([session.account?.id, session.role, session.operator], [accountId, 'owner', true])
    assert.equal((await visitor.request('GET', `/demo?key=${key}`)).status, 302)
    assert.equal((await consoleClient(demo.url).request('GET', `/demo?key=${key}`)).status, 403)
    assert.equal((await ann.request('GET', `/demo?key=${key}`)).status, 404)
  })
})
