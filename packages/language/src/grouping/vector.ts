import { readFileSync } from 'node:fs'

/** Numbers of a sentence vector, one byte each. */
export const VECTOR_BYTES = 384

/** Makes the stored vector of a text from the encoder's evidence: the mean of its words, weighted by attention. */
export type Whitener = (evidence: Float32Array) => Int8Array

/**
 * Reads `model/whitening.bin` (train/whitening.py). Directions in which all reviews differ, such as praise against blame, would decide
 * the likeness of two texts. So every direction is scaled down by the fourth root of its variance
 * (packages/language/docs/grouping.md, Vectors).
 */
export function loadWhitener(file: URL): Whitener {
  const bytes = readFileSync(file)
  const floats = VECTOR_BYTES * 4
  if (bytes.length !== 2 * floats + VECTOR_BYTES * VECTOR_BYTES)
    throw new Error(`${file.pathname} has ${bytes.length} bytes`)
  const numbersAt = (start: number) =>
    Float32Array.from({ length: VECTOR_BYTES }, (_, at) => bytes.readFloatLE(start + at * 4))
  const mean = numbersAt(0)
  const scales = numbersAt(floats)
  const weights = new Int8Array(bytes.buffer, bytes.byteOffset + 2 * floats, VECTOR_BYTES * VECTOR_BYTES)
  return (evidence) => {
    const made = new Float64Array(VECTOR_BYTES)
    let most = 0
    for (let row = 0; row < VECTOR_BYTES; row++) {
      let sum = 0
      for (let at = 0; at < VECTOR_BYTES; at++)
        sum += ((evidence[at] ?? 0) - (mean[at] ?? 0)) * (weights[row * VECTOR_BYTES + at] ?? 0)
      made[row] = sum * (scales[row] ?? 0)
      most = Math.max(most, Math.abs(made[row] ?? 0))
    }
    return Int8Array.from(made, (value) => Math.round((value * 127) / (most || 1)))
  }
}

/** The cosine of two vectors, from -1 to 1; 0 when one of them is empty. */
export function cosineOf(a: Int8Array, b: Int8Array): number {
  let [dot, squareA, squareB] = [0, 0, 0]
  for (let at = 0; at < a.length; at++) {
    const [x, y] = [a[at] ?? 0, b[at] ?? 0]
    dot += x * y
    squareA += x * x
    squareB += y * y
  }
  return squareA === 0 || squareB === 0 ? 0 : dot / Math.sqrt(squareA * squareB)
}
