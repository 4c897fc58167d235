import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createGuard } from '../../src/runtime/egress/guard.ts'
import { openEgress } from '../../src/runtime/egress/open.ts'
import { webhookTo } from '../../src/storage/conformance/samples.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import type { Person } from '../support/people.ts'
import { publish } from '../support/publish.ts'
import { createReceiverLookup } from '../support/receivers/names.ts'
import { hangs, limitsOf, type Receiver } from '../support/receivers/receiver.ts'
import { RECEIVERS } from '../support/receivers/registry.ts'
import { RECEIVER_AUTHORITY } from '../support/receivers/tls.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/**
 * Sends events to all hostile receivers concurrently through a running service, to those that hang through one with a shorter timeout.
 * Checks the final state and the number of attempts of each delivery.
 */

const WAITS_MS = [20, 20]
const ATTEMPTS_MAX = WAITS_MS.length + 1
/** The waits that receivers request, and time for a busy machine. */
const SETTLED_MS_MAX = ATTEMPTS_MAX * limitsOf(true).boundMs
const place = { store: 'google', appId: 'com.example.hostile', market: 'en' } as const

const hooks = (
  await Promise.all(
    [true, false].map((isHanging) => hooksOf(RECEIVERS.filter((each) => hangs(each) === isHanging))),
  )
).flat()

/** Starts a service with a hook for each receiver, and publishes a review for them. */
async function hooksOf(receivers: readonly Receiver[]) {
  const isHanging = receivers.every(hangs)
  const radar = await startTestService(
    {
      RADAR_DELIVERY_TIMEOUT: `${limitsOf(isHanging).timeoutMs}ms`,
      RADAR_RETRY_WAITS: WAITS_MS.map((ms) => `${ms}ms`).join(),
    },
    {
      targetEgress: openEgress({
        guard: createGuard({ allowCidrs: ['127.0.0.0/8'] }),
        userAgent: 'ReviewRadar/test',
        lookup: createReceiverLookup(),
        ca: RECEIVER_AUTHORITY,
      }),
    },
  )
  after(() => radar[Symbol.asyncDispose]())
  const alice = await radar.person('Alice')
  addApp(radar.world, place)
  const created = await Promise.all(
    receivers.map((receiver) => hookOf(receiver, radar.service.storage, alice)),
  )
  publish(radar, place)
  return created
}

async function hookOf(receiver: Receiver, storage: Storage, alice: Person) {
  const running = await receiver.start()
  after(() => running.close())
  // Subscribe rejects some of these addresses, but a hook can have one after a DNS name or a setting changed.
  const { id } = await alice.client.subscribe({
    target_url: 'https://example.com/',
    store: place.store,
    app_id: place.appId,
    event_type: 'review.created',
    source: receiver.source ?? 'api',
  })
  await storage.hooks.update(alice.accountId, id, { target: webhookTo(running.url) })
  return { receiver, running, id, storage, accountId: alice.accountId }
}

describe('a delivery to each hostile receiver has the expected result', { concurrency: true }, () => {
  for (const { receiver, running, id, storage, accountId } of hooks) {
    const { expect } = receiver
    test(receiver.name, async () => {
      const { final } = expect
      const attemptsWanted = final.attempts === 'all' ? ATTEMPTS_MAX : final.attempts
      const delivery = await until(
        `it is ${final.status}`,
        async () => {
          const [row] = await storage.deliveries.list(accountId, { hookId: id }, { limit: 2, before: null })
          return row?.status === final.status && row.attempts === attemptsWanted && row
        },
        SETTLED_MS_MAX,
      )
      if (final.status === 'dead') assert.equal(delivery.deadReason, final.reason)

      const attempts = await storage.deliveries.attempts(accountId, delivery.eventId)
      const wanted = Array.from(
        { length: attemptsWanted },
        (_, at) => expect.attempts[at] ?? expect.attempts.at(-1),
      )
      assert.deepEqual(
        attempts.map(({ reason, httpStatus }) => ({ reason, httpStatus })),
        wanted,
      )
      for (const attempt of attempts) {
        assert.ok(
          attempt.timings.totalMs <= limitsOf(hangs(receiver)).boundMs,
          `took ${attempt.timings.totalMs} ms`,
        )
        assert.ok(JSON.stringify(attempt).length < 120_000, 'the record has a size limit')
      }
      const last = attempts.at(-1)
      assert.ok(last)
      if (attempts.length >= expect.attempts.length) expect.check?.(last)
      if (final.status === 'pending') {
        const waitMs = (delivery.dueAt?.getTime() ?? 0) - last.startedAt.getTime()
        assert.ok(waitMs >= (expect.retryAfterSeconds ?? 0) * 1_000)
      }
      const reachedWanted = expect.reached === undefined ? attemptsWanted : expect.reached
      assert.equal(running.requests.length, reachedWanted, 'requests that arrived')
    })
  }
})
