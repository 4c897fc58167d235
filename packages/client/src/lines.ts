import { RadarError } from './radar-error.ts'

/** The values of JSON Lines, as they come. Rejects when the stream breaks off, so a part is not taken for the whole. */
export async function* jsonLines<Row>(
  stream: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<Row> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  const read = () =>
    reader.read().catch((cause: unknown) => {
      signal?.throwIfAborted()
      throw new RadarError('unreachable', 'The export broke off: what came of it is a part.', { cause })
    })
  let text = ''
  try {
    for (let next = await read(); !next.done; next = await read()) {
      text += decoder.decode(next.value, { stream: true })
      const lines = text.split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) yield JSON.parse(line) as Row
    }
  } finally {
    // A caller that ends early wants no more.
    await reader.cancel().catch(() => {})
  }
}
