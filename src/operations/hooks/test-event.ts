import { randomUUID } from 'node:crypto'
import { sampleEvent } from '../../contract/sample.ts'
import type { WebhookEvent } from '../../contract/webhook.ts'
import type { Attempt } from '../../model/delivery.ts'
import type { Hook, HookWithWatches } from '../../model/hook.ts'
import { isPulled } from '../../model/inbox.ts'
import type { EventType } from '../../model/vocabulary.ts'
import { reviewFieldsOf } from '../../pipeline/fanout/payload.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Sealer } from '../../runtime/seal.ts'
import type { DeliveryStorage } from '../../storage/port/deliveries.ts'
import type { HookStorage } from '../../storage/port/hooks.ts'
import type { ReportStorage } from '../../storage/port/reports.ts'
import type { AccountGuard } from '../limits.ts'
import type { ManualLaneChanges } from '../recovery.ts'
import { requireHook } from '../require-hook.ts'
import { coveredStorefronts, type Hit, reviewHits } from '../watches/preview.ts'
import { requireSomebody, subscribedRecipients } from './mail-recipients.ts'

/** Sends one signed request through the guarded egress now, outside any schedule. */
export type SendOnce = (
  hook: Hook,
  event: { readonly eventId: string; readonly body: string },
) => Promise<Attempt>

export type TestEventDeps = {
  readonly hooks: Pick<HookStorage, 'get' | 'watchedApps'>
  readonly reports: Pick<ReportStorage, 'reviews'>
  readonly deliveries: Pick<DeliveryStorage, 'recordTest' | 'changeLanes'>
  readonly clock: Clock
  readonly limits: Pick<AccountGuard, 'testEvent' | 'testMails'>
  readonly sealer: Pick<Sealer, 'open'>
  readonly sendOnce: SendOnce
  readonly manualLaneChanges: Pick<ManualLaneChanges, 'accepted'>
  /** Ends the wait of the loops. */
  readonly wake: () => void
}

/** Enough for most hooks, and as few reads. */
const WATCHES_TRIED = 3

/** A test event is not stored as an event, so that no program takes it for a review. */
const PULLED_TEST = 'This hook has no URL, so no request was sent. Test events cannot be pulled.'

/** The sent event and its attempt. */
export type TestSent = { readonly eventId: string; readonly body: string; readonly attempt: Attempt }

/**
 * Sends a synthetic event of the given type, by default that of the hook's first watch, and records the attempt. A message shows a real
 * review that the hook matches, if there is one. Throws `conflict` when nobody would get the mail. A success closes an open breaker of the
 * hook; a failure changes nothing.
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
  const { event, reviewSeq } = await testEventOf(deps, hook, eventType)
  const body = JSON.stringify(event)
  const sent = await deps.sendOnce(hook, { eventId: event.event_id, body })
  const attempt = isPulled(hook) ? { ...sent, detail: PULLED_TEST } : sent
  await deps.deliveries.recordTest(accountId, id, { attempt, body, reviewSeq })
  if (attempt.reason === null) {
    await deps.deliveries.changeLanes(accountId, [id], deps.clock.now(), deps.manualLaneChanges.accepted)
    deps.wake()
  }
  return { eventId: event.event_id, body, attempt }
}

async function testEventOf(
  deps: Pick<TestEventDeps, 'hooks' | 'reports' | 'clock'>,
  hook: HookWithWatches,
  eventType: EventType | null,
): Promise<{ readonly event: WebhookEvent; readonly reviewSeq: number | null }> {
  const [watch] = hook.watches
  const type = eventType ?? watch?.eventType ?? 'review.created'
  const sample = sampleEvent(type, {
    store: watch?.store ?? 'apple',
    appId: watch?.appId ?? '123456789',
    country: watch?.storefronts?.[0] ?? 'us',
    subscriberId: hook.id,
    at: deps.clock.now(),
    nonce: randomUUID(),
  })
  // A program may store what it gets; a message is marked as a test, and people see what will come.
  const isSample = hook.targetType === 'webhook' || sample.event_type !== 'review.created'
  const review = isSample ? null : await newestMatch(deps, hook)
  if (review === null) return { event: sample, reviewSeq: null }
  const { store, appId, occurredAt } = review
  const shown = { store, app_id: appId, ...reviewFieldsOf(review, review.country) }
  // The ids of the event stay those of a test.
  return { event: { ...sample, ...shown, occurred_at: occurredAt.toISOString() }, reviewSeq: review.seq }
}

/** The newest review that a watch of the hook matches, if one of its first watches does. */
async function newestMatch(
  { hooks, reports }: Pick<TestEventDeps, 'hooks' | 'reports'>,
  { accountId, watches }: HookWithWatches,
): Promise<Hit | null> {
  const ofReviews = watches.filter(({ eventType }) => eventType === 'review.created')
  if (ofReviews.length === 0) return null
  const watched = await hooks.watchedApps(accountId)
  for (const watch of ofReviews.slice(0, WATCHES_TRIED)) {
    const { hits } = await reviewHits({ reports }, watch, coveredStorefronts(watch, watched))
    if (hits[0] !== undefined) return hits[0]
  }
  return null
}
