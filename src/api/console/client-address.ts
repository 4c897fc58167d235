import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * The address that an attempt counts against: the peer's, or the one that a trusted proxy names. When that is not an IP
 * address, the proxy's own counts.
 */
export function addressOf(request: FastifyRequest): string {
  return isIP(request.ip) === 0 ? (request.socket.remoteAddress ?? '') : request.ip
}
