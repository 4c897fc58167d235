import { CONNECTION_FAILING_MS } from '../../src/model/alert.ts'
import { GOOGLE_AT_RISK_MS, GOOGLE_SHOWN_MS } from '../../src/model/review-source.ts'
import { STORES } from '../../src/model/vocabulary.ts'
import { connectionCauses } from '../../src/pipeline/alert/connection-alerts.ts'
import type { Instant } from '../../src/runtime/instant.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { type Ledger, type ReviewEntry, sourceKey } from './ledger.ts'
import type { OfficialStore } from './official-store.ts'
import type { Outage } from './plan.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS

/** Long enough for a restart of every process that died before, and for failed polls. */
const SETTLE_MS = 5 * SECOND_MS
const REFUSED_MS = 2 * MINUTE_MS

export async function sufferOutage(deps: {
  readonly outage: Outage
  readonly ledger: Ledger
  readonly storage: Storage
  readonly official: OfficialStore
  readonly now: () => Instant
  readonly until: (atMs: number) => Promise<void>
  readonly recoverNodes: () => Promise<void>
  readonly stopNodes: (forMs: number) => void
  /** People write a review about every `meanMs` until then. */
  readonly writeReviews: (untilMs: number, meanMs: number) => void
}): Promise<void> {
  const { outage, official, now, until } = deps
  const wait = (ms: number) => until(now().getTime() + ms)
  await deps.recoverNodes()
  await wait(SETTLE_MS)
  const endsRefusal =
    outage.kind === 'stopped'
      ? []
      : STORES.map((store) => official.world.setFault({ store }, { kind: 'status', status: 403 }))
  if (outage.kind === 'refused') await wait(REFUSED_MS)
  deps.stopNodes(outage.lengthMs)
  deps.writeReviews(now().getTime() + outage.lengthMs, outage.lengthMs / outage.reviews)
  await wait(outage.lengthMs)
  if (outage.kind === 'stopped') return
  await wait(REFUSED_MS)
  await checkAlarms(deps.ledger, deps.storage, now())
  for (const end of endsRefusal) end()
}

export async function enableAlerts(storage: Storage, accounts: readonly string[]): Promise<void> {
  for (const accountId of accounts) {
    const channels = {
      emails: ['owner@example.com'],
      newOnesAre: 'confirmed' as const,
      webhookUrl: null,
      newSecret: null,
    }
    await storage.alerts.saveSettings({ accountId, enabled: true, ...channels })
  }
}

/** Every app of Google that gets reviews only from a connection has an alarm when its last good poll is five days ago. */
async function checkAlarms(ledger: Ledger, storage: Storage, now: Instant): Promise<void> {
  const { conditions } = await storage.alerts.observe(now)
  const alarms = new Set(
    connectionCauses(conditions, now).map(
      ({ kind, accountId, subject }) => `${kind} ${accountId} ${subject}`,
    ),
  )
  for (const { accountId, watch } of ledger.hooks.values()) {
    const { store, appId } = watch
    const source = (await storage.reviewSources.list(accountId)).find(
      (one) => one.store === store && one.appId === appId,
    )
    // A hook whose creation failed has no watch, so that nobody may need the source.
    const isNeeded = (await storage.hooks.watchedApps(accountId)).some(
      (one) => one.store === store && one.appId === appId,
    )
    if (source?.state !== 'official' || !isNeeded) continue
    const lastMs = ledger.officialPolls.get(sourceKey(accountId, store, appId))?.at(-1)?.atMs ?? 0
    const isAtRisk = store === 'google' && now.getTime() - lastMs > GOOGLE_AT_RISK_MS
    const kind = isAtRisk ? 'connection.losing_reviews' : 'connection.failing'
    if (!alarms.has(`${kind} ${accountId} ${source.connectionId}`)) {
      ledger.violate('no_alarm', `${kind} of ${accountId} for ${store} ${appId}`, { source, conditions })
    }
  }
}

/** After all faults no connection has an alarm. */
export async function checkNoAlarms(ledger: Ledger, storage: Storage, now: Instant): Promise<void> {
  const { conditions } = await storage.alerts.observe(now)
  const left = connectionCauses(conditions, now)
  if (left.length > 0) {
    ledger.violate(
      'false_alarm',
      `${left.length} alarms without a poll missed for ${CONNECTION_FAILING_MS} ms`,
      left,
    )
  }
}

/**
 * Whether the official source of an account lost the review, because Google no longer listed it at the first good poll: a good poll began
 * after the seven days of the review, and the answers to none listed it.
 */
export function isLostByOutage(ledger: Ledger, review: ReviewEntry, accountId: string): boolean {
  const { store, appId, reviewId, shownAtMs } = review
  if (store !== 'google') return false
  const polls = ledger.officialPolls.get(sourceKey(accountId, store, appId)) ?? []
  return (
    polls.some(({ atMs }) => atMs > shownAtMs + GOOGLE_SHOWN_MS) &&
    !polls.some(({ listed }) => listed.has(reviewId))
  )
}
