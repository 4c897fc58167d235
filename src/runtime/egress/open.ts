import { lookup as systemLookup } from 'node:dns/promises'
import type * as undici from 'undici'
import { createDial, type Dial, HEADER_BYTES_MAX, type Lookup, type Wire } from './connect.ts'
import type { Egress, EgressAnswer, EgressFailure } from './egress.ts'
import { Exchange, type Send } from './exchange.ts'
import type { AddressGuard } from './guard.ts'
import { Agent, Client, Pool } from './undici.ts'

export type EgressOptions = {
  /** Checks every address before a connection; null for URLs of the operator (stores, model server). */
  readonly guard: AddressGuard | null
  /** Sent unless a request has its own. */
  readonly userAgent: string
  /** One timeout for name resolution, connecting and TLS, 5 s by default. The timeout of the request also applies. */
  readonly connectTimeoutMs?: number
  /** URL of an HTTP proxy (`CONNECT`) for public addresses. */
  readonly proxy?: string | null
  /** Names that the proxy may resolve, whose addresses are then not checked. */
  readonly proxyNames?: readonly string[]
  /** Replaces the well-known certificate authorities (PEM), for tests. */
  readonly ca?: string | readonly string[]
  /** Replaces the system's resolver, for tests. */
  readonly lookup?: Lookup
}

/** A receiver that takes longer to accept a connection is down, and the request needs the remaining time. */
const CONNECT_TIMEOUT_MS = 5_000
/** Shorter than the 5 s of Node's servers, the shortest common default, so that this side usually closes first. */
const KEEP_ALIVE_MS = 4_000
/** The limit for a server's `Keep-Alive: timeout=`, since idle connections use file descriptors. */
const KEEP_ALIVE_MS_MAX = 30_000

/**
 * Opens the egress: keep-alive HTTP/1.1 connections with one request at a time each, shared by all callers. The
 * variables of other programs can neither set a proxy nor disable certificate verification. Closing it ends open requests with
 * `interrupted`.
 */
export function openEgress(options: EgressOptions): Egress {
  const dial = createDial({
    guard: options.guard,
    lookup: options.lookup ?? ((hostname) => systemLookup(hostname, { all: true })),
    connectTimeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    ca: options.ca,
    proxy: options.proxy ?? null,
    proxyNames: options.proxyNames ?? [],
  })
  const keepAlive = openAgent(dial, 1)
  // Without pipelining, undici closes a connection after its answer, so each request gets a new one.
  const fresh = openAgent(dial, 0)
  const interrupts = new WeakMap<AbortSignal, Set<Exchange>>()

  const send: Send = (exchange, useFresh) => {
    const { method, body, headers, gunzip } = exchange.request
    const { origin, pathname, search } = exchange.url
    const agent = useFresh ? fresh : keepAlive
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
      const wrong = urlProblem(url)
      if (wrong) return unsent('invalid_request', `The URL cannot be requested: ${wrong}.`)
      if (signal?.aborted) return interrupted()
      const waiting = signal ? waitersOf(signal, interrupts) : null
      return new Promise((resolve) => new Exchange(request, url, send, waiting, resolve).start())
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([keepAlive.destroy(), fresh.destroy()])
    },
  }
}

const INTERRUPTED = 'The request was interrupted.'
const NO_TIMINGS = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 0 }

/** The answer for a request that was aborted before it was sent. */
export function interrupted(): Promise<EgressAnswer> {
  return unsent('interrupted', INTERRUPTED)
}

async function unsent(reason: EgressFailure, detail: string): Promise<EgressAnswer> {
  return { kind: 'failed', reason, detail, remoteAddress: null, timings: NO_TIMINGS, status: null }
}

function openAgent(dial: Dial, pipelining: 0 | 1): undici.Agent {
  return new Agent({
    pipelining,
    allowH2: false,
    maxHeaderSize: HEADER_BYTES_MAX,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS_MAX,
    // The timeout of the exchange is the only limit: undici's limits are idle times, which a slow answer never reaches.
    headersTimeout: 0,
    bodyTimeout: 0,
    factory: (origin, settings) =>
      new Pool(origin, { ...settings, factory: (url, each) => new Connection(url, each, dial) }),
  })
}

/** A keep-alive connection. Each exchange gets a reference to it. */
class Connection extends Client {
  private readonly wire: Wire

  constructor(url: URL, options: undici.Client.Options, dial: Dial) {
    const wire: Wire = {
      opened: 0,
      phases: { dnsMs: null, connectMs: null, tlsMs: null, remoteAddress: null },
      heads: null,
      cancel: null,
    }
    super(url, { ...options, connect: (target, callback) => dial(target, wire, callback) })
    this.wire = wire
  }

  override dispatch(
    options: undici.Dispatcher.DispatchOptions,
    handler: undici.Dispatcher.DispatchHandler,
  ): boolean {
    if (handler instanceof Exchange) {
      handler.wire = this.wire
      handler.openedBefore = this.wire.opened
    }
    return super.dispatch(options, handler)
  }
}

/**
 * The open exchanges of a signal, with one listener: hundreds of requests share the shutdown signal, and adding a
 * listener takes linear time.
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

function urlProblem(url: URL): string | null {
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
