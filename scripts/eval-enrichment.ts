/**
 * Scores the offline engine on labelled reviews: per field and per language, with the stars shown to it and
 * hidden. `npm run eval:enrichment -- FILE...` scores other sets of the same shape; `--errors` lists what is wrong.
 */
import { parseArgs } from 'node:util'
import { createOfflineEngine, type EnrichInput } from '../src/pipeline/enrich/offline/engine.ts'
import { type Labelled, readLabelled } from './enrichment/labelled.ts'
import { type Judged, type Scores, score } from './enrichment/score.ts'

const SPEED_REVIEWS = 4_000
const COMPARED = [
  'language',
  'sentiment',
  'is_feature_request',
  'is_bug_report',
  'severity',
  'competitor_named',
] as const

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { errors: { type: 'boolean', default: false } },
})
const files = positionals.length > 0 ? positionals : ['test/fixtures/enrichment/devset.jsonl']

const rssBeforeBytes = process.memoryUsage().rss
const enrich = createOfflineEngine()
const sets = files.map((file) => ({ file, rows: readLabelled(file) }))
for (const { file, rows } of sets) {
  for (const isRatingShown of [true, false]) {
    const judged = judge(rows, isRatingShown)
    print(`${file}, stars ${isRatingShown ? 'shown' : 'hidden'}`, judged)
    if (values.errors && isRatingShown) printErrors(rows, judged)
  }
}
printCost(sets.flatMap(({ rows }) => rows))

function judge(rows: readonly Labelled[], isRatingShown: boolean): Judged[] {
  return rows.map((row) => ({ gold: row.labels, predicted: enrich(input(row, isRatingShown)) }))
}

function input({ title, body, rating, country }: Labelled, isRatingShown: boolean): EnrichInput {
  return { title, body, rating: isRatingShown ? rating : null, storefront: country ?? null }
}

function print(heading: string, judged: readonly Judged[]): void {
  console.log(`\n${heading}`)
  const languages = [...new Set(judged.map(({ gold }) => gold.language))].sort()
  const table: Record<string, Partial<Scores>> = { all: score(judged) }
  for (const language of languages) {
    const {
      slugAgreement: _,
      slugPairs: __,
      ...rest
    } = score(judged.filter(({ gold }) => gold.language === language))
    table[language] = rest
  }
  console.table(table)
}

function printErrors(rows: readonly Labelled[], judged: readonly Judged[]): void {
  judged.forEach(({ gold, predicted }, index) => {
    const wrong: string[] = COMPARED.filter((field) => gold[field] !== predicted[field]).map(
      (field) => `${field} ${predicted[field]}, not ${gold[field]}`,
    )
    if ([...gold.themes].sort().join() !== [...predicted.themes].sort().join())
      wrong.push(`themes ${predicted.themes}, not ${gold.themes}`)
    if (gold.feature_key !== null && gold.feature_key !== predicted.feature_slug)
      wrong.push(`slug ${predicted.feature_slug}, not ${gold.feature_key}`)
    const row = rows[index]
    if (wrong.length > 0 && row !== undefined)
      console.log(`${row.id} ${row.rating} ${row.title} | ${row.body}\n    ${wrong.join('\n    ')}`)
  })
}

function printCost(rows: readonly Labelled[]): void {
  // Time of this thread on its core: what else the machine does must not count.
  const startedUs = process.threadCpuUsage()
  for (let done = 0; done < SPEED_REVIEWS; done++) {
    const row = rows[done % rows.length]
    if (row !== undefined) enrich(input(row, true))
  }
  const { user, system } = process.threadCpuUsage(startedUs)
  const perSecond = Math.round((SPEED_REVIEWS / (user + system)) * 1_000_000)
  const addedMiB = Math.round((process.memoryUsage().rss - rssBeforeBytes) / 1_048_576)
  console.log(`\n${perSecond} reviews/s on one core; ${addedMiB} MiB of memory added`)
}
