import assert from 'node:assert/strict'
import { eventIdOf } from '../../src/model/occurrence.ts'
import { instantOf } from '../../src/runtime/instant.ts'
import { attemptOf, claim, NO_CHANGE } from '../../src/storage/conformance/queue/queue-samples.ts'
import { claimFeed, poll, reviewOf } from '../../src/storage/conformance/samples.ts'
import type { NextStep } from '../../src/storage/port/deliveries.ts'
import type { Tenant } from './interfaces.ts'
import type { TestService } from './service.ts'

/**
 * Creates a hook of `who` with `count` deliveries, each with one attempt and the state `next`. Returns the event IDs. The
 * service must not have the role of the sender.
 */
export async function settledDeliveries(
  { service: { storage }, clock }: TestService,
  who: Tenant,
  count: number,
  next: NextStep,
): Promise<{ readonly hookId: string; readonly ids: string[] }> {
  const made = await who.api('POST', '/hooks', {
    target_url: 'https://example.com/hook',
    store: 'apple',
    app_id: '1',
    event_type: 'review.created',
  })
  const { id: hookId } = made.json<{ id: string }>()
  const now = clock.now()
  const review = reviewOf({ reviewId: `${hookId} ${count}`, occurredAt: now, observedAt: now })
  await poll(storage, await claimFeed(storage, { now }), [review], {
    poll: { polledAt: now },
    nextPollAt: instantOf(0),
    enrichment: { readyAt: now, enrich: false },
  })
  const events = Array.from({ length: count }, (_, index) => ({
    eventId: eventIdOf(hookId, String(index)),
    hookId,
    accountId: who.accountId,
    body: JSON.stringify({ index }),
  }))
  await storage.occurrences.fanOut({ now, limit: 10, expireAfterMs: 3_600_000 }, () => events)
  const claimed = await claim(storage, { now: clock.now() }, (lane) => ({
    take: lane.hookId === hookId ? count : 0,
    notBefore: null,
  }))
  assert.equal(claimed.length, count)
  const attempt =
    next.status === 'delivered' ? attemptOf() : attemptOf({ httpStatus: 500, reason: 'http_status' })
  await storage.deliveries.settle(
    claimed.map((delivery) => ({ delivery, attempt, next })),
    now,
    () => NO_CHANGE,
  )
  return { hookId, ids: events.map(({ eventId }) => eventId) }
}
