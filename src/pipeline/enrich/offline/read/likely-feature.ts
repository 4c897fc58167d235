import type { Likeness } from '../examples/likeness.ts'

export type LikelyDeps = {
  /** The features of the catalogue, in the order of the scores. */
  readonly slugs: readonly string[]
  /** By what the tables hear in a wish, learned from the examples of all languages. */
  readonly heardLikeness: Likeness
  /** By the words of a wish, learned from the examples of its language; made when first asked for. */
  readonly wordsLikeness: () => Likeness
}

/** A wish as it is held against the examples. */
export type Told = {
  readonly heard: Iterable<string>
  readonly stems: Iterable<string>
}

/**
 * How many times likelier, as a natural logarithm, the feature is that rules found named or described. Chosen, like LIKELY_MIN and
 * what examples/load.ts lends, by learning from all writers but one and testing on his wishes, and on the labelled reviews, from
 * which no example is taken: 4 to 6 differ by less than 1 wish in 100.
 */
const RULED_BONUS = 5

/** A wish in which rules found no feature asks for one of the catalogue only if it is this much likelier there than anywhere. */
const LIKELY_MIN = 8

/**
 * The feature whose examples a wish is most like, `ruled` being the one that rules found: it stays unless another is clearly likelier.
 * Where they found none, undefined unless one is likely by itself.
 */
export function likeliestFeature(
  { heard, stems }: Told,
  ruled: string | undefined,
  { slugs, heardLikeness, wordsLikeness }: LikelyDeps,
): string | undefined {
  const byHeard = heardLikeness(heard)
  const byWords = wordsLikeness()(stems)
  let best = { slug: ruled, score: -Infinity }
  slugs.forEach((slug, place) => {
    const score = (byHeard[place] ?? 0) + (byWords[place] ?? 0) + (slug === ruled ? RULED_BONUS : 0)
    if (score > best.score) best = { slug, score }
  })
  return ruled !== undefined || best.score >= LIKELY_MIN ? best.slug : undefined
}
