import type { Match } from '../phrases/matcher.ts'
import { PhraseSyntaxError } from '../phrases/pattern.ts'
import { type Tally, tallyMeetings } from './likeness.ts'

/** What the tables of features, concepts and clues hear in a text: the same whatever its language. */
export type Heard = {
  readonly features: readonly Match[]
  readonly concepts: readonly Match[]
  readonly clues: readonly Match[]
}

/** As signs that tell features apart: `feature/timer`, `concept/music`, `clue/asleep`. */
export function signsHeard({ features, concepts, clues }: Heard): Set<string> {
  return new Set([
    ...features.map(({ name }) => `feature/${name}`),
    ...concepts.map(({ name }) => `concept/${name}`),
    ...clues.map(({ name }) => `clue/${name}`),
  ])
}

const HEADING =
  '# What the tables hear in the examples, and how often by feature. Written by `npm run learn:examples`; do not edit.'

/** The text of heard.tsv: a sign a line, by the alphabet, then the features in which it was met, that with the most examples first. */
export function formatHeard({ signs, pairs, counts }: Tally, slugs: readonly string[]): string {
  const met = signs.map((): { slug: string; count: number }[] => [])
  pairs.forEach((pair, at) => {
    met[Math.floor(pair / slugs.length)]?.push({
      slug: slugs[pair % slugs.length] ?? '',
      count: counts[at] ?? 0,
    })
  })
  const lines = signs.map((sign, index) => {
    const most = (met[index] ?? []).toSorted((a, b) => b.count - a.count || (a.slug < b.slug ? -1 : 1))
    return `${sign}\t${most.map(({ slug, count }) => `${slug} ${count}`).join(', ')}`
  })
  return `${[HEADING, ...lines.sort()].join('\n')}\n`
}

/**
 * What formatHeard wrote. Throws PhraseSyntaxError naming the line that is none; a feature that is no more in the catalogue
 * is left out.
 */
export function parseHeard(text: string, slugs: readonly string[], fileName: string): Tally {
  const placeOf = new Map(slugs.map((slug, place) => [slug, place]))
  const meetings = text.split('\n').flatMap((line, index) => {
    if (line === '' || line.startsWith('#')) return []
    const [, sign, list] = /^([a-z]+\/[a-z0-9-]+)\t([a-z0-9-]+ \d+(?:, [a-z0-9-]+ \d+)*)$/.exec(line) ?? []
    if (sign === undefined || list === undefined)
      throw new PhraseSyntaxError(
        `${fileName}:${index + 1}: not "kind/name", a tab and "feature count, feature count"`,
      )
    return list.split(', ').flatMap((part) => {
      const [slug = '', count] = part.split(' ')
      const place = placeOf.get(slug)
      return place === undefined ? [] : [{ sign, place, count: Number(count) }]
    })
  })
  return tallyMeetings(meetings, slugs.length)
}
