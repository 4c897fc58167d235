import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * The address for which failed attempts are counted: the peer's, or the one that a trusted proxy forwards. If that is not an IP address,
 * the address of the proxy.
 */
export function addressOf(request: FastifyRequest): string {
  return isIP(request.ip) === 0 ? (request.socket.remoteAddress ?? '') : request.ip
}

/**
 * Writes the addresses of `X-Forwarded-For` as Fastify reads them: some proxies add ports. `Forwarded` (RFC 7239) counts where it is
 * absent. Both are believed only from trusted proxies, as Fastify decides later.
 */
export function readForwarded(server: FastifyInstance): void {
  server.addHook('onRequest', async ({ raw: { headers } }) => {
    const list = headers['x-forwarded-for']
    if (list !== undefined) {
      headers['x-forwarded-for'] = [list].flat().join(',').split(',').map(addressIn).join(', ')
    } else if (headers.forwarded !== undefined) {
      const hops = headers.forwarded.split(',').map(parametersOf)
      headers['x-forwarded-for'] = hops.map((hop) => addressIn(hop.get('for') ?? '')).join(', ')
      const protocol = hops.at(-1)?.get('proto')
      if (protocol !== undefined) headers['x-forwarded-proto'] ??= protocol
    }
  })
}

/** `for=192.0.2.1;proto=https`. A quoted text with a comma or semicolon is no address, so it may be cut. */
function parametersOf(hop: string): ReadonlyMap<string, string> {
  return new Map(
    hop.split(';').map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at).trim().toLowerCase(), unquoted(pair.slice(at + 1))]
    }),
  )
}

/** The address without port, brackets and zone; `unknown` for a text without one, which Fastify takes for an untrusted client. */
function addressIn(entry: string): string {
  const text = unquoted(entry)
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text
  const address = bare.split('%')[0] ?? ''
  return isIP(address) === 0 ? 'unknown' : address
}

function unquoted(text: string): string {
  return text.trim().replace(/^"|"$/g, '')
}
