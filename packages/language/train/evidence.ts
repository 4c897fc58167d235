/**
 * Writes the encoder's evidence of every fifth labelled review for whitening.py: `node evidence.ts OUT FILE...`, 384 float32 numbers a
 * review. A covariance of 384 numbers needs no more.
 */
import { writeFileSync } from 'node:fs'
import { inputOf, readLabelled } from '../eval/labelled.ts'
import { loadEncoder } from '../src/encoder/encoder.ts'
import { inputPrefix } from '../src/encoder/input.ts'
import { normalize } from '../src/text/normalize.ts'
import { spacedSentencesOf } from '../src/text/sentences.ts'

const EVERY = 5
const [out = '', ...files] = process.argv.slice(2)
const encode = await loadEncoder(new URL('../model/', import.meta.url))
const rows: Float32Array[] = []
for (const review of files.flatMap(readLabelled).filter((_, at) => at % EVERY === 0)) {
  const { title, body, rating, app } = inputOf(review, true)
  const text = normalize(title === null || title === '' ? body : `${title}\n${body}`)
  const { evidence } = await encode(inputPrefix(rating, app?.name ?? null), spacedSentencesOf(text))
  rows.push(evidence)
}
writeFileSync(out, Buffer.concat(rows.map((row) => new Uint8Array(row.buffer))))
