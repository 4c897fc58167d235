import assert from 'node:assert/strict'
import { it } from 'node:test'
import { POLL_OUTCOMES } from './feed.ts'
import { feedHealth, worstHealth } from './feed-health.ts'

const AT = new Date('2026-03-01T12:00:00Z')
const failing = (lastOutcome: (typeof POLL_OUTCOMES)[number]) =>
  ({ kind: 'reviews', lastPolledAt: AT, failingSince: AT, lastOutcome }) as const
const well = { kind: 'reviews', lastPolledAt: AT, failingSince: null, lastOutcome: 'ok' } as const
const waiting = { kind: 'reviews', lastPolledAt: null, failingSince: null, lastOutcome: null } as const
const empty = { ...well, lastOutcome: 'empty' } as const
const unrated = { ...empty, kind: 'rating' } as const

it('the health of a feed names the outcome of the last poll, or stale for other failures', () => {
  assert.equal(feedHealth(waiting), 'waiting')
  assert.equal(feedHealth(well), 'well')
  assert.deepEqual(
    POLL_OUTCOMES.map((outcome) => feedHealth(failing(outcome))),
    ['stale', 'stale', 'stale', 'blocked', 'gone', 'changed'],
  )
})

it('the health of several feeds is that of the worst', () => {
  assert.equal(worstHealth([]), 'waiting')
  assert.equal(worstHealth([well, waiting]), 'waiting')
  assert.equal(worstHealth([failing('blocked'), well, failing('unknown')]), 'blocked')
  assert.equal(worstHealth([failing('changed'), failing('gone')]), 'gone')
})

it('a rating that the store does not show yet is a state of its own, and the app is as healthy as its other feeds', () => {
  assert.deepEqual([empty, unrated].map(feedHealth), ['well', 'unrated'])
  assert.equal(feedHealth({ ...failing('unknown'), kind: 'rating' }), 'stale')
  assert.equal(worstHealth([well, unrated]), 'well')
  assert.equal(worstHealth([unrated]), 'unrated')
  assert.equal(worstHealth([unrated, failing('gone')]), 'gone')
})
