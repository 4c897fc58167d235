import { type HandlerOptions, handle, readChunks } from './handle.ts'

/**
 * A handler for everything that speaks `Request` and `Response`: `Deno.serve`, `Bun.serve`, workers and edge functions.
 */
export function fetchHandler(options: HandlerOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const read = () => (request.body === null ? new Uint8Array() : readChunks(chunksOf(request.body)))
    const { status, headers, body } = await handle(
      { method: request.method, headers: request.headers, read },
      options,
    )
    return new Response(body === '' ? null : body, { status, headers })
  }
}

/** Not every runtime iterates over a `ReadableStream`. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    // After a body that is too large, its rest is not wanted.
    await reader.cancel().catch(() => {})
  }
}
