/**
 * Which reports of one app say the same. A report joins a problem when it arrives; `regroup` revisits the recent ones in the background,
 * because early reports were placed when little was known. Both are pure, and neither depends on the clock.
 */
import { clustersOf } from './cluster.ts'
import { type Report, similaritiesOf, similaritiesTo } from './similarity.ts'
import type { SymptomReader } from './symptoms.ts'

/** Each chosen on two apps and tested on the third (packages/language/docs/grouping.md, Thresholds). */
export const THRESHOLDS = {
  /** Concreteness: below, a review belongs to no problem. */
  concrete: 0.3,
  /** Mean likeness to the members of a problem: below, a report opens another one. */
  join: 2.5,
} as const

/** A report and the key of its problem. `pinned`: a person put it there, or the problem is older than what is revisited. */
export type Grouped = { readonly report: Report; readonly key: string; readonly pinned: boolean }

/** Whether the review says something that can be a problem. */
export function isConcrete({ concreteness }: Report): boolean {
  return concreteness >= THRESHOLDS.concrete
}

/**
 * The key of the problem that `report` joins; null when it opens one, whose key is its own id. `known`: the reports of the app that are
 * still revisited, and some of each older problem.
 */
export function problemOf(
  report: Report,
  known: readonly Grouped[],
  symptomsIn: SymptomReader,
): string | null {
  const others = known.map((each) => each.report)
  const own = similaritiesTo(report, others, symptomsIn)
  const sums = new Map<string, { sum: number; count: number }>()
  for (const [at, { key }] of known.entries()) {
    const { sum, count } = sums.get(key) ?? { sum: 0, count: 0 }
    sums.set(key, { sum: sum + (own[at] ?? 0), count: count + 1 })
  }
  let best: string | null = null
  let most: number = THRESHOLDS.join
  for (const [key, { sum, count }] of sums)
    if (sum / count > most) {
      most = sum / count
      best = key
    }
  return best
}

/**
 * Groups `known` again, oldest first, and returns the key of each. Pinned reports keep theirs. A group keeps the key that most of its
 * members have; a part that broke off gets the id of its oldest report.
 */
export function regroup(known: readonly Grouped[], symptomsIn: SymptomReader): string[] {
  const similarities = similaritiesOf(
    known.map(({ report }) => report),
    symptomsIn,
  )
  const pins = known.map(({ key, pinned }) => (pinned ? key : null))
  const groupOf = clustersOf(similarities, THRESHOLDS.join, pins)
  const keyOf = keysOf(known, groupOf)
  return groupOf.map((group, at) => keyOf.get(group) ?? known[at]?.report.id ?? '')
}

/** The greatest share of an old key gets it; pins come first. */
function keysOf(known: readonly Grouped[], groupOf: readonly number[]): ReadonlyMap<number, string> {
  const shares = new Map<string, { group: number; key: string; count: number; pinned: boolean }>()
  for (const [at, { key, pinned }] of known.entries()) {
    const group = groupOf[at] ?? 0
    const share = shares.get(`${group} ${key}`) ?? { group, key, count: 0, pinned: false }
    shares.set(`${group} ${key}`, { ...share, count: share.count + 1, pinned: share.pinned || pinned })
  }
  const keyOf = new Map<number, string>()
  const taken = new Set<string>()
  const ranked = [...shares.values()].sort(
    (a, b) => Number(b.pinned) - Number(a.pinned) || b.count - a.count || (a.key < b.key ? -1 : 1),
  )
  for (const { group, key } of ranked) {
    if (keyOf.has(group) || taken.has(key)) continue
    keyOf.set(group, key)
    taken.add(key)
  }
  for (const [at, { report }] of known.entries()) {
    const group = groupOf[at] ?? 0
    if (keyOf.has(group)) continue
    const key = taken.has(report.id) ? `${report.id}-2` : report.id
    keyOf.set(group, key)
    taken.add(key)
  }
  return keyOf
}
