import type { Likeness } from '../examples/likeness.ts'

export type LikelyDeps = {
  /** The features of the catalogue, in the order of the scores. */
  readonly slugs: readonly string[]
  /** By what the tables hear in a wish, learned from the examples of all languages. */
  readonly heardLikeness: Likeness
  /** By the words of a wish, learned from the examples of its language; made when first asked for. */
  readonly wordsLikeness: () => { readonly toFeatures: Likeness }
}

/** A wish as it is held against the examples. */
export type Told = {
  readonly heard: Iterable<string>
  readonly stems: Iterable<string>
}

/**
 * The feature that rules found: by its exact name in the words that ask (`name`), by such a name beside them, a description or a general
 * name (`hint`), or by what is said elsewhere or a word of the app world (`aside`).
 */
export type Ruled = { readonly slug: string; readonly by: 'name' | 'hint' | 'aside' }

/**
 * How many times likelier, as a natural logarithm, the feature is that rules found. Chosen, like LIKELY_MIN and
 * what is lent in examples/, by learning from all writers but one and testing on his wishes, and on labelled reviews, from
 * which no example is taken. With his wishes 5 for all is as good; in reviews, which say more beside the wish, names are what holds.
 */
const RULED_BONUS: Readonly<Record<Ruled['by'], number>> = { name: 12, hint: 8, aside: 2 }

/** A wish in which rules found no feature asks for one of the catalogue only if it is this much likelier there than anywhere. */
const LIKELY_MIN = 9
/** The same where it holds a telling concept, which is hardly said for nothing: wishes outside the catalogue often do. */
const LIKELY_DESPITE_CONCEPT_MIN = 24

/**
 * The feature whose examples a wish is most like, `ruled` being the one that rules found: it stays unless another is clearly likelier.
 * Where they found none, undefined unless one is likely by itself; `hasConcept` tells whether a telling concept speaks against it.
 */
export function likeliestFeature(
  { heard, stems }: Told,
  ruled: Ruled | undefined,
  hasConcept: boolean,
  { slugs, heardLikeness, wordsLikeness }: LikelyDeps,
): string | undefined {
  const byHeard = heardLikeness(heard)
  const byWords = wordsLikeness().toFeatures(stems)
  let best = { slug: ruled?.slug, score: -Infinity }
  slugs.forEach((slug, place) => {
    const score =
      (byHeard[place] ?? 0) + (byWords[place] ?? 0) + (slug === ruled?.slug ? RULED_BONUS[ruled.by] : 0)
    if (score > best.score) best = { slug, score }
  })
  const least = hasConcept ? LIKELY_DESPITE_CONCEPT_MIN : LIKELY_MIN
  return ruled !== undefined || best.score >= least ? best.slug : undefined
}
