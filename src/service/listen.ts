import { networkInterfaces } from 'node:os'
import type { FastifyInstance } from 'fastify'
import { StartupError } from './startup-error.ts'

const PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE:
    'is in use by another process. Stop that process, or set RADAR_PORT to a free port (0 selects one)',
  EACCES: 'requires a privileged user. Set RADAR_PORT to 1024 or above',
  EADDRNOTAVAIL:
    'is not an address of this machine. Set RADAR_HOST to an address of this machine, or 0.0.0.0 for all',
  EAFNOSUPPORT: 'needs IPv6, which this machine does not have. Set RADAR_HOST to 0.0.0.0, for all of IPv4',
  ENOTFOUND: 'has an unknown host name. Set RADAR_HOST to an address of this machine, or 0.0.0.0 for all',
}

/** Starts to listen. Returns the URL of the server on this machine. Throws `StartupError`. */
export async function listen(server: FastifyInstance, host: string, port: number): Promise<string> {
  try {
    await server.listen({ host, port })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const problem = PROBLEMS[code]
    if (problem === undefined) throw error
    throw new StartupError(`The address ${inUrl(host)}:${port} ${problem}.`, { cause: error })
  }
  const address = server.server.address()
  return `http://${reachableHost(host)}:${typeof address === 'object' && address !== null ? address.port : port}`
}

/** The host of a URL that reaches a listening address from this machine. */
export function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return hasIPv6Loopback() ? '[::1]' : '127.0.0.1'
  return inUrl(host)
}

function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

function hasIPv6Loopback(): boolean {
  return Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'))
}
