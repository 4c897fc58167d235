import type { Clock } from '../../runtime/clock.ts'
import { type Instant, later } from '../../runtime/instant.ts'
import type { Log } from '../../runtime/log.ts'
import type { Loop } from '../../runtime/loop.ts'
import type { Mailer } from '../../runtime/mailer.ts'
import type { AlertStep, AlertStorage, ClaimedAlert } from '../../storage/port/alerts.ts'
import { ALERT_EVERY_MS, dueAlerts } from './rules.ts'
import { createUncheckedApps } from './unchecked-apps.ts'

export type AlertLoopDeps = {
  readonly alerts: Pick<AlertStorage, 'observe' | 'create' | 'claim' | 'settle'>
  readonly clock: Clock
  readonly log: Log
  readonly newLease: () => string
  /** Null without a mail server. */
  readonly mailer: Mailer | null
  /** Sends the signed body to the account's URL. Null when it was accepted; otherwise what went wrong, a sentence. */
  readonly post: (claimed: ClaimedAlert, url: string) => Promise<string | null>
  /** Where people reach the console; null when this node does not know. */
  readonly publicUrl: () => string | null
}

export const ALERT_LOOP = 'alert'

/** How late an alert may be. The states that it reports are at least some minutes old. */
const IDLE_MS = 15_000
const BATCH = 20
/** Both channels have a time limit of 15 s by default, at most 60 s. */
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
          const problem = await attempt(deps, each, link('/account'))
          await alerts.settle(each, stepOf(each, problem, clock.now()))
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
  { mailer, post }: AlertLoopDeps,
  claimed: ClaimedAlert,
  settingsLink: string | null,
): Promise<string | null> {
  const { alert, channel, settings } = claimed
  if (!settings.enabled && alert.kind !== 'test') return 'Alerts were switched off.'
  if (channel === 'webhook') {
    return settings.webhookUrl === null ? 'The URL was removed.' : post(claimed, settings.webhookUrl)
  }
  if (settings.emails.length === 0) return 'The addresses were removed.'
  const confirmed = settings.emails.filter((email) => !settings.unconfirmed.includes(email))
  if (confirmed.length === 0) return 'No recipient of alerts has confirmed the address yet.'
  if (mailer === null) return 'This node has no mail server: RADAR_SMTP_URL is not set.'
  const failure = await mailer.send({
    to: confirmed,
    subject: `Review Radar: ${alert.title}`,
    text: `${alert.text}\n\n-- \n${whyOf(settingsLink)}\n`,
    headers: { 'auto-submitted': 'auto-generated' },
    id: alert.id,
  })
  return failure?.detail ?? null
}

/** Whoever gets an alert is a colleague of the people who entered the address, so they are asked instead of a machine. */
function whyOf(settingsLink: string | null): string {
  const place = settingsLink === null ? '' : `: ${settingsLink}`
  return `You get alerts because an owner of the Review Radar account entered your address. An owner removes it on the account page${place}`
}

function stepOf({ attempts }: ClaimedAlert, problem: string | null, now: Instant): AlertStep {
  if (problem === null) return { status: 'sent' }
  const waitMs = WAITS_MS[attempts]
  if (waitMs === undefined) return { status: 'failed', problem }
  return { status: 'pending', dueAt: later(now, waitMs), problem }
}
