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

/*
 * The constants were chosen by teaching from all writers of examples but one and testing on his wishes, and on the labelled reviews,
 * of which no example was made. All lie where a change by a third changes less than 1 wish in 100.
 */

/** Words often stand together, so that they are not as many witnesses as they are words. */
const WORDS_WEIGHT = 0.5
/** How many times likelier, as a natural logarithm, the feature is that rules found named or described. */
const RULED_BONUS = 3
/** A wish that names and describes no feature is one of the catalogue only if it is this much like one, */
const LIKELY_MIN = 7
/** and this much more than like any other. */
const LIKELY_LEAD_MIN = 1

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
  let second = -Infinity
  slugs.forEach((slug, place) => {
    const score =
      (byHeard[place] ?? 0) + WORDS_WEIGHT * (byWords[place] ?? 0) + (slug === ruled ? RULED_BONUS : 0)
    if (score > best.score) {
      second = best.score
      best = { slug, score }
    } else if (score > second) second = score
  })
  if (ruled !== undefined) return best.slug
  return best.score >= LIKELY_MIN && best.score - second >= LIKELY_LEAD_MIN ? best.slug : undefined
}
