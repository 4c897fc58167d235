import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction, connect as openTcp, type Socket } from 'node:net'
import { createSecureContext, connect as openTls, type SecureContext } from 'node:tls'
import type { buildConnector } from 'undici'
import { AnswerHeads } from './answer-heads.ts'
import { ConnectError, connectFailure, dnsFailure } from './failure.ts'
import type { AddressGuard } from './guard.ts'
import { ADDRESS_MS_MAX, isBeyondProxy, openTunnel } from './tunnel.ts'

/** Resolves a name to all its addresses, in the order to try. Rejects like `dns.lookup`. */
export type Lookup = (hostname: string) => Promise<readonly LookupAddress[]>

/** The durations of the last connection attempt; null until a phase has ended. */
export type Phases = {
  dnsMs: number | null
  connectMs: number | null
  tlsMs: number | null
  remoteAddress: string | null
}

/** The state of one keep-alive connection, for its requests. Only `createDial` writes it. */
export type Wire = {
  /** How often it was opened. A request that sees no change reused the connection. */
  opened: number
  phases: Phases
  /** Of the open connection; null before the first. */
  heads: AnswerHeads | null
  /** Cancels the connection attempt in progress; null without one. */
  cancel: (() => void) | null
}

export type Dial = (target: buildConnector.Options, wire: Wire, callback: buildConnector.Callback) => void

/** Bytes of response headers; the default of Node's own parser. */
export const HEADER_BYTES_MAX = 16_384
/** How long a name may take to resolve here before the proxy is asked for it, if it may be. */
const LOOKUP_MS_MAX = 1_000
/** Interval of TCP keep-alive probes, which detect a lost peer of an idle connection. */
const TCP_KEEPALIVE_MS = 60_000

/**
 * Creates the connector: resolves the name, checks every address with the guard, connects to those only, then TLS, all
 * within one timeout. Only the connector knows the address it connects to: a name may resolve differently each time,
 * and a literal address is not resolved. With a proxy, a public target is reached through it by its checked address; private addresses that
 * are allowed are connected directly.
 */
