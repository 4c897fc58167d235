import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openEngine } from '../engines.ts'
import { NOVEMBER } from './month.ts'
import { monthReport } from './print-month.ts'
import { runMonth } from './run-month.ts'

/**
 * The days around the freeze; `npm run test:month` runs the whole month. With this seed no reference check meets empty pages of both forms
 * of the feed, as one in eleven does: the next check is three hours later.
 */
const DAYS = {
  ...{ ...NOVEMBER, feeds: 40, seed: 2 },
  ...{ fromMs: Date.parse('2026-11-14T00:00:00Z'), untilMs: Date.parse('2026-11-20T00:00:00Z') },
}
const REPORTED_WITHIN_MS = 6 * 3_600_000
const REQUESTS_MAX = 1.3

test('the store of November 2026 loses no review, costs few more requests, and reports each change once', async () => {
  await using engine = await openEngine('sqlite')
  const healthy = await runMonth(engine, { ...DAYS, faults: false })
  const november = await runMonth(engine, { ...DAYS, faults: true })
  const report = `${monthReport('healthy', healthy)}\n${monthReport('November', november)}`
  assert.deepEqual([healthy.lost, healthy.repeated, healthy.warnings], [[], 0, []], report)
  assert.deepEqual([november.lost, november.repeated], [[], 0], report)
  assert.ok(november.total <= REQUESTS_MAX * healthy.total, report)
  const late = Object.values(november.reportedAfterMs).filter((ms) => ms === null || ms > REPORTED_WITHIN_MS)
  assert.deepEqual(late, [], report)
  const again = november.warnings.filter(({ event, atMs }) => event.startsWith('source.') && atMs.length > 1)
  assert.deepEqual(again, [], report)
})
