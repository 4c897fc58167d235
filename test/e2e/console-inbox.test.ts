import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createClient } from '../../src/client/client.ts'
import type { AttemptView } from '../../src/contract/attempt.ts'
import type { DestinationLine } from '../../src/contract/console/destinations.ts'
import type { InboxPage } from '../../src/contract/console/inbox.ts'
import type { CreatedToken } from '../../src/contract/console/people.ts'
import type { AuditPage } from '../../src/contract/v1/audit-log.ts'
import type { DeliveryDetail, DeliveryPage } from '../../src/contract/v1/deliveries.ts'
import { webhookEvent } from '../../src/contract/webhook.ts'
import { APP, startConsoleArea } from '../support/console-area.ts'
import { signedIn } from '../support/console-client.ts'
import { until } from '../support/until.ts'

const area = await startConsoleArea()
after(() => area[Symbol.asyncDispose]())
const { running, receiver, fetchJson, fetchError, trackStorefronts, newDestination, write } = area
await trackStorefronts()

const page = () => fetchJson<InboxPage>('GET', '/inbox')
const events = async (id: string) =>
  (await fetchJson<DeliveryPage>('GET', `/v1/deliveries?hook_id=${id}`)).data
let inbox: DestinationLine

describe('the inbox', () => {
  it('the inbox is created when it is first opened, and only once', async () => {
    assert.deepEqual(await page(), { destination: null, tests: [] })
    const app = { store: 'apple', app_id: APP }
    const opened = async (body: object) => {
      await fetchJson('POST', '/inbox', body)
      return (await page()).destination ?? assert.fail()
    }
    inbox = await opened({ app })
    assert.deepEqual(await opened({ app }), inbox)
    assert.deepEqual(await opened({}), inbox)
    assert.deepEqual(inbox.watches.map(({ sentence }) => sentence).sort(), [
      'New reviews of Sample Notes in the United States.',
      'When the rating of Sample Notes in the United States falls by 0.05 or more.',
    ])
    assert.match(await fetchError(400, 'POST', '/inbox', { app: { store: 'apple' } }), /app_id is required/)
    assert.match(
      await fetchError(400, 'POST', '/inbox', { app: { store: 'x', app_id: '1' } }),
      /"apple" or "google"/,
    )
  })

  it('the inbox shows a test event at once, with the headers of a webhook and without a request', async () => {
    const attempt = await fetchJson<AttemptView>('POST', `/v1/hooks/${inbox.id}/test`)
    const { request_body: body } = attempt
    const { tests } = await page()
    assert.deepEqual(
      tests.map(({ event_id, app_name, body: shown }) => [event_id, app_name, shown]),
      [[JSON.parse(body).event_id, 'Sample Notes', body]],
    )
    assert.deepEqual([attempt.http_status, attempt.reason, attempt.remote_address], [null, null, null])
    const { 'x-radar-event-id': id, 'x-radar-signature': signature } = attempt.request_headers
    assert.deepEqual([id, signature], [JSON.parse(body).event_id, '(masked)'])
  })

  it('the inbox shows each new review once, with the bytes that a webhook gets', async () => {
    const webhook = await newDestination()
    write({ rating: 2, title: 'Sync', body: 'Sync is broken' })
    const [request] = await receiver.received(1)
    const [shown, more] = await until('the event is in the inbox', async () => {
      const found = await events(inbox.id)
      return found[0]?.status === 'delivered' ? found : null
    })
    assert.equal(more, undefined)
    const detail = await fetchJson<DeliveryDetail>('GET', `/v1/deliveries/${shown?.event_id}`)
    const own = ['id', 'event_id', 'subscriber_id']
    const rest = (text: string) =>
      JSON.stringify(JSON.parse(text), (key, value) => (own.includes(key) ? undefined : value))
    assert.equal(rest(detail.body), rest(request?.body.toString() ?? ''))
    assert.equal(webhookEvent.parse(JSON.parse(detail.body)).subscriber_id, inbox.id)
    const [attempt, second] = detail.history
    assert.equal(second, undefined)
    assert.deepEqual(Object.keys(attempt?.request_headers ?? {}).sort(), [
      'content-type',
      'user-agent',
      'webhook-id',
      'webhook-signature',
      'webhook-timestamp',
      'x-radar-event-id',
      'x-radar-signature',
    ])
    assert.equal(attempt?.url, 'inbox:')
    await fetchJson('DELETE', `/v1/hooks/${webhook.id}`)
  })

  it('the inbox shows no event of a filter that does not match, and holds events while it is paused', async () => {
    const watch = inbox.watches.find(({ event_type }) => event_type === 'review.created')
    const path = `/v1/hooks/${inbox.id}/watches/${watch?.id}`
    await fetchJson('PUT', path, {
      store: 'apple',
      app_id: APP,
      event_type: 'review.created',
      max_stars: 2,
    })
    await fetchJson('PUT', `/v1/hooks/${inbox.id}/status`, { status: 'paused' })
    write({ rating: 5, title: 'Five' })
    write({ rating: 1, title: 'One' })
    const held = await until('the review is held', async () => {
      const found = await events(inbox.id)
      return found.length > 1 ? found : null
    })
    assert.deepEqual(
      held.map(({ status, subject }) => [status, subject.kind === 'review' && subject.title]),
      [
        ['held', 'One'],
        ['delivered', 'Sync'],
      ],
    )
    await fetchJson('PUT', `/v1/hooks/${inbox.id}/status`, { status: 'active' })
    await until('it is delivered', async () => (await events(inbox.id))[0]?.status === 'delivered')
  })

  it('the inbox is not visible to other accounts', async () => {
    const bob = await signedIn(running, 'Bob')
    assert.deepEqual(await bob.fetchJson('GET', '/inbox'), { destination: null, tests: [] })
    assert.equal((await bob.request('POST', `/v1/hooks/${inbox.id}/test`, {})).status, 404)
    await bob.fetchJson('POST', '/inbox', {})
    const { destination: bobs } = await bob.fetchJson<InboxPage>('GET', '/inbox')
    assert.notEqual(bobs?.id, inbox.id)
    assert.deepEqual(bobs?.watches, [])
    assert.deepEqual((await bob.fetchJson<DeliveryPage>('GET', '/v1/deliveries')).data, [])
  })

  it('the inbox cannot bypass the egress guard: a request cannot set its target', async () => {
    const webhook = await newDestination()
    for (const targetUrl of ['inbox:', 'INBOX:', ' inbox:', 'inbox://']) {
      assert.match(
        await fetchError(400, 'POST', '/destinations', { target_url: targetUrl }),
        /^target_url /,
        targetUrl,
      )
      assert.match(
        await fetchError(400, 'PATCH', `/v1/hooks/${webhook.id}`, { target_url: targetUrl }),
        /^target_url /,
      )
    }
    assert.match(
      await fetchError(400, 'PATCH', `/v1/hooks/${inbox.id}`, { target_url: receiver.url }),
      /has no URL/,
    )
    const { value: token } = await fetchJson<CreatedToken>('POST', '/tokens', { name: 'test' })
    const hooks = await running.request('/api/v1/hooks', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        target_url: 'inbox:',
        store: 'apple',
        app_id: APP,
        event_type: 'review.created',
      }),
    })
    assert.equal(hooks.status, 400)
    await fetchJson('DELETE', `/v1/hooks/${webhook.id}`)
  })

  it('the inbox is a hook of the REST API: listed, tested, pulled and removed', async () => {
    const { value: token } = await fetchJson<CreatedToken>('POST', '/tokens', { name: 'program' })
    const client = createClient({ baseUrl: running.url, token })
    const [hook] = await client.listHooks()
    assert.deepEqual([hook?.id, hook?.source, hook?.target_url], [inbox.id, 'console', 'inbox:'])
    const headers = { authorization: `Bearer ${token}` }
    const tested = await running.request(`/api/v1/hooks/${inbox.id}/test`, { method: 'POST', headers })
    assert.equal(tested.status, 200, tested.text)
    const pulled = await running.request(`/api/v1/events?hook_id=${inbox.id}`, { headers })
    assert.equal((pulled.json() as { data: unknown[] }).data.length, 2)
    await client.unsubscribe(inbox.id)
    assert.deepEqual(await page(), { destination: null, tests: [] })
  })

  it('the inbox adds an entry to the audit log when it is subscribed', async () => {
    const path = '/v1/audit-log?action=watch.added'
    const { data: entries } = await fetchJson<AuditPage>('GET', path)
    assert.deepEqual(
      entries.map(({ detail }) => detail),
      ['inbox: all apps', `inbox: apple/${APP}`, `inbox: apple/${APP}`],
    )
  })
})
