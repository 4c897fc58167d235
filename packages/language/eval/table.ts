import type { Scores } from './score.ts'

const COLUMNS: readonly (readonly [string, (scores: Scores) => number | null])[] = [
  ['lang', ({ language }) => language],
  ['sent', ({ sentiment }) => sentiment],
  ['themes', ({ themes }) => themes],
  ['exact', ({ themesExact }) => themesExact],
  ['bug', ({ bug }) => bug.f1],
  ['request', ({ request }) => request.f1],
  ['sev', ({ severity }) => severity],
  ['high', ({ severityHighRecall }) => severityHighRecall],
  ['compet', ({ competitor }) => competitor.f1],
  ['name', ({ competitorName }) => competitorName],
  ['slugs', ({ slugPairs }) => slugPairs],
  ['across', ({ slugAcrossLanguages }) => slugAcrossLanguages],
]

/** A table for the terminal: one line per row, figures with three digits, `-` for a missing one. */
export function table(rows: readonly (readonly [string, Scores])[]): string {
  const head = ['', 'n', ...COLUMNS.map(([name]) => name)]
  const lines = rows.map(([name, scores]) => [
    name,
    String(scores.reviews),
    ...COLUMNS.map(([, figure]) => figure(scores)?.toFixed(3) ?? '-'),
  ])
  return [head, ...lines]
    .map((cells) => cells.map((cell, index) => (index === 0 ? cell.padEnd(8) : cell.padStart(8))).join(''))
    .join('\n')
}
