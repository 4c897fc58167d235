import { createServer, type IncomingMessage } from 'node:http'
import { type WebhookEvent, webhookEvent } from '../../contract/webhook.ts'
import type { Clock } from '../../runtime/clock.ts'
import { reachableHost } from '../../service/listen.ts'
import { signatureFault } from './signature-fault.ts'

/** The service's payloads stay below 256 KiB. */
const BODY_BYTES_MAX = 1_048_576
/** How many event ids are remembered for detecting repeats, the newest ones. 100,000 use about 15 MB. */
const KNOWN_MAX = 100_000

/** One request and its verification. */
export type Received = {
  readonly at: Date
  /** The status of the response. */
  readonly status: number
  /** Also `unchecked` when an earlier check failed. */
  readonly signature: 'verified' | 'unchecked' | 'wrong'
  /** The body as JSON, including unknown fields; null when it is not JSON or was not read. */
  readonly payload: unknown
  /** An event with this id was received before. */
  readonly isRepeat: boolean
} & (
  | { readonly refusal: null; readonly event: WebhookEvent }
  /** A sentence, also sent in the response. The event is unverified. */
  | { readonly refusal: string; readonly event: WebhookEvent | null }
)

export type ReceiverOptions = {
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
  /**
   * The secret of the hook with a path such as `/hook-1`. Null: signatures are not checked; undefined: no such hook.
   */
  readonly secretOf: (path: string) => string | null | undefined
  /** The status of the response to an accepted event. */
  readonly status: number
  readonly clock: Clock
  readonly onReceived: (received: Received) => void
}

/** Its URL on this machine, e.g. `http://127.0.0.1:4040`. */
export type Receiver = AsyncDisposable & { readonly url: string }

/**
 * An example of a correct webhook consumer: verifies the raw bytes, then parses, then detects repeats by `event_id`.
 * Accepts POST at any path. Rejects like Node's `listen`.
 */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const receive = receiving(options)
  const server = createServer(async (request, response) => {
    const received = await receive(request)
    const { status, refusal } = received
    if (refusal === null) response.writeHead(status).end()
    else {
      const allow = status === 405 ? { allow: 'POST' } : {}
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...allow })
      response.end(`${refusal}\n`)
    }
    options.onReceived(received)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : options.port
  return {
    url: `http://${reachableHost(options.host)}:${port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function receiving(options: ReceiverOptions): (request: IncomingMessage) => Promise<Received> {
  const known = new Set<string>()
  const isRepeat = (eventId: string) => {
    if (known.has(eventId)) return true
    const [oldest] = known
    if (known.size >= KNOWN_MAX && oldest !== undefined) known.delete(oldest)
    known.add(eventId)
    return false
  }

  return async (request) => {
    const at = options.clock.now()
    const nothing = { at, signature: 'unchecked', payload: null, event: null, isRepeat: false } as const
    if (request.method !== 'POST') {
      return { ...nothing, status: 405, refusal: `Only POST is accepted, not ${request.method}.` }
    }
    const body = await bodyOf(request)
    if (body === 'too large') {
      return { ...nothing, status: 413, refusal: `The body has more than ${BODY_BYTES_MAX} bytes.` }
    }
    if (body === 'cut off') {
      return { ...nothing, status: 400, refusal: 'The connection closed before the end of the body.' }
    }
    const { payload, event, fault } = eventIn(body)
    const seen = { ...nothing, payload, event }
    const secret = options.secretOf(URL.parse(request.url ?? '', 'http://receiver')?.pathname ?? '')
    if (secret === undefined) {
      return { ...seen, status: 404, refusal: 'No hook of this receiver has this path.' }
    }
    const wrong = secret === null ? null : signatureFault({ headers: request.headers, body }, secret)
    if (wrong !== null) return { ...seen, status: 401, signature: 'wrong', refusal: wrong }
    const signature = secret === null ? 'unchecked' : 'verified'
    if (event === null) return { ...seen, status: 400, signature, refusal: fault }
    const { status } = options
    return { ...seen, event, status, signature, refusal: null, isRepeat: isRepeat(event.event_id) }
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | 'too large' | 'cut off'> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    // The request is not destroyed: Node responds first, then discards the rest of the body.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length
      if (bytes > BODY_BYTES_MAX) return 'too large'
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } catch {
    return 'cut off'
  }
}

type Parsed = { readonly payload: unknown; readonly event: WebhookEvent | null; readonly fault: string }

function eventIn(body: Buffer): Parsed {
  let payload: unknown
  try {
    payload = JSON.parse(body.toString('utf8'))
  } catch {
    return { payload: null, event: null, fault: 'The body is not JSON.' }
  }
  const { success, data, error } = webhookEvent.safeParse(payload)
  if (success) return { payload, event: data, fault: '' }
  const [issue] = error.issues
  const where = issue === undefined || issue.path.length === 0 ? 'The body' : issue.path.join('.')
  return {
    payload,
    event: null,
    fault: `The body is not an event: ${where}: ${issue?.message ?? 'unknown'}.`,
  }
}
