import { THEMES, type Theme } from '../../../../src/model/vocabulary.ts'
import { listOf } from '../phrases/list.ts'
import { dropCovered, type Matcher } from '../phrases/matcher.ts'
import { PhraseSyntaxError } from '../phrases/pattern.ts'
import type { Segment } from '../text/segments.ts'

/** The topics of reviews by the name that summaries use, with the themes that each belongs to. */
export type Topics = ReadonlyMap<string, readonly Theme[]>

/** The topics by name. Each line is `name | theme, theme` or `name | -`. Throws PhraseSyntaxError that quotes an invalid line. */
export function loadTopics(text: string): Topics {
  return new Map(
    listOf(text).map(([name = '', written = '']) => {
      const themes =
        written === '-' ? [] : written.split(', ').map((one) => THEMES.find((theme) => theme === one))
      const known = themes.filter((theme) => theme !== undefined)
      if (name === '' || known.length < themes.length)
        throw new PhraseSyntaxError(
          `topics.txt: "${name} | ${written}" is not "name | theme, theme" or "name | -"`,
        )
      return [name, known] as const
    }),
  )
}

/** The section for phrases that name no topic, such as "by mistake". */
const NO_TOPIC = 'none'

/** The topics that `segments` name, without repeats, in order of appearance. */
export function topicsIn(matcher: Matcher, segments: readonly Segment[]): string[] {
  const found = segments.flatMap(({ tokens }) => dropCovered(matcher(tokens)))
  return [...new Set(found.map(({ name }) => name))].filter((name) => name !== NO_TOPIC)
}