export function createDial(options: {
  readonly guard: AddressGuard | null
  readonly lookup: Lookup
  readonly connectTimeoutMs: number
  readonly ca: string | readonly string[] | undefined
  /** Of an HTTP proxy for public addresses; null connects to all directly. */
  readonly proxy: string | null
  /** Names that the proxy resolves when they do not resolve here; `*.` stands for any names below a domain. */
  readonly proxyNames: readonly string[]
}): Dial {
  let context: SecureContext | null = null
  const resolve = shared(options.lookup)

  return (target, wire, callback) => {
    const hostname = target.hostname
    const secure = target.protocol === 'https:'
    const phases: Phases = { dnsMs: null, connectMs: null, tlsMs: null, remoteAddress: null }
    let since = performance.now()
    let socket: Socket | null = null
    let cancelTunnel = () => {}
    let done = false

    const end = () => {
      clearTimeout(timer)
      wire.cancel = null
    }
    const fail = (error: ConnectError) => {
      if (done) return
      done = true
      end()
      cancelTunnel()
      socket?.destroy()
      callback(error, null)
    }
    const succeed = (opened: Socket) => {
      if (done) return
      done = true
      end()
      wire.opened++
      wire.heads = new AnswerHeads(opened, HEADER_BYTES_MAX)
      callback(null, opened)
    }
    const phaseMs = () => {
      const now = performance.now()
      const ms = now - since
      since = now
      return ms
    }
    const port = Number(target.port) || (secure ? 443 : 80)
    const open = (addresses: readonly LookupAddress[]) => {
      const lookup: LookupFunction = (_hostname, _options, answer) => answer(null, [...addresses])
      const address = {
        host: hostname,
        port,
        lookup,
        autoSelectFamily: true,
        autoSelectFamilyAttemptTimeout: ADDRESS_MS_MAX,
      }
      watch(secure ? openTls({ ...address, ...tls() }) : openTcp(address))
    }
    const openThroughProxy = (proxy: string, hosts: readonly string[]) => {
      cancelTunnel = openTunnel(proxy, hosts, port, (result) => {
        if (result instanceof ConnectError) return fail(result)
        const { socket: tunnel, host } = result
        phases.connectMs = phaseMs()
        phases.remoteAddress = isIP(host) === 0 ? null : host
        if (secure) return watch(openTls({ host: hostname, socket: tunnel, ...tls() }))
        watch(tunnel)
        succeed(tunnel)
      })
    }
    const tls = () => {
      context ??= createSecureContext({
        ca: options.ca ? [options.ca].flat() : undefined,
        minVersion: 'TLSv1.2',
      })
      return {
        secureContext: context,
        rejectUnauthorized: true,
        // Certificates have host names without the final dot of a fully qualified name, and SNI never has an address.
        servername: isIP(hostname) === 0 ? hostname.replace(/\.$/, '') : '',
        ALPNProtocols: ['http/1.1'],
      }
    }
    const watch = (opened: Socket) => {
      socket = opened
      opened.setNoDelay(true)
      opened.setKeepAlive(true, TCP_KEEPALIVE_MS)
      opened.once('connect', () => {
        phases.connectMs = phaseMs()
        phases.remoteAddress = opened.remoteAddress ?? null
        if (!secure) succeed(opened)
      })
      opened.once('secureConnect', () => {
        phases.tlsMs = phaseMs()
        succeed(opened)
      })
      opened.on('error', (error) => fail(connectFailure(error, secure && phases.connectMs !== null)))
    }

    wire.phases = phases
    wire.cancel = () => fail(new ConnectError('interrupted', 'The connection was no longer needed.'))
    const timer = setTimeout(
      () => fail(timedOut(hostname, phases, options.connectTimeoutMs)),
      options.connectTimeoutMs,
    )
    const { proxy } = options
    // Without a guard the proxy resolves the name, so that machines without public name servers reach the stores.
    if (proxy !== null && options.guard === null && isPublicName(hostname)) {
      openThroughProxy(proxy, [hostname])
      return
    }
    const proxyResolves = proxy !== null && isOneOf(hostname, options.proxyNames)
    const looking = addressesOf(hostname, resolve)
    ;(proxyResolves ? withinMs(looking, LOOKUP_MS_MAX) : looking)
      .then(
        ({ addresses, resolved }) => {
          if (done) return
          const ms = phaseMs()
          if (resolved) phases.dnsMs = ms
          if (addresses.length === 0) return fail(dnsFailure(hostname, { code: 'ENOTFOUND' }))
          if (options.guard && !allAllowed(addresses, options.guard)) return fail(blocked())
          const isOutside = addresses.every(({ address }) => isBeyondProxy(address))
          if (proxy !== null && isOutside)
            openThroughProxy(
              proxy,
              addresses.map(({ address }) => address),
            )
          else open(addresses)
        },
        (error) => {
          if (done) return
          if (proxyResolves) openThroughProxy(proxy, [hostname])
          else fail(dnsFailure(hostname, error))
        },
      )
      // No target may crash the process, whatever Node throws.
      .catch((error) => fail(connectFailure(error, false)))
  }
}

function isPublicName(hostname: string): boolean {
  return isIP(hostname) === 0 && !/(^|\.)localhost\.?$/.test(hostname)
}

function isOneOf(hostname: string, names: readonly string[]): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  return names.some((each) => (each.startsWith('*.') ? name.endsWith(each.slice(1)) : name === each))
}

/** Rejects after this time. */
async function withinMs<T>(promise: Promise<T>, ms: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

async function addressesOf(hostname: string, resolve: Lookup) {
  const family = isIP(hostname)
  if (family !== 0) return { addresses: [{ address: hostname, family }], resolved: false }
  return { addresses: await resolve(hostname), resolved: true }
}

/** One blocked address blocks all, since a race decides which one is connected. */
function allAllowed(addresses: readonly LookupAddress[], guard: AddressGuard): boolean {
  return addresses.every(({ address }) => guard(address) === 'allowed')
}

/** The same text for every address, so that it reveals nothing about the internal network. */
function blocked(): ConnectError {
  return new ConnectError(
    'blocked_address',
    'The target has a private or otherwise special address; the operator can allow it with RADAR_ALLOW_TARGET_CIDRS.',
  )
}

function timedOut(hostname: string, phases: Phases, ms: number): ConnectError {
  const missing =
    phases.connectMs !== null
      ? 'the TLS handshake was not finished'
      : phases.dnsMs === null && isIP(hostname) === 0
        ? `the name ${hostname} was not resolved`
        : 'the target did not accept the connection'
  return new ConnectError('timeout_connect', `After ${ms} ms ${missing}.`)
}

/**
 * Concurrent lookups of one name share one answer. The system's resolver has few threads, so many lookups of a name
 * with slow name servers would delay all others.
 */
function shared(lookup: Lookup): Lookup {
  const running = new Map<string, Promise<readonly LookupAddress[]>>()
  return (hostname) => {
    const known = running.get(hostname)
    if (known) return known
    const answer = lookup(hostname).finally(() => running.delete(hostname))
    running.set(hostname, answer)
    return answer
  }
}
