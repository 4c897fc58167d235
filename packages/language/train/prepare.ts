/**
 * Writes the trainer's input: each labelled text as token numbers. It uses the code of the service, so that training and use cannot differ.
 * Usage: `node prepare.ts [--swap-names] OUT FILE...`; a FILE has labelled reviews (.jsonl) or example texts (.txt). With `--swap-names`,
 * the output has copies of the reviews with other product names (swap-names.ts), without the originals.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { loadPieces } from '../src/encoder/pieces.ts'
import { tokenize } from '../src/encoder/tokenize.ts'
import { loadTables } from '../src/tables.ts'
import { normalize } from '../src/text/normalize.ts'
import { readExamples } from './examples.ts'
import { swapNames } from './swap-names.ts'

type Row = {
  readonly id: string
  readonly kind: 'review' | 'request' | 'no-request' | 'instruction'
  readonly file: string
  readonly stars: readonly number[] | null
  readonly app: readonly number[] | null
  readonly text: readonly number[]
  readonly feature: string | null
  readonly labels: unknown
  readonly doubt: boolean
}

const swaps = process.argv[2] === '--swap-names'
const [out = '', ...files] = process.argv.slice(swaps ? 3 : 2)
const pieces = loadPieces(new URL('../model/pieces.tsv', import.meta.url))
const { features } = loadTables()
const rows = files.flatMap((file) => (file.endsWith('.jsonl') ? reviews(file) : examples(file)))
writeFileSync(out, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))

function reviews(file: string): Row[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => (swaps ? swapNames(JSON.parse(line)) : [JSON.parse(line)]))
    .map(({ id, app_name, rating, title, body, labels, doubt = false }) => {
      return {
        id,
        kind: 'review',
        file: swaps ? 'swapped' : basename(file),
        stars: rating === null ? null : tokenize(`★${rating}`, pieces),
        app: app_name ? tokenize(`${normalize(app_name)} |`, pieces) : null,
        text: tokenize(normalize(title ? `${title}\n${body}` : body), pieces),
        feature: labels.feature_key === null ? null : (features.get(labels.feature_key)?.reportedAs ?? null),
        labels,
        doubt,
      }
    })
}

function examples(file: string): Row[] {
  const isRequest = basename(file) === 'requests.txt'
  const kind = isRequest ? 'request' : basename(file) === 'instructions.txt' ? 'instruction' : 'no-request'
  const language = basename(dirname(file))
  return readExamples(readFileSync(file, 'utf8')).map(({ section, text }, index) => ({
    id: `${language}-${kind}-${index + 1}`,
    kind,
    file: `${language}/${basename(file)}`,
    stars: null,
    app: null,
    text: tokenize(normalize(text), pieces),
    feature: isRequest ? (features.get(section)?.reportedAs ?? null) : null,
    labels: null,
    doubt: false,
  }))
}
