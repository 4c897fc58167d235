import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type WebhookEvent, webhookEvent } from '../../src/contract/webhook.ts'
import { listen } from './listen.ts'
import { type ReceivedRequest, signatureOf } from './receiver.ts'
import { until } from './until.ts'

/** One request of a hook. `answered` is the response's status, or null if the connection was dropped. */
export type Delivered = ReceivedRequest & {
  readonly hook: string
  readonly at: Date
  answered: number | null
}

/** Answers the request number `nth` of a hook, counted from 1. */
export type Answering = (response: ServerResponse, nth: number, request: Delivered) => void

/**
 * Receives the requests of several hooks, each at a separate path, and keeps them. Reading the events verifies both
 * signatures, the headers and the schema of every request. Answers 204 by default.
 */
export type Consumer = AsyncDisposable & {
  readonly targetUrl: (hook: string) => string
  /** Sets the secret from subscribe. Requests of a hook without one fail verification. */
  readonly setSecret: (hook: string, secret: string) => void
  readonly answer: (hook: string, answering: Answering) => void
  readonly requests: (hook: string) => readonly Delivered[]
  /** Distinct events of the hook, in order of first arrival. Throws if a request fails verification. */
  readonly events: (hook: string) => readonly WebhookEvent[]
  /** Waits for `count` distinct events. Fails if there are more. */
  readonly eventsOnce: (hook: string, count: number) => Promise<readonly WebhookEvent[]>
}

export async function startConsumer(): Promise<Consumer> {
  const secrets = new Map<string, string>()
  const answers = new Map<string, Answering>()
  const requests = new Map<string, Delivered[]>()

  const of = (hook: string) => requests.get(hook) ?? []
  const server = createServer(async (incoming, response) => {
    const hook = (incoming.url ?? '').slice(1)
    const body = await buffer(incoming).catch(() => null)
    if (body === null) return
    const request: Delivered = {
      hook,
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body,
      at: new Date(),
      answered: null,
    }
    response.once('finish', () => {
      request.answered = response.statusCode
    })
    requests.set(hook, [...of(hook), request])
    const answering = answers.get(hook) ?? accepting
    answering(response, of(hook).length, request)
  })
  const listening = await listen(server)

  const events = (hook: string) => {
    const distinct = new Map<string, { readonly event: WebhookEvent; readonly body: Buffer }>()
    for (const request of of(hook)) {
      const event = verified(request, secrets.get(hook))
      const known = distinct.get(event.event_id)
      if (known === undefined) distinct.set(event.event_id, { event, body: request.body })
      else
        assert.ok(
          known.body.equals(request.body),
          'two requests with the same event_id have different bodies',
        )
    }
    return [...distinct.values()].map(({ event }) => event)
  }
  return {
    targetUrl: (hook) => `${listening.url}/${hook}`,
    setSecret: (hook, secret) => void secrets.set(hook, secret),
    answer: (hook, answering) => void answers.set(hook, answering),
    requests: of,
    events,
    eventsOnce: async (hook, count) => {
      await until(`${hook} has ${count} events`, () => distinctIds(of(hook)) >= count)
      const lines = events(hook)
      assert.equal(lines.length, count, `events of ${hook}`)
      return lines
    },
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  }
}

function accepting(response: ServerResponse): void {
  response.writeHead(204).end()
}

function distinctIds(requests: readonly Delivered[]): number {
  return new Set(requests.map((request) => request.headers['x-radar-event-id'])).size
}

/** The event of a request. Fails unless the request conforms to docs/contract.md, Headers and Events. */
function verified(request: Delivered, secret: string | undefined): WebhookEvent {
  assert.ok(secret !== undefined, `the secret of ${request.hook} is unknown`)
  const { headers, body } = request
  assert.equal(request.method, 'POST')
  assert.equal(headers['content-type'], 'application/json')
  assert.equal(headers['x-radar-signature'], signatureOf(body, secret))
  const event = webhookEvent.parse(JSON.parse(body.toString('utf8')))
  assert.deepEqual(
    [headers['x-radar-event-id'], headers['webhook-id'], event.id],
    Array(3).fill(event.event_id),
  )
  const signed = `${event.event_id}.${headers['webhook-timestamp']}.${body.toString('utf8')}`
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const mac = createHmac('sha256', key).update(signed).digest('base64')
  assert.equal(headers['webhook-signature'], `v1,${mac}`)
  return event
}
