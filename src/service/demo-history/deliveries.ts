import { randomUUID } from 'node:crypto'
import type { Attempt } from '../../model/delivery.ts'
import { eventsOf } from '../../pipeline/fanout/events.ts'
import type { ClaimedDelivery, NextStep } from '../../storage/port/deliveries.ts'
import type { Storage } from '../../storage/port/storage.ts'

const LEASE_MS = 60_000
/** The wait before the second attempt. */
const RETRY_MS = 5 * 60_000
const EXPIRE_AFTER_MS = 3 * 24 * 3_600_000
/** More than one day of a demo has. */
const OCCURRENCES_MAX = 5_000
const EPOCH = new Date(0)

/** The fan-out at a past time. The subscriptions of a demo are younger than its events, so their age does not count. */
export async function eventsOfThePast(storage: Storage, at: Date): Promise<void> {
  await storage.occurrences.fanOut(
    { now: at, limit: OCCURRENCES_MAX, expireAfterMs: EXPIRE_AFTER_MS },
    (occurrence, candidates) =>
      eventsOf(
        occurrence,
        candidates.map((candidate) => ({ ...candidate, watch: { ...candidate.watch, createdAt: EPOCH } })),
      ),
  )
}

type Sending = {
  readonly storage: Storage
  readonly random: () => number
  readonly isFlaky: (targetUrl: string) => boolean
}

/** The attempts of the events of a past time. */
export async function sendAll(sending: Sending, at: Date): Promise<void> {
  await attemptDue(sending, at)
  await attemptDue(sending, new Date(at.getTime() + RETRY_MS))
}

async function attemptDue({ storage, random, isFlaky }: Sending, at: Date): Promise<void> {
  const deliveries = await storage.deliveries.claim(
    {
      now: at,
      lease: randomUUID(),
      leaseMs: LEASE_MS,
      limit: OCCURRENCES_MAX,
      lanesMax: OCCURRENCES_MAX,
      busyHooks: [],
      busyHosts: [],
      firstAttemptsOnly: false,
    },
    (lanes) => new Map(lanes.map(({ hookId }) => [hookId, { take: OCCURRENCES_MAX, notBefore: null }])),
  )
  const settled = deliveries.map((delivery) => {
    const isFirst = delivery.attempts === 0
    const fails = isFirst && isFlaky(delivery.targetUrl) && random() < 0.6
    const next: NextStep = fails
      ? { status: 'pending', dueAt: new Date(at.getTime() + RETRY_MS) }
      : { status: 'delivered' }
    return { delivery, next, attempt: attemptOf(delivery, at, fails, random) }
  })
  await storage.deliveries.settle(settled, at, () => ({
    health: null,
    notBefore: null,
    notices: [],
    gone: false,
  }))
}

function attemptOf(delivery: ClaimedDelivery, at: Date, fails: boolean, random: () => number): Attempt {
  const connectMs = 1 + 3 * random()
  const firstByteMs = connectMs + 8 + 60 * random() ** 3
  return {
    number: delivery.attempts + 1,
    startedAt: at,
    timings: { dnsMs: null, connectMs, tlsMs: null, firstByteMs, totalMs: firstByteMs + 1 },
    url: delivery.targetUrl,
    requestHeaders: { 'content-type': 'application/json; charset=utf-8' },
    httpStatus: fails ? 503 : 204,
    reason: fails ? 'http_status' : null,
    detail: null,
    remoteAddress: '127.0.0.1',
    responseHeaders: {},
    responseBody: '',
    responseTruncated: false,
    replayId: delivery.replayId,
  }
}
