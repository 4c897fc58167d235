import { isIP, type Socket } from 'node:net'
import { ConnectError } from './failure.ts'
import { createGuard } from './guard.ts'

// Importing `node:http` reads all its exports, one of which loads Node's own undici: 11 MiB of resident memory.
const { request } = process.getBuiltinModule('node:http')

/**
 * How long an address of several, of a target or of a proxy, may take to accept a connection. Node gives up each but the last after 250 ms:
 * a far receiver with an IPv6 address, on a machine without a route for IPv6, was never reached.
 */
export const ADDRESS_MS_MAX = 1_000

/** The types of requests lack this option, which they pass on to the socket. */
const OF_SOCKET = { autoSelectFamilyAttemptTimeout: ADDRESS_MS_MAX }

/** A connection to `host`, one of the hosts asked for. */
export type Tunnel = { readonly socket: Socket; readonly host: string }

const isPublic = createGuard({ allowCidrs: [] })

/** Whether the proxy is used for an address: only public ones are beyond it. */
export function isBeyondProxy(address: string): boolean {
  return isPublic(address) === 'allowed'
}

/**
 * Asks an HTTP proxy (`CONNECT`) for a connection to the first of `hosts` that it reaches, addresses or one name. `done`
 * gets it, or why there is none. Returns a function that cancels it; then `done` is not called.
 */
export function openTunnel(
  proxy: string,
  hosts: readonly string[],
  port: number,
  done: (result: Tunnel | ConnectError) => void,
): () => void {
  const { hostname, port: proxyPort, username, password } = new URL(proxy)
  const [host = '', ...others] = hosts
  const path = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
  let isCancelled = false
  let cancel = () => {
    isCancelled = true
    opening.destroy()
  }
  const failed = (why: string, cause?: unknown) => {
    // Destroying the request reports an error too.
    if (isCancelled) return
    const error = new ConnectError('connect_failed', `The proxy of RADAR_OUTBOUND_PROXY ${why}.`, cause)
    if (others.length === 0) done(error)
    else cancel = openTunnel(proxy, others, port, done)
  }
  const opening = request({
    method: 'CONNECT',
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(proxyPort) || 80,
    path,
    headers: { host: path, ...(username === '' ? {} : { 'proxy-authorization': authorization }) },
    agent: false,
    ...OF_SOCKET,
  })
  opening.once('connect', ({ statusCode = 0 }, socket, head) => {
    if (statusCode < 200 || statusCode > 299) {
      socket.destroy()
      failed(`refused the connection (HTTP ${statusCode})`)
      return
    }
    if (head.length > 0) socket.unshift(head)
    done({ socket: socket as Socket, host })
  })
  opening.once('response', (response) => {
    response.destroy()
    failed(`answered with HTTP ${response.statusCode} instead of a connection`)
  })
  opening.once('error', (error: NodeJS.ErrnoException) =>
    failed(`did not answer (${error.code ?? error.message})`, error),
  )
  opening.end()
  return () => cancel()
}
