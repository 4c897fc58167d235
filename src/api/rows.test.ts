import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importRow } from '../contract/v1/reviews.ts'
import { csvOf } from './export.ts'
import { parseRows } from './rows.ts'

const ROW = {
  store: 'apple',
  app_id: '1',
  market: 'us',
  review_id: 'r1',
  rating: 4,
  title: null,
  body: 'Fine, "really"\nfine',
  author: '=HYPERLINK("x")',
  app_version: null,
  occurred_at: '2025-01-01T00:00:00.000Z',
}
const PARSED = { ...ROW, occurred_at: new Date(ROW.occurred_at) }

const rowsOf = (type: string, body: string) =>
  parseRows({ schema: importRow, numbers: ['rating'], max: 3 }, type, Buffer.from(body))

test('rows of JSON Lines and of an exported CSV are the same', async () => {
  const lines = `${JSON.stringify(ROW)}\n\n${JSON.stringify(ROW)}`
  assert.deepEqual(await rowsOf('application/jsonl', lines), [PARSED, PARSED])
  const csv = `\uFEFF${csvOf([Object.keys(ROW), Object.values(ROW)])}`
  assert.deepEqual(await rowsOf('text/csv; charset=utf-8', csv), [PARSED])
})

test('an error names the first invalid row and its field', async () => {
  const bad = JSON.stringify({ ...ROW, rating: 6 })
  for (const [type, body, problem] of [
    [
      'application/jsonl',
      `${JSON.stringify(ROW)}\n${bad}`,
      /^Row 2: rating must be a whole number from 1 to 5, not 6\.$/,
    ],
    ['application/jsonl', '{', /^Row 1 is not valid JSON\.$/],
    ['application/jsonl', '[]', /^Row 1: Each row must be a JSON object\.$/],
    ['application/jsonl', '', /^The body has no rows\.$/],
    ['text/csv', 'store,app_id\napple,1', /^Row 1: market is required/],
    ['text/csv', 'a,b\n1,2,3', /^The body is not valid CSV: /],
    ['text/csv', 'rating\nfive', /rating must be a whole number from 1 to 5, not NaN/],
    ['application/jsonl', `${JSON.stringify(ROW)}\n`.repeat(4), /^The body has 4 rows: at most 3/],
    [
      'application/json',
      '[]',
      /^The body must be rows, sent with Content-Type: text\/csv or application\/jsonl\.$/,
    ],
  ] as const) {
    await assert.rejects(rowsOf(type, body), { message: problem })
  }
})
