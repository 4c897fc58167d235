import { CONCEPT_PARTS, CONCEPT_WEIGHTS, type Concept, type ConceptWeight } from './concepts.ts'

/** One more fell apart more often between languages: agreement of 588 wishes for 49 features was 0.49 with two, 0.47 with three. */
const NAMES_MAX = 2

/**
 * The slug of a wish in which the concepts `names` were heard, or null when there is none: the heaviest of them, at most two, in an
 * order of their own. Lighter ones are left out rather than filled up with, because one language says "see the tides"
 * where another says "tides".
 */
export function conceptSlug(
  names: Iterable<string>,
  concepts: ReadonlyMap<string, Concept>,
): { readonly slug: string; readonly weight: ConceptWeight } | null {
  const heard = [...new Set(names)].flatMap((name) => concepts.get(name) ?? [])
  const weight = CONCEPT_WEIGHTS.find((known) => heard.some((concept) => concept.weight === known))
  if (weight === undefined) return null
  const kept = heard
    .filter((concept) => concept.weight === weight)
    .sort(byPartAndName)
    .slice(0, NAMES_MAX)
  return { slug: kept.map(({ name }) => name).join('-'), weight }
}

function byPartAndName(a: Concept, b: Concept): number {
  const parts = CONCEPT_PARTS.indexOf(a.part) - CONCEPT_PARTS.indexOf(b.part)
  return parts !== 0 ? parts : a.name < b.name ? -1 : 1
}
