import type { SourceFile } from './source-tree.ts'

const TITLE = /^[ \t]*(?:it|test)\(\s*(['"`])(.*?)\1,/gm

/** First words of a predicate, whose subject only a `describe` would name. Words that are also plural nouns are left out. */
const PREDICATE = new RegExp(
  `^(?:${[
    'am|is|are|was|were|has|have|do|does|did|can|cannot|may|must|never|always|also|and|or|that',
    'accepts?|adds?|allows?|becomes?|belongs?|calls?|checks|closes|contains?|continues?|count|covers?|creates?|deletes?',
    'ends?|excludes?|expires?|explains?|fails?|finds?|fires?|gets?|gives?|holds?|ignores?|includes?|keeps?|keys',
    'lets?|limit|logs|loses?|makes?|masks?|matches|names|needs?|offers?|omits?|opens?|parses?|prefers?',
    'queues|quotes?|records?|rejects?|releases|removes?|replaces?|responds?|restores?|retries a|returns?|revokes?|rolls?',
    'runs?|says?|sees|sends?|serves|sets|shows?|skips?|sorts?|splits?|starts?|stays?|stops?|stores a|survives?|takes?|tells|treats?',
    'tries|trims?|truncates?|updates?|uses?|verifies|waits?|wakes|warns?|works|writes?',
  ].join('|')})\\b`,
)

/** Test titles without a subject, as `path: title`. */
export function predicateTitles(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(TITLE)]
      .map(([, , title = '']) => title)
      .filter((title) => PREDICATE.test(title))
      .map((title) => `${path}: ${title}`),
  )
}
