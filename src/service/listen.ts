import { networkInterfaces } from 'node:os'
import type { FastifyInstance } from 'fastify'
import { StartupError } from './startup-error.ts'

const REFUSALS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken by another process. Stop that one, or set RADAR_PORT to a free port (0 finds one)',
  EACCES: 'may not be used by this user. Set RADAR_PORT to 1024 or above',
  EADDRNOTAVAIL: 'is not an address of this machine. Set RADAR_HOST to one that is, 0.0.0.0 for all',
  ENOTFOUND: 'is a name that nobody knows. Set RADAR_HOST to an address of this machine, 0.0.0.0 for all',
}

/** Starts to listen. Returns the URL of the server on this machine. Throws `StartupError`. */
export async function listen(server: FastifyInstance, host: string, port: number): Promise<string> {
  try {
    await server.listen({ host, port })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const refusal = REFUSALS[code]
    if (refusal === undefined) throw error
    throw new StartupError(`The address ${host}:${port} ${refusal}.`, { cause: error })
  }
  const address = server.server.address()
  return `http://${reachableHost(host)}:${typeof address === 'object' && address !== null ? address.port : port}`
}

/** The address to call on this machine for a listening address, in its form for URLs. */
export function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return hasIPv6Loopback() ? '[::1]' : '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

function hasIPv6Loopback(): boolean {
  return Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'))
}
