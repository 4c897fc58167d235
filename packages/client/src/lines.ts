import { RadarError } from './radar-error.ts'

/** Parses JSON Lines incrementally. Rejects if the stream breaks, so that no partial export passes for a complete one. */
export async function* jsonLines<Row>(
  stream: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<Row> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  const read = () =>
    reader.read().catch((cause: unknown) => {
      signal?.throwIfAborted()
      throw new RadarError(
        'unreachable',
        'The connection closed before the end of the export. The rows so far are incomplete.',
        { cause },
      )
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
    // If the caller stops early, stop the download.
    await reader.cancel().catch(() => {})
  }
}
