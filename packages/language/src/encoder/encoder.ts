import { InferenceSession, Tensor } from 'onnxruntime-node'
import { LAST_LAYER, readWithOutput } from './expose.ts'
import { loadPieces } from './pieces.ts'
import { tokenize } from './tokenize.ts'

/** Tokens per text, including the begin and end tokens. A longer text keeps two thirds from its start and one third from its end. */
const TOKENS_MAX = 192

export type Encoding = {
  /** The outputs of all heads, in the order of `model.json`. */
  readonly outputs: Float32Array
  /** The share of attention per part of the text, from 0 to 1. It shows which part holds the evidence. */
  readonly attention: readonly number[]
  /** The mean of the text's tokens in the last layer, weighted by attention: what the text says, as numbers. Zeros without a text. */
  readonly evidence: Float32Array
}

/** Encodes `prefix` (see `inputPrefix`) and the text, whose parts are given in their order. */
export type Encoder = (prefix: string, parts: readonly string[]) => Promise<Encoding>

/**
 * Loads the encoder from `folder` (50 MB, a few hundred milliseconds). It reads one text per call: activations are quantised per call, so
 * in a batch a result would depend on the other texts. Rejects when onnxruntime has no build for the platform.
 */
export async function loadEncoder(folder: URL): Promise<Encoder> {
  const pieces = loadPieces(new URL('pieces.tsv', folder))
  const session = await InferenceSession.create(readWithOutput(new URL('encoder.onnx', folder), LAST_LAYER), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    enableCpuMemArena: false,
  })
  return async (prefix, parts) => {
    const prefixTokens = tokenize(prefix, pieces).map((piece) => ({ piece, part: -1 }))
    const textTokens = parts.flatMap((text, part) =>
      tokenize(text, pieces, part === 0).map((piece) => ({ piece, part })),
    )
    const tokens = shorten([...prefixTokens, ...textTokens], TOKENS_MAX - 2)
    const ids = [pieces.begin, ...tokens.map(({ piece }) => piece), pieces.end]
    const result = await session.run({ ids: new Tensor('int32', Int32Array.from(ids), [1, ids.length]) })
    const outputs = floatsOf(result.outputs)
    const perToken = floatsOf(result.attention)
    const attention = parts.map(() => 0)
    for (const [at, { part }] of tokens.entries())
      if (part >= 0) attention[part] = (attention[part] ?? 0) + (perToken[at + 1] ?? 0)
    const evidence = evidenceOf(tokens, perToken, floatsOf(result[LAST_LAYER]))
    return { outputs, attention, evidence }
  }
}

function evidenceOf(
  tokens: readonly { readonly part: number }[],
  attention: Float32Array,
  layer: Float32Array,
): Float32Array {
  const width = layer.length / attention.length
  const mean = new Float32Array(width)
  let total = 0
  for (const [at, { part }] of tokens.entries()) {
    if (part < 0) continue
    const weight = attention[at + 1] ?? 0
    total += weight
    for (let column = 0; column < width; column++)
      mean[column] = (mean[column] ?? 0) + weight * (layer[(at + 1) * width + column] ?? 0)
  }
  return total === 0 ? mean : mean.map((value) => value / total)
}

function floatsOf(tensor: Tensor | undefined): Float32Array {
  if (!(tensor?.data instanceof Float32Array)) throw new Error('the encoder output is not a float32 tensor')
  return tensor.data
}

function shorten<T>(tokens: readonly T[], max: number): readonly T[] {
  if (tokens.length <= max) return tokens
  const head = Math.floor((max * 2) / 3)
  return [...tokens.slice(0, head), ...tokens.slice(tokens.length - (max - head))]
}
