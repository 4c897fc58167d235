import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

const compress = promisify(gzip)
/** Smaller answers fit into a packet anyway. */
const BYTES_MIN = 1_024
/** Chosen: a list of reviews takes half a millisecond and a sixth of its size; higher levels gain little. */
const LEVEL = 4

/**
 * Compresses texts that answer a GET, for callers that take gzip. Streams and files are not touched, and neither are the
 * answers with a secret, which none to a GET has: the size of a compressed text says something about its content.
 */
export function compressAnswers(server: FastifyInstance): void {
  server.addHook('onSend', async (request, reply, payload) => {
    if (request.method !== 'GET' || typeof payload !== 'string' || payload.length < BYTES_MIN) return payload
    if (reply.hasHeader('content-encoding')) return payload
    reply.header('vary', 'accept-encoding')
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return payload
    reply.header('content-encoding', 'gzip')
    reply.removeHeader('content-length')
    return compress(payload, { level: LEVEL })
  })
}
