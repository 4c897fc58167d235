import { closeSync, openSync, readSync, statSync } from 'node:fs'

/** The output of the last layer in `encoder.onnx` (train/graph.py): one row for each token. */
export const LAST_LAYER = 'Add258_0'

const LENGTH_DELIMITED = 2
/** `ModelProto.graph`, `GraphProto.output` and `ValueInfoProto.name` in the ONNX format. */
const FIELD = { graph: 7, output: 12, name: 1 } as const

/**
 * The bytes of a model with one more output, a tensor that it computes anyway. Protocol buffers merge messages that follow each other, so
 * a few bytes at the end do it, and the file of 46 MB stays as it is. It is read once, without a copy.
 */
export function readWithOutput(file: URL, name: string): Uint8Array {
  const more = field(FIELD.graph, field(FIELD.output, field(FIELD.name, Buffer.from(name))))
  const { size } = statSync(file)
  const bytes = new Uint8Array(size + more.length)
  const opened = openSync(file, 'r')
  try {
    let at = 0
    while (at < size) {
      const read = readSync(opened, bytes, at, size - at, at)
      if (read === 0) throw new Error(`${file.pathname} ended at ${at} of ${size} bytes`)
      at += read
    }
  } finally {
    closeSync(opened)
  }
  bytes.set(more, size)
  return bytes
}

/** One field. Its number and length must be below 128: then each is one byte. */
function field(number: number, content: Uint8Array): Uint8Array {
  if (content.length > 127) throw new Error('the content of the field is too long')
  return Buffer.concat([Buffer.from([(number << 3) | LENGTH_DELIMITED, content.length]), content])
}
