import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instantOf, later } from '../../runtime/instant.ts'
import type { ClaimedReply } from '../../storage/port/replies.ts'
import type { OneReviewAnswer, ReplyAnswer } from '../appstores/official.ts'
import { afterQuota, afterRead, afterReply, countsForQuota } from './after-answer.ts'

const NOON = instantOf(Date.parse('2026-03-01T12:00:00Z'))
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const after = (ms: number) => later(NOON, ms)

function claimed(change: Partial<ClaimedReply>): ClaimedReply {
  return {
    accountId: 'alice',
    fingerprint: 'f',
    store: 'apple',
    appId: '1',
    reviewId: 'r',
    state: 'sent',
    text: 'Thanks',
    shownText: null,
    draft: null,
    problem: null,
    author: 'Ann',
    requestedAt: NOON,
    updatedAt: NOON,
    nextAttemptAt: null,
    undoUntil: null,
    lease: 'l',
    attempts: 0,
    sentText: 'Thanks',
    connection: { id: 'c', accountId: 'alice', kind: 'appstoreconnect', credentials: '' },
    ...change,
  }
}
const FAILED = {
  kind: 'failed',
  reason: 'unavailable',
  status: 503,
  detail: 'The store is down.',
} as const satisfies ReplyAnswer | OneReviewAnswer

test('an answer above the quota waits until the oldest one is a day old, and does not count as sent', () => {
  const waiting = { state: 'pending', shownText: 'Before' } as const
  assert.deepEqual(afterQuota(waiting, { max: 2_000, fullSince: after(-20 * HOUR) }, NOON), {
    state: 'pending',
    shownText: 'Before',
    problem: "The app has reached the store's limit of answers a day (2000). This one is sent later.",
    nextAt: after(4 * HOUR),
    isUnsent: true,
  })
  const soon = afterQuota(waiting, { max: 2_000, fullSince: after(-24 * HOUR + SECOND) }, NOON)
  assert.deepEqual(soon.nextAt, after(MINUTE))
  assert.equal(countsForQuota(after(-24 * HOUR + 1), NOON), true)
  assert.equal(countsForQuota(after(-24 * HOUR), NOON), false)
})

test('an accepted answer is looked for after 30 s, then less and less often', () => {
  const waits: number[] = []
  for (let waitedMs = SECOND; waitedMs < 24 * HOUR; ) {
    const { nextAt } = afterRead(claimed({}), FAILED, after(waitedMs))
    assert.ok(nextAt)
    const waitMs = nextAt.getTime() - after(waitedMs).getTime()
    waits.push(waitMs / SECOND)
    waitedMs += waitMs
  }
  assert.deepEqual(waits.slice(0, 6).map(Math.round), [30, 31, 62, 124, 248, 300])
  assert.ok(waits.length < 65, `${waits.length} requests in a day`)
  const sent: ReplyAnswer = {
    kind: 'ok',
    written: true,
    reply: { replyId: '1', text: 'Thanks', state: 'pending', updatedAt: null },
  }
  assert.deepEqual(afterReply(claimed({ state: 'pending' }), sent, NOON).nextAt, after(30 * SECOND))
  const limited = { ...FAILED, reason: 'rate_limited', retryAfterMs: HOUR } as const
  assert.deepEqual(afterRead(claimed({}), limited, NOON).nextAt, after(HOUR))
})

test('failures are retried for a day, and ten times after a day of waiting for the quota', () => {
  const pending = { state: 'pending', requestedAt: after(-25 * HOUR) } as const
  assert.equal(afterReply(claimed({ ...pending, attempts: 30 }), FAILED, NOON).state, 'refused')
  assert.equal(afterReply(claimed({ ...pending, attempts: 0 }), FAILED, NOON).state, 'pending')
})
