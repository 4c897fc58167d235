import type { Tables } from '../phrases/load.ts'
import { signsHeard } from './heard.ts'
import { type Tally, tallyExamples } from './likeness.ts'
import { loadExamples } from './load.ts'
import { segmentExample } from './words.ts'

/**
 * What the tables hear in the examples of all languages, for heard.tsv. It takes seconds, too long for each start. Languages are
 * taken together: "bed" and "Bett" are one concept, so that each language learns from the examples of all.
 */
export function learnHeard({
  byName,
  slugs,
  features,
}: Pick<Tables, 'byName' | 'slugs' | 'features'>): Tally {
  const examples = [...byName].flatMap(([name, table]) =>
    loadExamples(name, features).map((example) => ({ ...example, name, table })),
  )
  return tallyExamples(examples, slugs, ({ name, table, ...example }) => {
    const segments = segmentExample(example, name)
    return signsHeard({
      features: segments.flatMap(({ tokens }) => table.featureMatcher(tokens)),
      concepts: segments.flatMap(({ tokens }) => table.conceptMatcher(tokens)),
      clues: segments.flatMap(({ tokens }) => table.clueMatcher(tokens)),
    })
  })
}
