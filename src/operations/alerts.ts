import {
  type Alert,
  type AlertRecipient,
  type AlertSettings,
  alertRecipients,
  alertSealOf,
  noAlertMailsBecause,
} from '../model/alert.ts'
import { type PausedReason, recipientIdOf, UNSUBSCRIBED_MAX } from '../model/mail-recipient.ts'
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
  readonly limits: Pick<AccountGuard, 'testAlert' | 'confirmations'>
  /** Whether the installation has a mail server, which alerts by e-mail need. */
  readonly hasMailServer: boolean
  readonly testAlert: (accountId: string, now: Date) => Alert
  readonly wake: () => void
}

export type AlertInput = Pick<AlertSettings, 'enabled' | 'emails' | 'webhookUrl'>

export type AlertOverview = {
  readonly settings: AlertInput
  readonly recipients: readonly AlertRecipient[]
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
      unsubscribed: [],
      webhookUrl: null,
      webhookSecret: null,
    }

  return {
    async show(accountId: string): Promise<AlertOverview> {
      const settings = await stored(accountId)
      const { enabled, emails, webhookUrl } = settings
      return {
        settings: { enabled, emails, webhookUrl },
        recipients: alertRecipients(settings),
        hasMailServer: deps.hasMailServer,
        recent: await alerts.list(accountId, RECENT_SHOWN),
      }
    },

    /**
     * Returns the signing secret when this call gives the account its first URL, else null. Throws `invalid` for the URL, for new addresses
     * without a mail server, and when alerts are on without either.
     */
    async save(
      accountId: string,
      { enabled, emails: given, webhookUrl }: AlertInput,
    ): Promise<string | null> {
      const before = await stored(accountId)
      const recipients = alertRecipients({ ...before, emails: given })
      const emails = recipients.map(({ address }) => address)
      const known = new Set(alertRecipients(before).map(({ id }) => id))
      const added = recipients.filter(({ id }) => !known.has(id))
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
      if (added.length > 0 && before.unsubscribed.length >= UNSUBSCRIBED_MAX)
        throw new OperationError('conflict', TOO_MANY_UNSUBSCRIBED)
      // Who unsubscribed is asked only by `askToSubscribe`.
      const asked = (deps.mailConsent === 'off' ? [] : added)
        .filter(({ state }) => state !== 'unsubscribed')
        .map(({ address }) => address)
      if (asked.length > 0) requireLinks(deps, 'emails')
      deps.limits.confirmations(accountId, asked)
      const secret = webhookUrl !== null && before.webhookSecret === null ? deps.newSecret() : null
      const isSecretStored = await alerts.saveSettings({
        accountId,
        enabled,
        emails,
        newOnesAre: deps.mailConsent === 'off' ? 'confirmed' : 'unconfirmed',
        webhookUrl,
        newSecret: secret === null ? null : sealer.seal(secret, alertSealOf(accountId)),
      })
      askNewRecipients(deps, accountId, null, asked)
      return isSecretStored ? secret : null
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
     * a channel or when all recipients unsubscribed, `rate_limited`, and `unavailable` when the mail server refuses.
     */
    async sendTest(accountId: string): Promise<void> {
      const settings = await stored(accountId)
      const because = noAlertMailsBecause(settings)
      if (settings.webhookUrl === null && because === 'all_unsubscribed')
        throw new OperationError('conflict', NO_ALERT_MAILS[because])
      const recipients = alertRecipients(settings)
      const addressesOf = (wanted: AlertRecipient['state']) =>
        recipients.filter(({ state }) => state === wanted).map(({ address }) => address)
      const unconfirmed = addressesOf('unconfirmed')
      deps.limits.testAlert(accountId, { tested: addressesOf('subscribed'), asked: unconfirmed })
      if (settings.webhookUrl !== null || because === null) {
        const now = clock.now()
        const queued = await alerts.create([deps.testAlert(accountId, now)], now, null)
        if (queued === 0)
          throw new OperationError('conflict', 'Save an e-mail address or a URL for alerts first.')
        deps.wake()
      }
      for (const email of unconfirmed) {
        const recipient = recipientIdOf(accountId, email)
        await askByMail(deps, email, { purpose: 'confirm', accountId, hookId: null, recipient })
      }
    },

    /**
     * Asks an address of the settings that has not confirmed, or that unsubscribed, by mail: nobody else decides that. Throws `not_found`,
     * `conflict` for one that gets alerts, `rate_limited`, and the errors of `askByMail`.
     */
    async askToSubscribe(accountId: string, email: string): Promise<void> {
      const id = recipientIdOf(accountId, email)
      const found = alertRecipients(await stored(accountId)).find((recipient) => recipient.id === id)
      if (found === undefined) throw new OperationError('not_found', 'Alerts have no such address.')
      if (found.state === 'subscribed') throw new OperationError('conflict', 'This address gets alerts.')
      deps.limits.confirmations(accountId, [found.address])
      const purpose = found.state === 'unconfirmed' ? 'confirm' : 'subscribe'
      await askByMail(deps, found.address, { purpose, accountId, hookId: null, recipient: id })
    },
  }
}

const TOO_MANY_UNSUBSCRIBED = `Alerts have ${UNSUBSCRIBED_MAX} unsubscribed addresses, and accept no more. Use a webhook URL.`

/** What to do when no address gets alerts. */
export const NO_ALERT_MAILS: Readonly<Record<PausedReason, string>> = {
  all_unsubscribed:
    'All recipients of alerts unsubscribed. Ask one of them to subscribe again, or add another address.',
  unconfirmed: 'No recipient of alerts has confirmed yet. Each got an e-mail with a link.',
}

function requireUrl(webhookUrl: string, guard: AddressGuard): void {
  const problem = targetUrlProblem(webhookUrl, guard)
  if (problem !== null) throw new OperationError('invalid', problem, { field: 'webhookUrl' })
}
