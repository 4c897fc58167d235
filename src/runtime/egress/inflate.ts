import { constants, createGunzip } from 'node:zlib'

/**
 * Inflates a gzip body. Stops after `bytesMax` bytes and returns `truncated`, which bounds the cost of a zip bomb. For
 * a truncated body (`partial`) it returns the readable part. Null when the bytes are not gzip, or are incomplete
 * without `partial`.
 */
export function gunzip(
  body: Buffer,
  partial: boolean,
  bytesMax: number,
): Promise<{ readonly body: Buffer; readonly truncated: boolean } | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const stream = createGunzip({ finishFlush: partial ? constants.Z_SYNC_FLUSH : constants.Z_FINISH })
    stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes <= bytesMax) return
      resolve({ body: Buffer.concat(chunks, bytesMax), truncated: true })
      stream.destroy()
    })
    stream.on('end', () => resolve({ body: Buffer.concat(chunks, bytes), truncated: partial }))
    stream.on('error', () => resolve(null))
    stream.end(body)
  })
}
