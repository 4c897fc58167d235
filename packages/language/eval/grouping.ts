/**
 * Groups the reviews of a file by the problem they report, as the engine does: `npm run eval:grouping -- FILE`. FILE has one review a
 * line, in the order in which they arrived; apps are told apart by name. Prints `{"id", "groups": [key]}` for each.
 * packages/language/docs/grouping.md has the figures.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { STOREFRONTS } from '../../../src/model/vocabulary.ts'
import { type Grouped, isConcrete, problemOf, regroup } from '../src/grouping/group.ts'
import { createReviewReader } from '../src/grouping/reader.ts'
import { loadSymptoms } from '../src/grouping/symptoms.ts'
import { type TitledReview, titleOf } from '../src/grouping/title.ts'

const USAGE = `usage: npm run eval:grouping -- FILE [--titles] [--no-revisit] [--shuffle SEED]

  FILE          reviews, one JSON object per line, oldest first
  --titles      prints the title and the number of reviews of each problem instead
  --no-revisit  leaves each review where it was placed on arrival
  --shuffle     feeds the reviews in another order
`

const REVIEW = z.object({
  id: z.string(),
  app_name: z.string().nullish(),
  country: z.string().nullish(),
  rating: z.int().min(1).max(5).nullish(),
  title: z.string().nullish(),
  body: z.string().nullish(),
})
type Review = z.infer<typeof REVIEW>

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    titles: { type: 'boolean', default: false },
    'no-revisit': { type: 'boolean', default: false },
    shuffle: { type: 'string' },
  },
})
const [path] = positionals
if (path === undefined) {
  process.stderr.write(USAGE)
  process.exitCode = 2
} else await main(path)

async function main(file: string): Promise<void> {
  const read = await createReviewReader()
  const symptomsIn = loadSymptoms()
  const reviews = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => REVIEW.parse(JSON.parse(line)))
  const keyOf = new Map<string, string>()
  const apps = Map.groupBy(reviews, ({ app_name }) => app_name ?? '')
  for (const some of apps.values())
    for (const [id, key] of await grouped(
      values.shuffle === undefined ? some : shuffled(some, values.shuffle),
    ))
      keyOf.set(id, key)
  if (!values.titles)
    for (const { id } of reviews) {
      const key = keyOf.get(id)
      process.stdout.write(`${JSON.stringify({ id, groups: key === undefined ? [] : [key] })}\n`)
    }

  async function grouped(some: readonly Review[]): Promise<(readonly [string, string])[]> {
    const known: Grouped[] = []
    const titled = new Map<string, TitledReview>()
    for (const { id, app_name = null, country, rating = null, title = null, body } of some) {
      const storefront = STOREFRONTS.find((code) => code === country?.toLowerCase()) ?? null
      const app = app_name === null ? null : { name: app_name, developer: null }
      const { report, enrichment } = await read({ title, body: body ?? '', rating, storefront, app })
      if (report === null || !isConcrete({ id, ...report })) continue
      const placed = { id, ...report }
      titled.set(id, { vector: report.vector, summary: enrichment.summary_en, language: enrichment.language })
      known.push({ report: placed, key: problemOf(placed, known, symptomsIn) ?? id, pinned: false })
    }
    const keys = values['no-revisit'] ? known.map(({ key }) => key) : regroup(known, symptomsIn)
    if (values.titles)
      printTitles(
        known.map(({ report }) => titled.get(report.id)),
        keys,
      )
    return known.map(({ report }, at) => [report.id, keys[at] ?? report.id] as const)
  }
}

/** Problems with one review are left out. */
function printTitles(titled: readonly (TitledReview | undefined)[], keys: readonly string[]): void {
  for (const key of new Set(keys)) {
    const members = titled.flatMap((each, at) => (each !== undefined && keys[at] === key ? [each] : []))
    if (members.length > 1) process.stdout.write(`${members.length} ${titleOf(members) ?? '(no title)'}\n`)
  }
}

function shuffled<T>(items: readonly T[], seed: string): T[] {
  let state = Number(seed) * 2 + 1
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state
  }
  return items
    .map((item) => ({ item, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
