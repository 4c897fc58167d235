import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

const compress = promisify(gzip)
/** Smaller responses fit into one packet. */
const BYTES_MIN = 1_024
/** A list of reviews shrinks to a sixth in half a millisecond; higher levels gain little. */
const LEVEL = 4

/**
 * Compresses text responses to GET requests for clients that accept gzip, but not streams and files. Responses with a secret are never
 * compressed, because the size of a compressed text reveals part of its content; no GET returns a secret.
 */
export function compressAnswers(server: FastifyInstance): void {
  server.addHook('onSend', async (request, reply, payload) => {
    if (request.method !== 'GET' || typeof payload !== 'string' || payload.length < BYTES_MIN) return payload
    if (reply.hasHeader('content-encoding')) return payload
    reply.header('vary', 'accept-encoding')
    if (!acceptsGzip(String(request.headers['accept-encoding'] ?? ''))) return payload
    reply.header('content-encoding', 'gzip')
    reply.removeHeader('content-length')
    return compress(payload, { level: LEVEL })
  })
}

/** RFC 9110, 12.5.3: a weight of 0 refuses a coding, and `*` stands for those that are not named. */
function acceptsGzip(header: string): boolean {
  const weights = new Map(
    header.split(',').map((each) => {
      const [coding = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
      return [coding, Number(weight)]
    }),
  )
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0
}
