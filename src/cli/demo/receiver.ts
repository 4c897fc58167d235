import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type WebhookEvent, webhookEvent } from '../../contract/webhook.ts'

export type Received =
  | { readonly kind: 'event'; readonly event: WebhookEvent; readonly isRepeat: boolean }
  | { readonly kind: 'refused'; readonly why: string }

export type Receiver = AsyncDisposable & {
  readonly url: string
  /** A target's URL, whose requests are verified with the secret that `expect` is told. */
  readonly targetUrl: (name: string) => string
  readonly expect: (name: string, secret: string) => void
}

/** What a consumer of the webhooks does: verify the raw bytes, then parse, then drop what it knows by `event_id`. */
export async function startReceiver(onReceived: (received: Received) => void): Promise<Receiver> {
  const secrets = new Map<string, string>()
  const known = new Set<string>()

  const receive = (name: string, signature: string, body: Buffer): Received => {
    const secret = secrets.get(name)
    if (secret === undefined) return { kind: 'refused', why: `nobody subscribed for ${name}` }
    if (!isSigned(body, signature, secret)) return { kind: 'refused', why: 'the signature is wrong' }
    const parsed = webhookEvent.safeParse(JSON.parse(body.toString('utf8')))
    if (!parsed.success) return { kind: 'refused', why: `not an event as described: ${parsed.error.message}` }
    const isRepeat = known.has(parsed.data.event_id)
    known.add(parsed.data.event_id)
    return { kind: 'event', event: parsed.data, isRepeat }
  }

  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const received = receive(
      (request.url ?? '').slice(1),
      String(request.headers['x-radar-signature'] ?? ''),
      body,
    )
    response.writeHead(received.kind === 'event' ? 204 : 401).end()
    onReceived(received)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  return {
    url,
    targetUrl: (name) => `${url}/${name}`,
    expect: (name, secret) => void secrets.set(name, secret),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function isSigned(body: Buffer, signature: string, secret: string): boolean {
  const wanted = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
  const given = Buffer.from(signature)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
