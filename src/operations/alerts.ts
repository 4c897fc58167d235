import { type Alert, type AlertSettings, alertSealOf } from '../model/alert.ts'
import type { Clock } from '../runtime/clock.ts'
import type { AddressGuard } from '../runtime/egress/guard.ts'
import type { Sealer } from '../runtime/seal.ts'
import type { AlertStorage, AlertView } from '../storage/port/alerts.ts'
import { OperationError } from './error.ts'
import { targetUrlProblem } from './hooks/target.ts'
import type { AccountGuard } from './limits.ts'

export type AlertDeps = {
  readonly alerts: Pick<AlertStorage, 'settings' | 'saveSettings' | 'create' | 'list'>
  readonly clock: Clock
  readonly guard: AddressGuard
  readonly sealer: Sealer
  readonly newSecret: () => string
  readonly limits: Pick<AccountGuard, 'testEvent' | 'testMail'>
  /** Whether the installation has a mail server, which alerts by e-mail need. */
  readonly hasMailServer: boolean
  readonly testAlert: (accountId: string, now: Date) => Alert
  readonly wake: () => void
}

export type AlertInput = Pick<AlertSettings, 'enabled' | 'emails' | 'webhookUrl'>

export type AlertOverview = {
  readonly settings: AlertInput
  readonly hasMailServer: boolean
  /** Newest first. */
  readonly recent: readonly AlertView[]
}

const RECENT_SHOWN = 20

/** Alerts of an account to its members. */
export function alertOperations(deps: AlertDeps) {
  const { alerts, clock, sealer } = deps

  const stored = async (accountId: string): Promise<AlertSettings> =>
    (await alerts.settings(accountId)) ?? {
      accountId,
      enabled: false,
      emails: [],
      webhookUrl: null,
      webhookSecret: null,
    }

  return {
    async show(accountId: string): Promise<AlertOverview> {
      const { enabled, emails, webhookUrl } = await stored(accountId)
      return {
        settings: { enabled, emails, webhookUrl },
        hasMailServer: deps.hasMailServer,
        recent: await alerts.list(accountId, RECENT_SHOWN),
      }
    },

    /**
     * Returns the signing secret when the account gets its first URL, else null. Throws `invalid` for the URL, for new addresses without a mail
     * server, and when alerts are on without either.
     */
    async save(accountId: string, { enabled, emails, webhookUrl }: AlertInput): Promise<string | null> {
      const before = await stored(accountId)
      if (!deps.hasMailServer && !emails.every((email) => before.emails.includes(email)))
        throw new OperationError(
          'invalid',
          'require a mail server: ask the operator to set RADAR_SMTP_URL.',
          {
            field: 'emails',
          },
        )
      if (webhookUrl !== null) requireUrl(webhookUrl, deps.guard)
      if (enabled && emails.length === 0 && webhookUrl === null) {
        throw new OperationError('invalid', 'requires an e-mail address or a URL.', { field: 'enabled' })
      }
      const secret = webhookUrl !== null && before.webhookSecret === null ? deps.newSecret() : null
      await alerts.saveSettings({
        accountId,
        enabled,
        emails: [...new Set(emails)],
        webhookUrl,
        webhookSecret: secret === null ? before.webhookSecret : sealer.seal(secret, alertSealOf(accountId)),
      })
      return secret
    },

    /** Replaces the signing secret at once. Throws `conflict` without a URL. */
    async newSecret(accountId: string): Promise<string> {
      const before = await stored(accountId)
      if (before.webhookUrl === null) throw new OperationError('conflict', 'Set a URL for alerts first.')
      const secret = deps.newSecret()
      const webhookSecret = sealer.seal(secret, alertSealOf(accountId))
      await alerts.saveSettings({ ...before, webhookSecret })
      return secret
    },

    /** Queues a test alert for each channel. Throws `conflict` without one, and `rate_limited`. */
    async sendTest(accountId: string): Promise<void> {
      deps.limits.testEvent(accountId)
      for (const email of (await stored(accountId)).emails) deps.limits.testMail(email.toLowerCase())
      const now = clock.now()
      const queued = await alerts.create([deps.testAlert(accountId, now)], now, null)
      if (queued === 0) {
        throw new OperationError('conflict', 'Save an e-mail address or a URL for alerts first.')
      }
      deps.wake()
    },
  }
}

function requireUrl(webhookUrl: string, guard: AddressGuard): void {
  const problem = targetUrlProblem(webhookUrl, guard)
  if (problem !== null) throw new OperationError('invalid', problem, { field: 'webhookUrl' })
}
