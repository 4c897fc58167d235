import type { Clock } from '../../runtime/clock.ts'
import { type Instant, later } from '../../runtime/instant.ts'
import type { Log } from '../../runtime/log.ts'
import type { Loop } from '../../runtime/loop.ts'
import type { AlertStep, AlertStorage, ClaimedAlert } from '../../storage/port/alerts.ts'
import { ALERT_EVERY_MS, dueAlerts } from './rules.ts'
import { createUncheckedApps } from './unchecked-apps.ts'

export type AlertLoopDeps = {
  readonly alerts: Pick<AlertStorage, 'observe' | 'create' | 'claim' | 'settle'>
  readonly clock: Clock
  readonly log: Log
  readonly newLease: () => string
  /** Mails each recipient who has not accepted the alert yet. `settingsUrl`: where an owner changes the recipients. */
  readonly mail: (claimed: ClaimedAlert, settingsUrl: string | null) => Promise<MailedAlert>
  /** Sends the signed body to the account's URL. Null when it was accepted; otherwise what went wrong, a sentence. */
  readonly post: (claimed: ClaimedAlert, url: string) => Promise<string | null>
  /** Where people reach the console; null when this node does not know. */
  readonly publicUrl: () => string | null
}

/** The result of an attempt by mail. */
export type MailedAlert = {
  /** No recipient is left who could accept it later. */
  readonly isSent: boolean
  /** Sentences about recipients who did not accept it; null without one. */
  readonly problem: string | null
  /** All recipients that have accepted it so far. */
  readonly acceptedBy: readonly string[]
}

export const ALERT_LOOP = 'alert'

/** How late an alert may be. The states that it reports are at least some minutes old. */
const IDLE_MS = 15_000
const BATCH = 20
/** A webhook has a time limit of 15 s by default, at most 60 s; the mails of an alert have 30 s. */
const LEASE_MS = 120_000
/** Waits before attempts 2, 3, … They add up to a working day, since a mail server may be down for that long. */
const WAITS_MS = [30_000, 120_000, 600_000, 1_800_000, 3_600_000, 10_800_000, 21_600_000]

/** Queues the alerts that are due, and sends the queued ones. The queue is a table, so a killed process loses none. */
export function alertLoop(deps: AlertLoopDeps): Loop {
  const { alerts, clock, log } = deps
  const link = (path: string) => {
    const base = deps.publicUrl()
    return base === null ? null : `${base}${path}`
  }
  const withoutFresh = createUncheckedApps()
  return {
    name: ALERT_LOOP,
    idleMs: IDLE_MS,
    async pass() {
      const now = clock.now()
      const { conditions, last } = await alerts.observe(now)
      const due = dueAlerts({ conditions: withoutFresh(conditions, now), last }, now, link)
      if (due.length > 0) {
        await alerts.create(due, now, later(now, -ALERT_EVERY_MS))
      }
      const claimed = await alerts.claim(now, deps.newLease(), LEASE_MS, BATCH)
      await Promise.all(
        claimed.map(async (each) => {
          const result = await attempt(deps, each, link('/account/alerts'))
          const { problem, acceptedBy } = result
          await alerts.settle({ ...each, acceptedBy }, stepOf(each, result, clock.now()))
          log.info('alert.attempted', {
            alert_id: each.alert.id,
            account_id: each.alert.accountId,
            kind: each.alert.kind,
            channel: each.channel,
            attempt: each.attempts + 1,
            detail: problem,
          })
        }),
      )
      return claimed.length === BATCH ? 'worked' : 'idle'
    },
  }
}

async function attempt(
  { mail, post }: AlertLoopDeps,
  claimed: ClaimedAlert,
  settingsUrl: string | null,
): Promise<MailedAlert> {
  const { alert, channel, settings, acceptedBy } = claimed
  const resultOf = (problem: string | null) => ({ isSent: problem === null, problem, acceptedBy })
  if (!settings.enabled && alert.kind !== 'test') return resultOf('Alerts were switched off.')
  if (channel === 'email') return mail(claimed, settingsUrl)
  if (settings.webhookUrl === null) return resultOf('The URL was removed.')
  return resultOf(await post(claimed, settings.webhookUrl))
}

/** An alert cannot be replayed, so that one which a mail server rejects for good is retried too: its operator may repair that. */
function stepOf({ attempts }: ClaimedAlert, { isSent, problem }: MailedAlert, now: Instant): AlertStep {
  if (isSent) return { status: 'sent', problem }
  const shown = problem ?? 'It was not sent.'
  const waitMs = WAITS_MS[attempts]
  if (waitMs === undefined) return { status: 'failed', problem: shown }
  return { status: 'pending', dueAt: later(now, waitMs), problem: shown }
}
