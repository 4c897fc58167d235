/** In how many examples of each feature each sign was met. */
export type Tally = {
  /** In the order they were met. */
  readonly signs: readonly string[]
  /** Place of the sign times the number of features, and the place of the feature; from the lowest, each once. */
  readonly pairs: Uint32Array
  /** How many examples of the feature have the sign, pair by pair. */
  readonly counts: Uint16Array
}

/** A sign met in `count` examples of the feature at `place`. */
export type Meeting = { readonly sign: string; readonly place: number; readonly count: number }

/** Adds meetings up. Flat arrays, because a map for each sign would take ten times the memory. */
export function tallyMeetings(meetings: Iterable<Meeting>, features: number): Tally {
  const indexOf = new Map<string, number>()
  const met: number[] = []
  for (const { sign, place, count } of meetings) {
    const index = indexOf.get(sign) ?? indexOf.size
    indexOf.set(sign, index)
    for (let times = 0; times < count; times++) met.push(index * features + place)
  }
  const sorted = Uint32Array.from(met).sort()
  const isFirst = (pair: number, at: number) => pair !== sorted[at - 1]
  const pairs = sorted.filter(isFirst)
  const counts = new Uint16Array(pairs.length)
  let last = -1
  sorted.forEach((pair, at) => {
    if (isFirst(pair, at)) last++
    counts[last] = (counts[last] ?? 0) + 1
  })
  return { signs: [...indexOf.keys()], pairs, counts }
}

/** Counts the signs of examples, each once in an example. An example of a feature that `slugs` does not hold is left out. */
export function tallyExamples<Example extends { readonly slug: string }>(
  examples: readonly Example[],
  slugs: readonly string[],
  signsOf: (example: Example) => Iterable<string>,
): Tally {
  const placeOf = new Map(slugs.map((slug, place) => [slug, place]))
  const meetings = function* () {
    for (const example of examples) {
      const place = placeOf.get(example.slug)
      if (place === undefined) continue
      for (const sign of new Set(signsOf(example))) yield { sign, place, count: 1 }
    }
  }
  return tallyMeetings(meetings(), slugs.length)
}

/**
 * How much like the examples of each feature a text with these signs is, by the place of the feature: the natural logarithm of how
 * many times likelier its signs are there than in all examples. 0 for a feature without examples; signs that no example has
 * say nothing.
 */
export type Likeness = (signs: Iterable<string>) => Float64Array

/**
 * Multinomial naive Bayes without priors, smoothed by Dirichlet's rule (Zhai and Lafferty 2004): every feature is lent `lent`
 * signs that are spread as in all examples. So what is common everywhere says nothing, and a feature of many examples is not
 * favoured over one of few. The order of the meetings changes nothing.
 */
export function createLikeness({ signs, pairs, counts }: Tally, features: number, lent: number): Likeness {
  const indexOf = new Map(signs.map((sign, index) => [sign, index]))
  const ofFeature = new Float64Array(features)
  const ofSign = new Float64Array(signs.length)
  /** One past the last pair of each sign. */
  const ends = new Uint32Array(signs.length)
  pairs.forEach((pair, at) => {
    const [index, place, count] = [Math.floor(pair / features), pair % features, counts[at] ?? 0]
    ofFeature[place] = (ofFeature[place] ?? 0) + count
    ofSign[index] = (ofSign[index] ?? 0) + count
    ends[index] = at + 1
  })
  const all = ofFeature.reduce((sum, count) => sum + count, 0)
  const places = Uint16Array.from(pairs, (pair) => pair % features)
  const gains = Float32Array.from(pairs, (pair, at) =>
    Math.log1p(((counts[at] ?? 0) * all) / (lent * (ofSign[Math.floor(pair / features)] ?? 1))),
  )
  /** What each sign costs a feature, whether it was met there or not. */
  const costs = ofFeature.map((count) => Math.log(lent / (count + lent)))

  return (heard) => {
    const scores = new Float64Array(features)
    let known = 0
    for (const sign of new Set(heard)) {
      const index = indexOf.get(sign)
      if (index === undefined) continue
      known++
      const end = ends[index] ?? 0
      for (let at = index === 0 ? 0 : (ends[index - 1] ?? 0); at < end; at++) {
        const place = places[at] ?? 0
        scores[place] = (scores[place] ?? 0) + (gains[at] ?? 0)
      }
    }
    return scores.map((score, place) => score + known * (costs[place] ?? 0))
  }
}
