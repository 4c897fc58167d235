import { lookup as systemLookup } from 'node:dns/promises'
import { Agent, Client, type Dispatcher, Pool } from 'undici'
import { createDial, type Dial, type Lookup, type Wire } from './connect.ts'
import type { Egress, EgressAnswer, EgressFailure } from './egress.ts'
import { Exchange, type Send } from './exchange.ts'
import type { AddressGuard } from './guard.ts'

export type EgressOptions = {
  /** Checks every address before it is dialled; null where URLs come from the operator (stores, model server). */
  readonly guard: AddressGuard | null
  /** Sent unless a request has its own. */
  readonly userAgent: string
  /** Limit for resolving, connecting and TLS together; 5 s by default. The deadline of the request applies too. */
  readonly connectTimeoutMs?: number
  /** Certificate authorities in PEM instead of the well-known ones: for tests. */
  readonly ca?: string | readonly string[]
  /** Instead of the system's resolver: for tests. */
  readonly lookup?: Lookup
}

/** Chosen: a receiver that needs longer to accept a connection is down, and the deadline must leave time for its work. */
const CONNECT_TIMEOUT_MS = 5_000
/** Bytes of response headers; the default of Node's own parser. */
const HEADER_BYTES_MAX = 16_384
/** Shorter than the 5 s of Node's servers, the shortest common default, so that mostly this side closes first. */
const KEEP_ALIVE_MS = 4_000
/** A server may request a longer time by `Keep-Alive: timeout=`; bounded, because idle connections are open files. */
const KEEP_ALIVE_MS_MAX = 30_000

/**
 * Opens the egress: kept-alive HTTP/1.1 connections, one request at a time on each, shared by all callers. The environment
 * can neither set a proxy nor turn the verification of certificates off. Closing it ends open requests with
 * `interrupted`.
 */
export function openEgress(options: EgressOptions): Egress {
  const dial = createDial({
    guard: options.guard,
    lookup: options.lookup ?? ((hostname) => systemLookup(hostname, { all: true })),
    connectTimeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    ca: options.ca,
  })
  const kept = openAgent(dial, 1)
  // Without pipelining undici closes a connection after its answer, so that each request here gets a new one.
  const fresh = openAgent(dial, 0)
  const interrupts = new WeakMap<AbortSignal, Set<Exchange>>()

  const send: Send = (exchange, useFresh) => {
    const { method, body, headers, gunzip } = exchange.request
    const { origin, pathname, search } = exchange.url
    const agent = useFresh ? fresh : kept
    agent.dispatch(
      {
        origin,
        path: pathname + search,
        method,
        headers: headerList(headers, options.userAgent, gunzip === true),
        body: body ?? null,
      },
      exchange,
    )
  }

  return {
    request: (request) => {
      const { signal } = request
      const url = URL.parse(request.url)
      if (!url) return unsent('invalid_request', 'The URL cannot be requested: it is not an absolute URL.')
      const wrong = wrongWith(url)
      if (wrong) return unsent('invalid_request', `The URL cannot be requested: ${wrong}.`)
      if (signal?.aborted) return interrupted()
      const waiting = signal ? waitersOf(signal, interrupts) : null
      return new Promise((resolve) => new Exchange(request, url, send, waiting, resolve).start())
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([kept.destroy(), fresh.destroy()])
    },
  }
}

const INTERRUPTED = 'The request was interrupted.'
const NO_TIMINGS = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 0 }

/** The answer to a request that was aborted before it was sent. */
export function interrupted(): Promise<EgressAnswer> {
  return unsent('interrupted', INTERRUPTED)
}

async function unsent(reason: EgressFailure, detail: string): Promise<EgressAnswer> {
  return { kind: 'failed', reason, detail, remoteAddress: null, timings: NO_TIMINGS, status: null }
}

function openAgent(dial: Dial, pipelining: 0 | 1): Agent {
  return new Agent({
    pipelining,
    allowH2: false,
    maxHeaderSize: HEADER_BYTES_MAX,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS_MAX,
    // The deadline of the exchange is the only limit: undici's are idle times, which a slow drip never reaches.
    headersTimeout: 0,
    bodyTimeout: 0,
    factory: (origin, settings) =>
      new Pool(origin, { ...settings, factory: (url, each) => new Connection(url, each, dial) }),
  })
}

/** A kept-alive connection that each exchange gets a reference to. */
class Connection extends Client {
  private readonly wire: Wire

  constructor(url: URL, options: Client.Options, dial: Dial) {
    const wire: Wire = {
      opened: 0,
      phases: { dnsMs: null, connectMs: null, tlsMs: null, remoteAddress: null },
      cancel: null,
    }
    super(url, { ...options, connect: (target, callback) => dial(target, wire, callback) })
    this.wire = wire
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (handler instanceof Exchange) {
      handler.wire = this.wire
      handler.openedBefore = this.wire.opened
    }
    return super.dispatch(options, handler)
  }
}

/**
 * The exchanges of a signal. One listener for all of them: hundreds of requests share the signal of a shutdown, and an
 * event target searches its listeners linearly.
 */
function waitersOf(signal: AbortSignal, known: WeakMap<AbortSignal, Set<Exchange>>): Set<Exchange> {
  const existing = known.get(signal)
  if (existing) return existing
  const waiting = new Set<Exchange>()
  known.set(signal, waiting)
  signal.addEventListener('abort', () => {
    for (const exchange of [...waiting]) exchange.abort('interrupted', INTERRUPTED)
  })
  return waiting
}

function wrongWith(url: URL): string | null {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return `${url.protocol} is not http: or https:`
  if (url.username !== '' || url.password !== '') return 'it contains a user name or password'
  return url.port === '0' ? 'its port is 0' : null
}

function headerList(headers: Readonly<Record<string, string>>, userAgent: string, gzip: boolean): string[] {
  const list = ['accept-encoding', gzip ? 'gzip' : 'identity']
  let named = false
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined) continue
    if (name === 'user-agent') named = true
    list.push(name, value)
  }
  if (!named) list.push('user-agent', userAgent)
  return list
}
