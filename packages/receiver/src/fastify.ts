import { BODY_BYTES_MAX, type HandlerOptions, handle } from './handle.ts'
import type { RawBody } from './verify.ts'

type FastifyRequest = {
  readonly method: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: unknown
}

type FastifyReply = {
  code(status: number): FastifyReply
  headers(values: Record<string, string>): FastifyReply
  send(body: string): unknown
}

/** The subset of `FastifyInstance` used here. */
export type FastifyScope = {
  removeAllContentTypeParsers(): unknown
  addContentTypeParser(
    contentType: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parser: (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void,
  ): unknown
  post(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => unknown): unknown
}

/**
 * `app.register(radarWebhook({ path: '/radar', … }))`. Only this route gets its raw body. Other routes keep their
 * parsers, because `register` creates a new scope.
 */
export function radarWebhook({
  path,
  ...options
}: HandlerOptions & { readonly path: string }): (scope: FastifyScope) => Promise<void> {
  return async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX },
      (_request, body, done) => done(null, body),
    )
    scope.post(path, async ({ method, headers, body: parsed }, reply) => {
      const read = () => (parsed ?? new Uint8Array()) as RawBody
      const { status, headers: responseHeaders, body } = await handle({ method, headers, read }, options)
      return reply
        .code(status)
        .headers({ ...responseHeaders })
        .send(body)
    })
  }
}
