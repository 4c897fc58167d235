import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { exportedReview } from '../../src/contract/v1/reviews.ts'
import { enrichment } from '../../src/contract/webhook.ts'
import { startTestService } from '../../test/support/service.ts'
import { until } from '../../test/support/until.ts'
import { readJson } from './support/files.ts'
import { addTrackedApp, publishNewReview, trackApp } from './support/platform.ts'

type Column = {
  readonly name: string
  readonly type: string
  readonly mode?: string
  readonly fields?: readonly Column[]
}
const schema = readJson<readonly Column[]>('bigquery/reviews.schema.json')

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  STRING: (value) => typeof value === 'string',
  INTEGER: Number.isInteger,
  BOOLEAN: (value) => typeof value === 'boolean',
  TIMESTAMP: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
}

/** Whether BigQuery loads the row into the columns: no unknown field, the right types, no null where it is not allowed. */
function problemsOf(row: Readonly<Record<string, unknown>>, columns: readonly Column[]): string[] {
  const unknown = Object.keys(row).filter((name) => !columns.some((column) => column.name === name))
  return [
    ...unknown.map((name) => `${name} is unknown`),
    ...columns.flatMap(({ name, type, mode, fields }) => {
      const value = row[name]
      if (mode === 'REPEATED')
        return Array.isArray(value) && value.every((one) => TYPES[type]?.(one)) ? [] : [`${name} is no list`]
      if (value === null || value === undefined) return mode === 'REQUIRED' ? [`${name} is missing`] : []
      if (fields !== undefined) return problemsOf(value as typeof row, fields)
      return TYPES[type]?.(value) ? [] : [`${name} is no ${type}`]
    }),
  ]
}

test('the table has the columns of an export', () => {
  const names = (columns: readonly Column[] | undefined) => columns?.map(({ name }) => name)
  assert.deepEqual(names(schema), Object.keys(exportedReview.shape))
  assert.deepEqual(
    names(schema.find(({ name }) => name === 'enrichment')?.fields),
    Object.keys(enrichment.shape),
  )
})

test('BigQuery can load the exported rows, with and without enrichment', async () => {
  const radar = await startTestService({ RADAR_REVIEWS_POLL_INTERVAL: '200ms' })
  after(() => radar[Symbol.asyncDispose]())
  addTrackedApp(radar)
  const alice = await radar.person('Alice')
  await trackApp(alice)
  await publishNewReview(radar)
  const headers = { authorization: `Bearer ${alice.token}` }
  const row = await until('the review is exported', async () => {
    const { text } = await radar.request('/api/v1/exports/reviews?format=jsonl', { headers })
    return text !== '' && JSON.parse(text.split('\n')[0] ?? '')
  })
  assert.deepEqual(problemsOf(row, schema), [])
  const { enrichment: labels } = readJson<Readonly<Record<string, object>>>('zapier/samples/review.json')
  assert.deepEqual(problemsOf({ ...row, enrichment: labels }, schema), [])
  assert.deepEqual(problemsOf({ ...row, rating: '5', is_new: true }, schema), [
    'is_new is unknown',
    'rating is no INTEGER',
  ])
})
