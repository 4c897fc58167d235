import type { Readable } from 'node:stream'

/** Everything that these streams of a program have written so far. Null streams, which go elsewhere, write nothing. */
export function collected(...streams: readonly (Readable | null)[]): () => string {
  let all = ''
  for (const stream of streams)
    stream?.setEncoding('utf8').on('data', (text: string) => {
      all += text
    })
  return () => all
}
