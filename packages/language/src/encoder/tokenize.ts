import type { Pieces } from './pieces.ts'

/** SentencePiece's character for a space, which marks the start of a word in a piece. */
const SPACE = '▁'

/**
 * The most probable pieces of `text` (unigram model, Viterbi), without the begin and end tokens. Work grows with the length of the
 * text times the length of the longest piece, whatever the characters are. A text that does not begin a word (`isStart` false: the
 * second sentence in Japanese) gets no leading space.
 */
export function tokenize(
  text: string,
  { trie, scores, unknown, unknownScore }: Pieces,
  isStart = true,
): number[] {
  const spelled = spell(isStart ? ` ${text}` : text)
  const length = spelled.length
  // By UTF-16 unit. No piece ends inside a surrogate pair, so those positions are never reached.
  const bestScore = new Float64Array(length + 1).fill(Number.NEGATIVE_INFINITY)
  const bestPiece = new Int32Array(length + 1)
  const bestStart = new Int32Array(length + 1)
  bestScore[0] = 0
  for (let start = 0; start < length; start++) {
    const score = bestScore[start] ?? 0
    if (score === Number.NEGATIVE_INFINITY) continue
    let node = 0
    for (let at = start; at < length; at++) {
      node = trie.next(node, spelled.charCodeAt(at))
      if (node === -1) break
      const piece = trie.wordAt[node] ?? -1
      const reached = piece === -1 ? Number.NEGATIVE_INFINITY : score + (scores[piece] ?? 0)
      if (reached <= (bestScore[at + 1] ?? 0)) continue
      bestScore[at + 1] = reached
      bestPiece[at + 1] = piece
      bestStart[at + 1] = start
    }
    const next = start + ((spelled.codePointAt(start) ?? 0) > 0xffff ? 2 : 1)
    if (score + unknownScore <= (bestScore[next] ?? 0)) continue
    bestScore[next] = score + unknownScore
    bestPiece[next] = unknown
    bestStart[next] = start
  }
  const tokens: number[] = []
  for (let end = length; end > 0; end = bestStart[end] ?? 0) tokens.push(bestPiece[end] ?? 0)
  return tokens.reverse()
}

/** NFKC; every run of white space and control characters becomes one SentencePiece space. */
function spell(text: string): string {
  return text.normalize('NFKC').replace(/[\s\p{Cc}]+/gu, SPACE)
}
