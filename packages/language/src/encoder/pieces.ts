import { readFileSync } from 'node:fs'

/** The vocabulary of the encoder: pieces of words with their log probabilities, by number. */
export type Pieces = {
  readonly ids: ReadonlyMap<string, number>
  readonly scores: Float32Array
  /** By their first two characters: characters of the longest piece. A longer stretch is not looked up. */
  readonly charsMaxFrom: ReadonlyMap<string, number>
  /** Stands for a character that is in no piece. */
  readonly unknown: number
  readonly unknownScore: number
  readonly begin: number
  readonly end: number
}

/** An unknown character is worse than any known piece by this (SentencePiece's own penalty). */
const UNKNOWN_PENALTY = 10

const SPECIAL = { begin: '<s>', end: '</s>', unknown: '<unk>' } as const

/**
 * Reads `pieces.tsv`: one piece a line, its score, a tab, its characters; the line number is the number of the piece. Throws when a
 * special piece is missing.
 */
export function loadPieces(file: URL): Pieces {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  const ids = new Map<string, number>()
  const scores = new Float32Array(lines.length)
  const charsMaxFrom = new Map<string, number>()
  let worst = 0
  for (const [id, line] of lines.entries()) {
    const tab = line.indexOf('\t')
    const piece = line.slice(tab + 1)
    const score = Number(line.slice(0, tab))
    ids.set(piece, id)
    scores[id] = score
    worst = Math.min(worst, score)
    const characters = [...piece]
    const start = characters.slice(0, 2).join('')
    charsMaxFrom.set(start, Math.max(charsMaxFrom.get(start) ?? 1, characters.length))
  }
  const special = (piece: string): number => {
    const id = ids.get(piece)
    if (id === undefined) throw new Error(`${file.pathname}: the piece ${piece} is missing`)
    ids.delete(piece)
    return id
  }
  const [begin, end, unknown] = [special(SPECIAL.begin), special(SPECIAL.end), special(SPECIAL.unknown)]
  return { ids, scores, charsMaxFrom, unknown, unknownScore: worst - UNKNOWN_PENALTY, begin, end }
}
