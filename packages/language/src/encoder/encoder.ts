import { InferenceSession, Tensor } from 'onnxruntime-node'
import { loadPieces } from './pieces.ts'
import { tokenize } from './tokenize.ts'

/** Tokens per text, start and end marks included. A longer text keeps two thirds from its start and one third from its end. */
const TOKENS_MAX = 192

/** The outputs of all heads for one text, in the order of `model.json`. */
export type Encoder = (text: string) => Promise<Float32Array>

/**
 * Loads the encoder from `folder` (50 MB, a few hundred milliseconds). It reads one text per call: activations are quantised per call, so
 * in a batch a result would depend on the other texts. Rejects when onnxruntime has no build for the platform.
 */
export async function loadEncoder(folder: URL): Promise<Encoder> {
  const pieces = loadPieces(new URL('pieces.tsv', folder))
  const session = await InferenceSession.create(new URL('encoder.onnx', folder).pathname, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    enableCpuMemArena: false,
  })
  return async (text) => {
    const tokens = [pieces.begin, ...shorten(tokenize(text, pieces), TOKENS_MAX - 2), pieces.end]
    const ids = new Tensor('int32', Int32Array.from(tokens), [1, tokens.length])
    const { outputs } = await session.run({ ids })
    if (!(outputs?.data instanceof Float32Array)) throw new Error('the encoder gave no outputs')
    return outputs.data
  }
}

function shorten(tokens: readonly number[], max: number): readonly number[] {
  if (tokens.length <= max) return tokens
  const head = Math.floor((max * 2) / 3)
  return [...tokens.slice(0, head), ...tokens.slice(tokens.length - (max - head))]
}
