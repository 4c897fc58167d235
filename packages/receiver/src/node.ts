import { type HandlerOptions, handle, readChunks } from './handle.ts'
import type { RawBody } from './verify.ts'

/** The subset of Node's `IncomingMessage` used here. */
export type NodeRequest = AsyncIterable<Uint8Array> & {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  iterator?(options: { destroyOnReturn: boolean }): AsyncIterable<Uint8Array>
}

/** The subset of Node's `ServerResponse` used here. */
export type NodeResponse = {
  writeHead(status: number, headers: Record<string, string>): unknown
  end(body: string): unknown
}

/**
 * `createServer(nodeHandler({ … }))`. Uses `request.rawBody` or `request.body` if a framework has read the body, else
 * reads it.
 */
export function nodeHandler(
  options: HandlerOptions,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (request, response) => {
    const { method, headers } = request
    const result = await handle({ method, headers, read: () => bodyOf(request) }, options)
    response.writeHead(result.status, { ...result.headers })
    response.end(result.body)
  }
}

function bodyOf(request: NodeRequest & { body?: unknown; rawBody?: unknown }): RawBody | Promise<RawBody> {
  // `verify` rejects other types with `body_not_raw`.
  const parsedOrRaw = request.rawBody ?? request.body
  if (parsedOrRaw !== undefined) return parsedOrRaw as RawBody
  // By default, leaving the loop early would close the connection before the response.
  return readChunks(request.iterator?.({ destroyOnReturn: false }) ?? request)
}
