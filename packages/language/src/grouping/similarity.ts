import { segment } from '../text/segments.ts'
import { foldLetters, type SymptomReader } from './symptoms.ts'
import { cosineOf } from './vector.ts'

/** What grouping knows of one review. The vector and `concreteness` are made by the engine, where the review is enriched. */
export type Report = {
  readonly id: string
  /** Normalised title and body. */
  readonly text: string
  readonly vector: Int8Array
  readonly concreteness: number
}

/**
 * How much each kind of evidence counts: weights of a logistic regression on pairs, rounded. What each is worth:
 * packages/language/docs/grouping.md, Evidence.
 */
export const EVIDENCE = { vector: 4, words: 6, letters: 6, things: 2, faults: 1.5 } as const

const KINDS = ['words', 'letters', 'things', 'faults'] as const
type Traits = Readonly<Record<(typeof KINDS)[number], ReadonlySet<string>>>

/** Letters in a row. Shared ones show that words are related: compounds, inflections, spelling mistakes, names across languages. */
const LETTERS = [3, 4] as const

/** The likeness of every two of `reports`, row by row. Words that many reports have count less, so it depends on all of them. */
export function similaritiesOf(reports: readonly Report[], symptomsIn: SymptomReader): Float64Array[] {
  const likeness = comparison(reports, symptomsIn)
  const rows = reports.map(() => new Float64Array(reports.length))
  for (const [a, row] of rows.entries())
    for (let b = 0; b < a; b++) {
      const value = likeness(a, b)
      row[b] = value
      const other = rows[b]
      if (other !== undefined) other[a] = value
    }
  return rows
}

/** The likeness of `report` to each of `known`. */
export function similaritiesTo(
  report: Report,
  known: readonly Report[],
  symptomsIn: SymptomReader,
): Float64Array {
  const likeness = comparison([...known, report], symptomsIn)
  return Float64Array.from(known, (_, at) => likeness(known.length, at))
}

function comparison(reports: readonly Report[], symptomsIn: SymptomReader): (a: number, b: number) => number {
  const traits = reports.map((report) => {
    const made = TRAITS.get(report) ?? traitsOf(report.text, symptomsIn)
    TRAITS.set(report, made)
    return made
  })
  const weighted = KINDS.map((kind) => ({ kind, sets: weigh(traits.map((each) => each[kind])) }))
  return (a, b) => {
    const [first, second] = [reports[a], reports[b]]
    if (first === undefined || second === undefined) return 0
    let sum = EVIDENCE.vector * cosineOf(first.vector, second.vector)
    for (const { kind, sets } of weighted) sum += EVIDENCE[kind] * likenessOf(sets[a], sets[b])
    return sum
  }
}

/** A report is compared with each that arrives later, and its text does not change. */
const TRAITS = new WeakMap<Report, Traits>()

function traitsOf(text: string, symptomsIn: SymptomReader): Traits {
  const { things, faults } = symptomsIn(text)
  const words = segment(text, true).flatMap(({ tokens }) => tokens.map(({ folded }) => folded))
  const spaced = ` ${foldLetters(text).split(/\s+/u).join(' ')} `
  const letters = new Set<string>()
  for (const length of LETTERS)
    for (let at = 0; at + length <= spaced.length; at++) letters.add(spaced.slice(at, at + length))
  return { words: new Set(words), letters, things: new Set(things), faults: new Set(faults) }
}

type Weighted = { readonly weights: ReadonlyMap<string, number>; readonly length: number }

/** Weighs each trait by how rare it is among the texts (inverse document frequency). */
function weigh(sets: readonly ReadonlySet<string>[]): Weighted[] {
  const counts = new Map<string, number>()
  for (const set of sets) for (const trait of set) counts.set(trait, (counts.get(trait) ?? 0) + 1)
  return sets.map((set) => {
    const weights = new Map<string, number>()
    let squares = 0
    for (const trait of set) {
      const weight = Math.log((sets.length + 1) / ((counts.get(trait) ?? 0) + 0.5))
      squares += weight * weight
      if ((counts.get(trait) ?? 0) > 1) weights.set(trait, weight)
    }
    return { weights, length: Math.sqrt(squares) }
  })
}

/** The cosine of two weighted sets, from 0 to 1. */
function likenessOf(a: Weighted | undefined, b: Weighted | undefined): number {
  if (a === undefined || b === undefined || a.length === 0 || b.length === 0) return 0
  const [few, many] = a.weights.size <= b.weights.size ? [a, b] : [b, a]
  let dot = 0
  for (const [trait, weight] of few.weights) if (many.weights.has(trait)) dot += weight * weight
  return dot / (a.length * b.length)
}
