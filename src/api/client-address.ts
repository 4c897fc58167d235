import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/** The address for which failed attempts are counted: the peer's, or the one that a trusted proxy forwards. If that is not an IP address, the address of the proxy. */
export function addressOf(request: FastifyRequest): string {
  return isIP(request.ip) === 0 ? (request.socket.remoteAddress ?? '') : request.ip
}

const IPV4_NETWORK_BITS = 24
/** The network that a provider assigns to one customer. */
const IPV6_NETWORK_BITS = 56

/** The network of an IP address, so that all addresses of one attacker share a count. Returns other text unchanged. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  const bits = parsed.kind() === 'ipv4' ? IPV4_NETWORK_BITS : IPV6_NETWORK_BITS
  const network = parsed.toByteArray().map((byte, index) => byte & maskOf(bits - index * 8))
  return `${ipaddr.fromByteArray(network)}/${bits}`
}

/** The mask of a byte whose first `bits` belong to the network. */
function maskOf(bits: number): number {
  return 0xff & ~(0xff >> Math.min(8, Math.max(0, bits)))
}
