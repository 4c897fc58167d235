import { randomUUID } from 'node:crypto'
import { sampleEvent } from '../../contract/sample.ts'
import type { Attempt } from '../../model/delivery.ts'
import type { Hook, HookWithWatches } from '../../model/hook.ts'
import { isPulled } from '../../model/inbox.ts'
import type { EventType } from '../../model/vocabulary.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Sealer } from '../../runtime/seal.ts'
import type { DeliveryStorage } from '../../storage/port/deliveries.ts'
import type { HookStorage } from '../../storage/port/hooks.ts'
import type { AccountGuard } from '../limits.ts'
import type { ManualLaneChanges } from '../recovery.ts'
import { requireHook } from '../require-hook.ts'
import { requireSomebody, subscribedRecipients } from './mail-recipients.ts'

/** Sends one signed request through the guarded egress now, outside any schedule. */
export type SendOnce = (
  hook: Hook,
  event: { readonly eventId: string; readonly body: string },
) => Promise<Attempt>

export type TestEventDeps = {
  readonly hooks: Pick<HookStorage, 'get'>
  readonly deliveries: Pick<DeliveryStorage, 'recordTest' | 'changeLanes'>
  readonly clock: Clock
  readonly limits: Pick<AccountGuard, 'testEvent' | 'testMails'>
  readonly sealer: Pick<Sealer, 'open'>
  readonly sendOnce: SendOnce
  readonly manualLaneChanges: Pick<ManualLaneChanges, 'accepted'>
  /** Ends the wait of the loops. */
  readonly wake: () => void
}

/** A test event is not stored as an event, so that no program takes it for a review. */
const PULLED_TEST = 'This hook has no URL, so no request was sent. Test events cannot be pulled.'

/** The sent event and its attempt. */
export type TestSent = { readonly eventId: string; readonly body: string; readonly attempt: Attempt }

/**
 * Sends a synthetic event of the given type, by default that of the hook's first watch, and records the attempt. Throws `conflict`
 * when nobody would get the mail. A success closes an open
 * breaker of the hook; a failure changes nothing.
 */
export async function sendTestEvent(
  deps: TestEventDeps,
  accountId: string,
  id: string,
  eventType: EventType | null,
): Promise<TestSent> {
  const hook = await requireHook(deps.hooks, accountId, id)
  requireSomebody(hook, deps.sealer)
  deps.limits.testEvent(accountId)
  deps.limits.testMails(subscribedRecipients(hook, deps.sealer).map(({ address }) => address))
  const event = testEventOf(hook, deps.clock.now(), eventType)
  const body = JSON.stringify(event)
  const sent = await deps.sendOnce(hook, { eventId: event.event_id, body })
  const attempt = isPulled(hook) ? { ...sent, detail: PULLED_TEST } : sent
  await deps.deliveries.recordTest(accountId, id, attempt, body)
  if (attempt.reason === null) {
    await deps.deliveries.changeLanes(accountId, [id], deps.clock.now(), deps.manualLaneChanges.accepted)
    deps.wake()
  }
  return { eventId: event.event_id, body, attempt }
}

function testEventOf(hook: HookWithWatches, at: Date, eventType: EventType | null) {
  const [watch] = hook.watches
  return sampleEvent(eventType ?? watch?.eventType ?? 'review.created', {
    store: watch?.store ?? 'apple',
    appId: watch?.appId ?? '123456789',
    country: watch?.storefronts?.[0] ?? 'us',
    subscriberId: hook.id,
    at,
    nonce: randomUUID(),
  })
}
