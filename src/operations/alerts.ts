import { type Alert, type AlertSettings, alertSealOf } from '../model/alert.ts'
import { recipientIdOf } from '../model/mail-recipient.ts'
import type { Clock } from '../runtime/clock.ts'
import type { AddressGuard } from '../runtime/egress/guard.ts'
import type { AlertStorage, AlertView } from '../storage/port/alerts.ts'
import { OperationError } from './error.ts'
import { targetUrlProblem } from './hooks/target.ts'
import type { AccountGuard } from './limits.ts'
import { askByMail, askNewRecipients, type ConsentDeps, requireLinks } from './mail-consent.ts'

export type AlertDeps = ConsentDeps & {
  readonly alerts: Pick<AlertStorage, 'settings' | 'saveSettings' | 'saveSecret' | 'create' | 'list'>
  readonly clock: Clock
  readonly guard: AddressGuard
  readonly newSecret: () => string
  readonly limits: Pick<AccountGuard, 'testEvent' | 'testMails' | 'confirmations'>
  /** Whether the installation has a mail server, which alerts by e-mail need. */
  readonly hasMailServer: boolean
  readonly testAlert: (accountId: string, now: Date) => Alert
  readonly wake: () => void
}

export type AlertInput = Pick<AlertSettings, 'enabled' | 'emails' | 'webhookUrl'>

export type AlertOverview = {
  readonly settings: AlertInput
  /** Addresses of the settings that have not confirmed yet, and get no alerts. */
  readonly unconfirmed: readonly string[]
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
      unconfirmed: [],
      webhookUrl: null,
      webhookSecret: null,
    }

  return {
    async show(accountId: string): Promise<AlertOverview> {
      const { enabled, emails, unconfirmed, webhookUrl } = await stored(accountId)
      return {
        settings: { enabled, emails, webhookUrl },
        unconfirmed,
        hasMailServer: deps.hasMailServer,
        recent: await alerts.list(accountId, RECENT_SHOWN),
      }
    },

    /**
     * Returns the signing secret when the account gets its first URL, else null. Throws `invalid` for the URL, for new addresses without a
     * mail server, and when alerts are on without either.
     */
    async save(accountId: string, { enabled, emails, webhookUrl }: AlertInput): Promise<string | null> {
      const before = await stored(accountId)
      const added = [...new Set(emails)].filter((email) => !before.emails.includes(email))
      if (!deps.hasMailServer && added.length > 0)
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
      const asked = deps.mailConsent === 'off' ? [] : added
      if (asked.length > 0) requireLinks(deps, 'emails')
      deps.limits.confirmations(accountId, asked)
      const secret = webhookUrl !== null && before.webhookSecret === null ? deps.newSecret() : null
      await alerts.saveSettings({
        accountId,
        enabled,
        emails: [...new Set(emails)],
        asked,
        webhookUrl,
        webhookSecret: secret === null ? before.webhookSecret : sealer.seal(secret, alertSealOf(accountId)),
      })
      askNewRecipients(deps, accountId, null, asked)
      return secret
    },

    /** Replaces the signing secret at once. Throws `conflict` without a URL. */
    async newSecret(accountId: string): Promise<string> {
      const before = await stored(accountId)
      if (before.webhookUrl === null) throw new OperationError('conflict', 'Set a URL for alerts first.')
      const secret = deps.newSecret()
      await alerts.saveSecret(accountId, sealer.seal(secret, alertSealOf(accountId)))
      return secret
    },

    /**
     * Queues a test alert for each channel. Addresses that have not confirmed get the confirmation again instead. Throws `conflict` without
     * a channel, `rate_limited`, and `unavailable` when the mail server refuses.
     */
    async sendTest(accountId: string): Promise<void> {
      deps.limits.testEvent(accountId)
      const { emails, unconfirmed, webhookUrl } = await stored(accountId)
      deps.limits.testMails(emails.filter((email) => !unconfirmed.includes(email)))
      deps.limits.confirmations(accountId, unconfirmed)
      for (const email of unconfirmed) {
        const recipient = recipientIdOf(accountId, email)
        await askByMail(deps, email, { purpose: 'confirm', accountId, hookId: null, recipient })
      }
      if (unconfirmed.length > 0 && unconfirmed.length === emails.length && webhookUrl === null) return
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
