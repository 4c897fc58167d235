/**
 * Measures the engine on labelled reviews: accuracy per field and language, with visible and hidden stars, speed and memory.
 * docs/enrichment.md explains the figures.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Enrichment } from '../../../src/model/enrichment.ts'
import NODE_OPTIONS from '../../../src/runtime/node-options.json' with { type: 'json' }
import { createLanguageEngine } from '../src/engine.ts'
import { inputOf, type Labelled, readLabelled } from './labelled.ts'
import { FIELDS, type Field, misses } from './misses.ts'
import { type Scores, score } from './score.ts'
import type { Speed } from './speed.ts'
import { table } from './table.ts'

const DEVSET = join(import.meta.dirname, '..', 'data', 'made-up', 'devset.jsonl')
const USAGE = `usage: npm run eval:enrichment [-- FILE... [--errors FIELD[,LANGUAGE]] [--no-stars] [--json] [--dump FILE] [--quick]]

  FILE        labelled reviews, one JSON object per line; default: the development set
  --errors    lists the wrong predictions of a field: ${Object.keys(FIELDS).join(' ')}
  --no-stars  lists or dumps the predictions with hidden stars
  --dump      writes the predictions, one JSON object per line
  --quick     without speed and memory
`

type Predictions = readonly (readonly [Labelled, Enrichment])[]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    errors: { type: 'string' },
    'no-stars': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    dump: { type: 'string' },
    quick: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const [field = '', language = null] = values.errors?.split(',') ?? []
if (values.help || (values.errors !== undefined && !isField(field))) {
  process.stdout.write(USAGE)
  process.exitCode = values.help ? 0 : 2
} else await main(positionals.length > 0 ? positionals : [DEVSET])

async function main(files: readonly string[]): Promise<void> {
  const engine = await createLanguageEngine()
  const predict = async (reviews: readonly Labelled[], stars: boolean): Promise<Predictions> => {
    const predictions: [Labelled, Enrichment][] = []
    for (const review of reviews) predictions.push([review, await engine(inputOf(review, stars))])
    return predictions
  }
  const sets = files.map((file) => ({ file, reviews: readLabelled(file) }))
  const shown = async () =>
    predict(
      sets.flatMap(({ reviews }) => reviews),
      !values['no-stars'],
    )
  if (values.dump !== undefined) {
    const lines = (await shown()).map(([{ id }, enrichment]) => JSON.stringify({ id, ...enrichment }))
    writeFileSync(values.dump, `${lines.join('\n')}\n`)
  } else if (isField(field)) {
    for (const { id, rating, text, gold, predicted } of misses(await shown(), field, language))
      process.stdout.write(`${id} ${rating}* [${gold}] got [${predicted}]  ${text}\n`)
  } else {
    const figures: SetFigures[] = []
    for (const { file, reviews } of sets)
      figures.push({
        file,
        stars: figuresOf(await predict(reviews, true)),
        noStars: figuresOf(await predict(reviews, false)),
      })
    const speed = values.quick ? null : measureSpeed(files)
    if (values.json) process.stdout.write(`${JSON.stringify({ figures, speed }, null, 2)}\n`)
    else print(figures, speed)
  }
}

type SetFigures = { readonly file: string; readonly stars: Figures; readonly noStars: Figures }
type Figures = { readonly all: Scores; readonly byLanguage: Readonly<Record<string, Scores>> }

function figuresOf(predictions: Predictions): Figures {
  const pairs = predictions.map(([{ labels }, predicted]) => ({ gold: labels, predicted }))
  const byLanguage = Object.groupBy(pairs, ({ gold }) => gold.language)
  return {
    all: score(pairs),
    byLanguage: Object.fromEntries(
      Object.entries(byLanguage).map(([name, some]) => [name, score(some ?? [])]),
    ),
  }
}

function print(sets: readonly SetFigures[], speed: Speed | null): void {
  for (const { file, stars, noStars } of sets) {
    process.stdout.write(`${file}\n`)
    for (const [name, figures] of [['stars', stars] as const, ['no stars', noStars] as const])
      process.stdout.write(`\n${table([[name, figures.all], ...Object.entries(figures.byLanguage)])}\n`)
    process.stdout.write('\n')
  }
  if (speed === null) return
  const megabytes = (speed.memoryAddedBytes / 1_000_000).toFixed(0)
  process.stdout.write(
    `${speed.reviewsPerSecond} reviews per second on one core, ${megabytes} MB added, loaded in ${speed.loadMs} ms\n`,
  )
}

/** Uses the Node.js options of the service. */
function measureSpeed(files: readonly string[]): Speed {
  const script = join(import.meta.dirname, 'speed.ts')
  return JSON.parse(
    execFileSync(process.execPath, [...NODE_OPTIONS, '--expose-gc', script, ...files], { encoding: 'utf8' }),
  )
}

function isField(name: string): name is Field {
  return Object.hasOwn(FIELDS, name)
}
