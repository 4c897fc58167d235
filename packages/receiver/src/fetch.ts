import { type HandlerOptions, handle, readChunks } from './handle.ts'

/** A handler for runtimes with `Request` and `Response`: `Deno.serve`, `Bun.serve`, workers and edge functions. */
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

/** In some runtimes, `ReadableStream` is not iterable. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    // If the body is too large, do not download the rest.
    await reader.cancel().catch(() => {})
  }
}
