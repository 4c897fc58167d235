import { readFileSync } from 'node:fs'
import { buildTrie, type Trie } from './trie.ts'

/** The vocabulary of the encoder: pieces of words with their log probabilities, by number. */
export type Pieces = {
  /** Finds pieces by their UTF-16 units. */
  readonly trie: Trie
  readonly scores: Float32Array
  /** Replaces a character that is in no piece. */
  readonly unknown: number
  readonly unknownScore: number
  readonly begin: number
  readonly end: number
}

/** How far an unknown character scores below the worst piece. The value is SentencePiece's. */
const UNKNOWN_PENALTY = 10

const SPECIAL = { begin: '<s>', end: '</s>', unknown: '<unk>' } as const

/**
 * Reads `pieces.tsv`: one piece per line as score, tab, characters; the line number is the piece's number. Throws when a
 * special piece is missing.
 */
export function loadPieces(file: URL): Pieces {
  const lines = readPieces(file)
  const numberOf = (piece: string): number => {
    const id = lines.findIndex((line) => line.piece === piece)
    if (id === -1) throw new Error(`${file.pathname}: the piece ${piece} is missing`)
    return id
  }
  const special = {
    begin: numberOf(SPECIAL.begin),
    end: numberOf(SPECIAL.end),
    unknown: numberOf(SPECIAL.unknown),
  }
  const isSpecial = new Set<number>(Object.values(special))
  return {
    trie: buildTrie(lines.map(({ piece }, id) => (isSpecial.has(id) ? '' : piece))),
    scores: Float32Array.from(lines, ({ score }) => score),
    ...special,
    unknownScore: lines.reduce((worst, { score }) => Math.min(worst, score), 0) - UNKNOWN_PENALTY,
  }
}

/** The pieces in the order of their numbers, as written. */
export function readPieces(file: URL): { readonly piece: string; readonly score: number }[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const tab = line.indexOf('\t')
      return { piece: line.slice(tab + 1), score: Number(line.slice(0, tab)) }
    })
}
