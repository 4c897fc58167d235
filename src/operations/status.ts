import { noAlertMailsBecause } from '../model/alert.ts'
import { diskSentence } from '../model/disk-space.ts'
import { type Incident, worstFirst } from '../model/incident.ts'
import { STORES } from '../model/vocabulary.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Sealer } from '../runtime/seal.ts'
import type { AlertStorage } from '../storage/port/alerts.ts'
import type { PaceStorage } from '../storage/port/feeds.ts'
import type { HookStorage } from '../storage/port/hooks.ts'
import type { AccountFailures, ReportStorage } from '../storage/port/reports.ts'
import type { ReviewSourceStorage } from '../storage/port/review-sources.ts'
import type { Storage } from '../storage/port/storage.ts'
import { NO_ALERT_MAILS } from './alerts.ts'
import { connectionIncident, staleConnections } from './diagnosis/connections.ts'
import { destinationIncidents, pausedMailIncident } from './diagnosis/failing-destinations.ts'
import { feedIncidents } from './diagnosis/failing-feeds.ts'
import { isIncident, note, problem } from './diagnosis/finding.ts'
import { nodeFindings } from './diagnosis/nodes.ts'
import { type QueueStorage, queueFindings } from './diagnosis/queues.ts'
import { blockIncident } from './diagnosis/stores.ts'
import { NO_RECIPIENT, pausedReasonOf } from './hooks/mail-recipients.ts'

export type StatusDeps = QueueStorage & {
  readonly maintenance: Pick<Storage['maintenance'], 'nodes'>
  readonly hooks: Pick<HookStorage, 'get'>
  readonly sealer: Pick<Sealer, 'open'>
  readonly alerts: Pick<AlertStorage, 'settings'>
  readonly reports: Pick<ReportStorage, 'failures'>
  readonly reviewSources: Pick<ReviewSourceStorage, 'stale'>
  readonly pace: Pick<PaceStorage, 'get'>
  readonly clock: Clock
}

const PAUSED_SHOWN_MAX = 10

/** Mail destinations that wait for a recipient. Others were paused by a person, who knows. */
async function pausedMails(
  { hooks, sealer }: Pick<StatusDeps, 'hooks' | 'sealer'>,
  accountId: string,
  failures: AccountFailures,
): Promise<Incident[]> {
  const incidents: Incident[] = []
  for (const { id, pending } of failures.pausedMails) {
    if (incidents.length === PAUSED_SHOWN_MAX) break
    const hook = await hooks.get(accountId, id)
    const reason = hook === null ? null : pausedReasonOf(hook, sealer)
    if (hook !== null && reason !== null)
      incidents.push(pausedMailIncident({ ...hook, pending }, NO_RECIPIENT[reason]))
  }
  return incidents
}

/** Alerts that no address of their settings gets. */
async function undeliverableAlerts(alerts: StatusDeps['alerts'], accountId: string): Promise<Incident[]> {
  const settings = await alerts.settings(accountId)
  const because = settings?.enabled ? noAlertMailsBecause(settings) : null
  if (because === null) return []
  const action = NO_ALERT_MAILS[because]
  return [note('alert_mails', 'Nobody gets alerts by e-mail.', { action, page: '/account/alerts' })]
}

/** What does not work at present, each cause once. */
export function statusOperations(deps: StatusDeps) {
  const { reports, clock } = deps
  return {
    /** Of one account, worst first. `isStopped`: the disk is full. */
    async ofAccount(accountId: string, isStopped: boolean): Promise<Incident[]> {
      const [failures, stale, undeliverable] = await Promise.all([
        reports.failures(accountId),
        staleConnections(deps, clock, accountId),
        undeliverableAlerts(deps.alerts, accountId),
      ])
      const stopped = isStopped ? diskSentence('full', null) : null
      return worstFirst([
        ...(stopped === null ? [] : [problem('disk', stopped)]),
        ...destinationIncidents(failures),
        ...(await pausedMails(deps, accountId, failures)),
        ...undeliverable,
        ...feedIncidents(failures.feeds, failures.failingApps),
        ...stale.map((source) => connectionIncident(source)),
      ])
    },

    /** Of the installation, beside what the readiness of a node says, worst first. */
    async ofInstallation(): Promise<Incident[]> {
      const found: Incident[] = []
      for (const findings of [nodeFindings(deps, clock), queueFindings(deps, clock)])
        for await (const finding of findings) if (isIncident(finding)) found.push(finding)
      const paces = await Promise.all(
        STORES.map(async (store) => ({ store, ...(await deps.pace.get(store)) })),
      )
      for (const { store, blockedUntil } of paces)
        if (blockedUntil !== null && blockedUntil > clock.now())
          found.push(blockIncident(store, blockedUntil))
      return worstFirst(found)
    },
  }
}
