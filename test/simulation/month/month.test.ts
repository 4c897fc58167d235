import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openEngine } from '../engines.ts'
import { monthReport } from './print-month.ts'
import { runMonth } from './run-month.ts'

/** The days around the freeze; `npm run test:month` runs the whole month. */
const DAYS = {
  feeds: 100,
  fromMs: Date.parse('2026-11-15T00:00:00Z'),
  untilMs: Date.parse('2026-11-18T06:00:00Z'),
}
/** Not chosen: docs/simulation.md names how many were run. */
const SEED = 1
const REPORTED_WITHIN_MS = 6 * 3_600_000
const REQUESTS_MAX = 1.3

test('the store of November 2026 loses no review, costs few more requests, and reports each change once', async () => {
  await using engine = await openEngine('sqlite')
  const healthy = await runMonth(engine, { ...DAYS, seed: SEED, faults: false })
  assert.deepEqual(
    [healthy.lost, healthy.repeated, healthy.warnings],
    [[], 0, []],
    monthReport(`healthy, seed ${SEED}`, healthy),
  )
  const november = await runMonth(engine, { ...DAYS, seed: SEED, faults: true })
  const report = monthReport(`November, seed ${SEED}`, november)
  assert.deepEqual([november.lost, november.repeated], [[], 0], report)
  assert.ok(november.total <= REQUESTS_MAX * healthy.total, report)
  const late = Object.values(november.reportedAfterMs).filter((ms) => ms === null || ms > REPORTED_WITHIN_MS)
  assert.deepEqual(late, [], report)
  const again = november.warnings.filter(({ event, atMs }) => event.startsWith('source.') && atMs.length > 1)
  assert.deepEqual(again, [], report)
})
