import { listOf } from '../phrases/list.ts'
import { PhraseSyntaxError } from '../phrases/pattern.ts'

/** A common term of apps, with names in all languages. Used for slugs outside the catalogue and for summaries. */
export type Concept = {
  readonly name: string
  readonly part: ConceptPart
  readonly weight: ConceptWeight
}

/** Their order in a slug, because languages order the words of a request differently. */
export const CONCEPT_PARTS = ['action', 'quality', 'thing'] as const
export type ConceptPart = (typeof CONCEPT_PARTS)[number]

/** Most specific first. `specific` decides the topic alone; `generic` counts only when nothing else is named. */
export const CONCEPT_WEIGHTS = ['specific', 'plain', 'generic'] as const
export type ConceptWeight = (typeof CONCEPT_WEIGHTS)[number]

/** Longest name of a concept: two of them and a hyphen make a slug of at most 37 characters. */
const NAME_CHARS_MAX = 18

/** The concepts by name. Each line is `name | part | weight`. Throws PhraseSyntaxError that quotes an invalid line. */
export function loadConcepts(text: string): Map<string, Concept> {
  const concepts = new Map<string, Concept>()
  for (const parts of listOf(text)) {
    const [name = '', partName, weightName] = parts
    const part = CONCEPT_PARTS.find((known) => known === partName)
    const weight = CONCEPT_WEIGHTS.find((known) => known === weightName)
    const isName = /^[a-z]+(?:-[a-z]+)*$/.test(name) && name.length >= 2 && name.length <= NAME_CHARS_MAX
    if (!isName || part === undefined || weight === undefined)
      throw new PhraseSyntaxError(
        `concepts.txt: "${parts.join(' | ')}" is not "name | ${CONCEPT_PARTS.join('/')} | ${CONCEPT_WEIGHTS.join('/')}"`,
      )
    concepts.set(name, { name, part, weight })
  }
  return concepts
}
