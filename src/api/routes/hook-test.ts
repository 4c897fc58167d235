import { randomUUID } from 'node:crypto'
import type { AttemptView } from '../../contract/attempt.ts'
import { sampleEvent } from '../../contract/sample.ts'
import type { Attempt } from '../../model/delivery.ts'
import type { Hook, HookWithWatches } from '../../model/hook.ts'
import type { EventType } from '../../model/vocabulary.ts'
import type { AccountGuard } from '../../operations/limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { DeliveryStorage } from '../../storage/port/deliveries.ts'
import type { HookStorage } from '../../storage/port/hooks.ts'
import type { Operations } from '../operation.ts'
import { noSuchHook } from './hooks.ts'

export type HookTestDeps = {
  readonly hooks: Pick<HookStorage, 'get'>
  readonly deliveries: Pick<DeliveryStorage, 'recordTest'>
  readonly clock: Clock
  readonly limits: Pick<AccountGuard, 'testEvent'>
  /** One signed request through the guarded egress, now, outside of any schedule. */
  readonly sendOnce: (
    hook: Hook,
    event: { readonly eventId: string; readonly body: string },
  ) => Promise<Attempt>
}

/** The test operation: a synthetic event of the hook's own kind, sent now, recorded, and shown to the caller. */
export function hookTestOperation(deps: HookTestDeps): Pick<Operations, 'test_hook'> {
  return {
    async test_hook({ accountId, id }) {
      const hook = await deps.hooks.get(accountId, id)
      if (hook === null) throw noSuchHook()
      deps.limits.testEvent(accountId)
      const event = testEventOf(hook, deps.clock.now())
      const body = JSON.stringify(event)
      const attempt = await deps.sendOnce(hook, { eventId: event.event_id, body })
      await deps.deliveries.recordTest(accountId, id, attempt, body)
      return presentAttempt(attempt, event.event_id, body)
    },
  }
}

/** A synthetic event of the hook's first watch, or of the type that is asked for. */
export function testEventOf(hook: HookWithWatches, at: Date, eventType?: EventType) {
  const watch = hook.watches[0]
  return sampleEvent(eventType ?? watch?.eventType ?? 'review.created', {
    store: watch?.store ?? 'apple',
    appId: watch?.appId ?? '123456789',
    country: watch?.storefront ?? 'us',
    subscriberId: hook.id,
    at,
    nonce: randomUUID(),
  })
}

/** The address that was dialled is left out: a caller must not map the operator's network by it. */
function presentAttempt(attempt: Attempt, eventId: string, body: string): AttemptView {
  const { timings } = attempt
  return {
    event_id: eventId,
    accepted: attempt.reason === null,
    reason: attempt.reason,
    detail: attempt.detail,
    started_at: attempt.startedAt.toISOString(),
    url: attempt.url,
    request_headers: attempt.requestHeaders,
    request_body: body,
    http_status: attempt.httpStatus,
    response_headers: attempt.responseHeaders,
    response_body: attempt.responseBody,
    response_truncated: attempt.responseTruncated,
    timings_ms: {
      dns: timings.dnsMs,
      connect: timings.connectMs,
      tls: timings.tlsMs,
      first_byte: timings.firstByteMs,
      total: timings.totalMs,
    },
  }
}
