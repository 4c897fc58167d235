import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
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

test('a CSV that a spreadsheet saved with semicolons or tabs is read like one with commas', async () => {
  const row = { ...ROW, body: 'one, two; "three"\tfour' }
  for (const separator of [';', '\t']) {
    const lines = [Object.keys(row), Object.values(row)].map((cells) =>
      cells.map((cell) => `"${String(cell ?? '').replaceAll('"', '""')}"`).join(separator),
    )
    const parsed = await rowsOf('text/csv', `\uFEFF${lines.join('\r\n')}\r\n`)
    assert.deepEqual(parsed, [{ ...PARSED, body: row.body }])
  }
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
    ['application/jsonl', '\xff', /^The body is not UTF-8\.$/],
    ['text/csv', 'store,app_id\napple,1', /^Row 1: market is required/],
    ['text/csv', 'a,b\n1,2,3', /^Row 1 is not valid CSV: it has 3 cells, but there are 2 columns\.$/],
    ['text/csv', 'a,b\n1,5" screen', /^Row 1 is not valid CSV: put a text with quotes in quotes/],
    ['text/csv', 'a,b\n1,"x"y', /^Row 1 is not valid CSV: /],
    ['text/csv', 'a,b\n1,"x', /^Row 1 is not valid CSV: /],
    ['text/csv', '"a', /^The line with the names of the columns is not valid CSV\.$/],
    ['text/csv', 'rating\nfive', /rating must be a whole number from 1 to 5, not NaN/],
    [
      'application/json',
      '[]',
      /^The body must be rows, sent with Content-Type: text\/csv or application\/jsonl\.$/,
    ],
  ] as const) {
    await assert.rejects(
      parseRows({ schema: importRow, numbers: ['rating'], max: 3 }, type, Buffer.from(body, 'latin1')),
      { message: problem },
    )
  }
})

test('too many rows, columns and bytes of a row are refused without a look at what follows', async () => {
  const rows = `${JSON.stringify(ROW)}\n`.repeat(4)
  const columns = Array.from({ length: 1_001 }, (_, at) => `c${at}`).join()
  const long = 'x'.repeat(300_000)
  for (const [type, body, problem] of [
    [
      'application/jsonl',
      `${rows}{`,
      /^The body has more than 3 rows, the most that are accepted at once\.$/,
    ],
    ['text/csv', `${columns}\n1,2`, /^The body has 1001 columns: at most 1000 are accepted\.$/],
    [
      'application/jsonl',
      `${JSON.stringify(ROW)}\n${long}`,
      /^The row that begins after \d+ bytes is longer than 262144 bytes\.$/,
    ],
    ['text/csv', `a\n"${long}`, /^The row that begins after \d+ bytes is longer than 262144 bytes\.$/],
  ] as const) {
    await assert.rejects(rowsOf(type, body), { message: problem })
  }
})

test('other requests get a turn while a body is parsed', async () => {
  const row = { ...ROW, body: 'x'.repeat(1_000) }
  const columns = Object.keys(row)
  for (const [type, body] of [
    ['application/jsonl', `${JSON.stringify(row)}\n`.repeat(500)],
    ['text/csv', csvOf([columns, ...Array.from({ length: 500 }, () => Object.values(row))])],
    ['application/jsonl', `${'\n'.repeat(2_000_000)}${JSON.stringify(ROW)}`],
    ['text/csv', `${'\n'.repeat(2_000_000)}${csvOf([columns, Object.values(row)])}`],
  ] as const) {
    let turns = 0
    let isDone = false
    const parsed = parseRows(
      { schema: importRow, numbers: ['rating'], max: 500 },
      type,
      Buffer.from(body),
    ).finally(() => {
      isDone = true
    })
    while (!isDone) {
      await setImmediate()
      turns += 1
    }
    await parsed
    assert.ok(turns >= 8, `${turns} turns`)
  }
})
