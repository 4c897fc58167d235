import type { Pieces } from './pieces.ts'

/** What SentencePiece writes for a blank, so that pieces know where a word begins. */
const BLANK = '▁'

/**
 * The most probable pieces of `text` (unigram model, Viterbi), without the marks of begin and end. Work grows with the length of the
 * text times the length of the longest piece, whatever the characters are.
 */
export function tokenize(text: string, pieces: Pieces): number[] {
  const characters = [...spell(text)]
  const length = characters.length
  const bestScore = new Float64Array(length + 1).fill(Number.NEGATIVE_INFINITY)
  const bestPiece = new Int32Array(length + 1)
  const bestStart = new Int32Array(length + 1)
  bestScore[0] = 0
  const reach = (end: number, score: number, piece: number, start: number) => {
    if (score <= (bestScore[end] ?? 0)) return
    bestScore[end] = score
    bestPiece[end] = piece
    bestStart[end] = start
  }
  for (let start = 0; start < length; start++) {
    const score = bestScore[start] ?? 0
    const first = characters[start] ?? ''
    const longest = pieces.charsMaxFrom.get(first + (characters[start + 1] ?? '')) ?? 1
    let stretch = ''
    const last = Math.min(length, start + longest)
    for (let end = start + 1; end <= last; end++) {
      stretch += characters[end - 1]
      const piece = pieces.ids.get(stretch)
      if (piece !== undefined) reach(end, score + (pieces.scores[piece] ?? 0), piece, start)
    }
    reach(start + 1, score + pieces.unknownScore, pieces.unknown, start)
  }
  const tokens: number[] = []
  for (let end = length; end > 0; end = bestStart[end] ?? 0) tokens.push(bestPiece[end] ?? 0)
  return tokens.reverse()
}

/** NFKC, control characters and runs of blanks as one blank, a blank before the first word, blanks as their mark. */
function spell(text: string): string {
  return ` ${text.normalize('NFKC')}`.replace(/[\s\p{Cc}]+/gu, BLANK)
}
