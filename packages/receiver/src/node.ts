import { type HandlerOptions, handle, readChunks } from './handle.ts'
import type { RawBody } from './verify.ts'

/** What is used of Node's `IncomingMessage`. */
export type NodeRequest = AsyncIterable<Uint8Array> & {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  iterator?(options: { destroyOnReturn: boolean }): AsyncIterable<Uint8Array>
}

/** What is used of Node's `ServerResponse`. */
export type NodeResponse = {
  writeHead(status: number, headers: Record<string, string>): unknown
  end(body: string): unknown
}

/**
 * `createServer(nodeHandler({ … }))`. Takes the bytes from `request.rawBody` or `request.body` when a framework read
 * them before; otherwise it reads them itself.
 */
export function nodeHandler(
  options: HandlerOptions,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (request, response) => {
    const { method, headers } = request
    const answer = await handle({ method, headers, read: () => bodyOf(request) }, options)
    response.writeHead(answer.status, { ...answer.headers })
    response.end(answer.body)
  }
}

function bodyOf(request: NodeRequest & { body?: unknown; rawBody?: unknown }): RawBody | Promise<RawBody> {
  // What is no bytes is refused with `body_not_raw`, which says what to do.
  const given = request.rawBody ?? request.body
  if (given !== undefined) return given as RawBody
  // Ending the loop early would close the connection before the answer.
  return readChunks(request.iterator?.({ destroyOnReturn: false }) ?? request)
}
