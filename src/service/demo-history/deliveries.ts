import { randomUUID } from 'node:crypto'
import { newSecret } from '../../model/signature.ts'
import { afterAttempt, JITTER_MAX } from '../../pipeline/send/after-attempt.ts'
import { attempt } from '../../pipeline/send/attempt.ts'
import { claimableAt, mayClaim, probing } from '../../pipeline/send/breaker.ts'
import { type AttemptResult, healthFrom, healthText } from '../../pipeline/send/health.ts'
import { laneChange } from '../../pipeline/send/settler.ts'
import { type Instant, later } from '../../runtime/instant.ts'
import type { Allocation, ClaimedDelivery, Lane, Settled } from '../../storage/port/deliveries.ts'
import { VERSION } from '../version.ts'
import type { Past } from './past.ts'

const LEASE_MS = 60_000
const TIMEOUT_MS = 15_000
/** More than the demo has at one time. */
const DELIVERIES_MAX = 5_000
const LANES_MAX = 100

/** Attempts all deliveries that are due, until none is left. Returns the times at which more become due. */
export async function sendDue(past: Past, at: Instant): Promise<Date[]> {
  const due: Date[] = []
  for (;;) {
    const claimed = await claim(past, at, due)
    if (claimed.length === 0) return due
    const done = await Promise.all(claimed.map((delivery) => attemptOnce(past, delivery, at)))
    const results = new Map(done.map(({ settled, result }) => [settled.delivery.seq, result]))
    const settledAtMs = Math.max(...done.map(({ settled }) => settled.attempt.timings.totalMs))
    const now = later(at, Math.ceil(settledAtMs))
    for (const { next } of done.map(({ settled }) => settled))
      if (next.status === 'pending') due.push(next.dueAt)
    await past.storage.deliveries.settle(
      done.map(({ settled }) => settled),
      now,
      (lane, settled) => {
        const change = laneChange(
          lane,
          settled.flatMap(({ delivery }) => results.get(delivery.seq) ?? []),
          now,
        )
        if (change.notBefore !== null && change.notBefore > at) due.push(change.notBefore)
        return change
      },
    )
  }
}

function claim({ storage }: Past, at: Instant, due: Date[]): Promise<ClaimedDelivery[]> {
  const allocate = (lane: Lane): Allocation => {
    const health = healthFrom(lane.health)
    const may = mayClaim(health.breaker, at)
    if (may === 'all') return { take: DELIVERIES_MAX, notBefore: null }
    if (may === 'one') {
      return {
        take: 1,
        notBefore: null,
        health: healthText({ ...health, breaker: probing(health.breaker, at) }),
      }
    }
    const notBefore = claimableAt(health.breaker, at)
    if (notBefore !== null) due.push(notBefore)
    return { take: 0, notBefore }
  }
  return storage.deliveries.claim(
    {
      now: at,
      lease: randomUUID(),
      leaseMs: LEASE_MS,
      limit: DELIVERIES_MAX,
      lanesMax: LANES_MAX,
      busyHooks: [],
      busyHosts: [],
      firstAttemptsOnly: false,
    },
    (lanes) => new Map(lanes.map((lane) => [lane.hookId, allocate(lane)])),
  )
}

async function attemptOnce(
  past: Past,
  delivery: ClaimedDelivery,
  at: Instant,
): Promise<{ readonly settled: Settled; readonly result: AttemptResult }> {
  const { eventId, targetUrl, body } = delivery
  const attempts = delivery.attempts + 1
  const record = await attempt(
    {
      egress: {
        request: async ({ url }) => past.answer(url, at),
        [Symbol.asyncDispose]: async () => {},
      },
      clock: { now: () => at, monotonicMs: () => 0, sleep: async () => {} },
      userAgent: `ReviewRadar/${VERSION}`,
    },
    // Signatures are masked in the record, so any secret does.
    { eventId, targetUrl, body, secrets: [newSecret()], number: attempts },
    TIMEOUT_MS,
  )
  const after = afterAttempt(record.outcome, {
    attempts,
    automated: false,
    waitsMs: past.waitsMs,
    jitter: past.random() * JITTER_MAX,
    now: at,
  })
  if (after.kind !== 'settle') throw new Error('nothing interrupts an attempt of the past')
  return {
    settled: { delivery, attempt: record.attempt, next: after.next },
    result: { outcome: record.outcome, after },
  }
}
